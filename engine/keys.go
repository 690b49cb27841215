package engine

import (
	"strconv"
	"strings"
)

// key is a part of a position text that only some rulesets have.
type key struct {
	name   string
	append func(b []byte, p Position) []byte
	read   func(t *positionText, value string, p Position) Position
}

// firstKey is the key "first": who began the round.
func firstKey() key {
	return key{
		name:   "first",
		append: func(b []byte, p Position) []byte { return append(b, p.First().letter()) },
		read: func(t *positionText, value string, p Position) Position {
			i := t.choice("first", value, "S", "N")
			p.extras = p.extras.with(firstAt, uint8(i))
			return p
		},
	}
}

// openedKey is the key "opened": who has sown in the round.
func openedKey() key {
	values := []string{"-", "S", "N", "SN"}
	return key{
		name: "opened",
		append: func(b []byte, p Position) []byte {
			return append(b, values[p.extras.at(openedAt)]...)
		},
		read: func(t *positionText, value string, p Position) Position {
			i := t.choice("opened", value, values...)
			p.extras = p.extras.with(openedAt, uint8(i))
			return p
		},
	}
}

// startKey is the key "start": the players' start holes.
func startKey() key {
	return key{
		name: "start",
		append: func(b []byte, p Position) []byte {
			b = appendHole(b, p, South)
			b = append(b, ',')
			return appendHole(b, p, North)
		},
		read: func(t *positionText, value string, p Position) Position {
			start := t.at.keys["start"]
			south, north, found := strings.Cut(value, ",")
			if !found {
				t.fail(start, "start is %s; it must be a start hole or - for each player, as in C,-", quote(value))
			}
			for seat, name := range []string{South: south, North: north} {
				if name != "-" {
					hole := t.holeOf("the start hole of "+Seat(seat).String(), name, Seat(seat), start)
					p.extras = p.extras.with(startAt(Seat(seat)), hole+1)
				}
				start += len(name) + 1
			}
			return p
		},
	}
}

// appendHole appends the name of the seat's start hole.
func appendHole(b []byte, p Position, s Seat) []byte {
	hole, ok := p.StartHole(s)
	if !ok {
		return append(b, '-')
	}
	return append(b, s.HoleName(hole)...)
}

// donkeysKey is the key "donkeys": the donkeys owed to South and to North.
func donkeysKey() key {
	return key{
		name: "donkeys",
		append: func(b []byte, p Position) []byte {
			b = strconv.AppendInt(b, int64(p.Donkeys(South)), 10)
			b = append(b, '-')
			return strconv.AppendInt(b, int64(p.Donkeys(North)), 10)
		},
		read: func(t *positionText, value string, p Position) Position {
			start := t.at.keys["donkeys"]
			// Play never leads to more, and a byte can still hold what all later
			// rounds can add.
			most := 50 + 2*p.Round()
			if p.Phase() == PhaseOver {
				most += 2
			}
			south, north, found := strings.Cut(value, "-")
			if !found {
				t.fail(start, "donkeys is %s; it must be two numbers, as in 0-1", quote(value))
			}
			for seat, text := range []string{South: south, North: north} {
				owed := t.count("donkeys owed to "+Seat(seat).String(), text, start, 0, most)
				p.extras = p.extras.with(donkeysAt(Seat(seat)), uint8(owed))
				start += len(text) + 1
			}
			return p
		},
	}
}

// takeKey is the key "take": the seed that the side to move may take.
func takeKey() key {
	return key{
		name: "take",
		append: func(b []byte, p Position) []byte {
			hole, wholeTurn, ok := p.Takable()
			if !ok {
				return append(b, '-')
			}
			b = append(b, p.Side().HoleName(hole)...)
			if wholeTurn {
				return append(b, ":turn"...)
			}
			return append(b, ":free"...)
		},
		read: func(t *positionText, value string, p Position) Position {
			if value == "-" {
				return p
			}
			start := t.at.keys["take"]
			name, kind, found := strings.Cut(value, ":")
			if !found {
				t.fail(start, "take is %s; it must be a hole with :free or :turn, or -", quote(value))
			}
			hole := t.holeOf("take", name, p.Side(), start)
			if seeds := p.own.at(hole); seeds != 1 {
				t.fail(start, "hole %s holds %s, but only a single seed can be taken", name, plural(int(seeds), "seed"))
			}
			turn := uint8(0)
			switch kind {
			case "free":
			case "turn":
				turn = takesTurn
			default:
				t.fail(start+len(name)+1, "take is %s; it must be :free or :turn", quote(value))
			}
			p.extras = p.extras.with(takeAt, hole+1|turn)
			return p
		},
	}
}

// missedKey is the key "missed": the captures that the other player missed, by the holes of that
// player's row.
func missedKey() key {
	return key{
		name: "missed",
		append: func(b []byte, p Position) []byte {
			if p.extras.at(missedAt) == 0 {
				return append(b, '-')
			}
			comma := false
			for hole := range uint8(8) {
				if !p.Missed(int(hole)) {
					continue
				}
				if comma {
					b = append(b, ',')
				}
				comma = true
				b = append(b, p.Side().Other().HoleName(int(hole))...)
			}
			return b
		},
		read: func(t *positionText, value string, p Position) Position {
			if value == "-" {
				return p
			}
			start := t.at.keys["missed"]
			least := 0
			for name := range strings.SplitSeq(value, ",") {
				hole := t.holeOf("missed", name, p.Side().Other(), start)
				if int(hole) < least {
					t.fail(start, "hole %s is out of order; each hole must stand once, from its owner's left", name)
				}
				least = int(hole) + 1
				facing := uint8(t.info.Holes) - 1 - hole
				if seeds, across := p.opp.at(hole), p.own.at(facing); seeds != 1 || across < 1 || across > 2 {
					t.fail(start, "hole %s holds %d and faces %d in hole %s, but only a hole of 1 that faces 1 or 2 can be missed",
						name, seeds, across, p.Side().HoleName(int(facing)))
				}
				p.extras |= tally(1) << hole << missedAt
				start += len(name) + 1
			}
			return p
		},
	}
}

// choice returns the number of a value among the known ones.
func (t *positionText) choice(name, value string, known ...string) int {
	for i, k := range known {
		if value == k {
			return i
		}
	}
	t.fail(t.at.keys[name], "%s is %s; it must be %s", name, quote(value), strings.Join(known, " or "))
	return 0
}

// holeOf returns the number of a hole of the seat's row by its name.
func (t *positionText) holeOf(what, name string, s Seat, column int) uint8 {
	for hole := range t.info.Holes {
		if s.HoleName(hole) == name {
			return uint8(hole)
		}
	}
	last := s.HoleName(t.info.Holes - 1)
	t.fail(column, "%s is %s; it must be a hole of %s, %s to %s", what, quote(name), s, s.HoleName(0), last)
	return 0
}
