package engine

import (
	"strconv"
	"strings"
)

// key is a part of a position text that only some rulesets have: one or two bytes of a
// position's extras, or of its tally.
type key struct {
	name    string
	values  string  // what its text must be, for errors
	bytes   []uint8 // the offsets of the bytes
	inTally bool    // the bytes are in the tally, because a wide board has no other extras than its holes
	sign    byte    // stands between the texts of two bytes

	// append appends the text of a byte. It appends nothing if the byte has no text.
	append func(b []byte, p Position, offset uint8) []byte
}

// appendTo appends the text of the key's bytes in a position.
func (k key) appendTo(b []byte, p Position) []byte {
	for i, offset := range k.bytes {
		if i > 0 {
			b = append(b, k.sign)
		}
		b = k.append(b, p, offset)
	}
	return b
}

// parse returns the position with the bytes that have this text. It tries them all, so
// that reading and writing cannot differ.
func (k key) parse(p Position, text string) (read Position, ok bool) {
	texts := []string{text}
	if len(k.bytes) > 1 {
		texts = strings.SplitN(text, string(k.sign), len(k.bytes))
	}
	if len(texts) != len(k.bytes) {
		return p, false
	}
	var buffer [32]byte
	for i, offset := range k.bytes {
		ok = false
		for n := 0; n < 256 && !ok; n++ {
			if k.inTally {
				p.tally = p.tally.with(offset, uint8(n))
			} else {
				p.extras = p.extras.with(offset, uint8(n))
			}
			written := k.append(buffer[:0], p, offset)
			ok = len(written) > 0 && string(written) == texts[i]
		}
		if !ok {
			return p, false
		}
	}
	return p, true
}

// firstKey is who began the round.
func firstKey() key { return oneOf("first", firstAt, "S", "N") }

// openedKey is who has sown in the round.
func openedKey() key { return oneOf("opened", openedAt, "-", "S", "N", "SN") }

// oneOf is a key whose byte is the index of its text.
func oneOf(name string, offset uint8, texts ...string) key {
	return key{
		name: name, values: strings.Join(texts, " or "), bytes: []uint8{offset},
		append: func(b []byte, p Position, offset uint8) []byte {
			if n := int(p.extras.at(offset)); n < len(texts) {
				b = append(b, texts[n]...)
			}
			return b
		},
	}
}

// startKey is the players' start holes, in rows of so many holes.
func startKey(holes int) key {
	return key{
		name: "start", values: "a start hole or - for each player, as in C,-", sign: ',',
		bytes: []uint8{southStartAt, northStartAt},
		append: func(b []byte, p Position, offset uint8) []byte {
			owner := South
			if offset == northStartAt {
				owner = North
			}
			return appendHole(b, owner, int(p.extras.at(offset)), holes)
		},
	}
}

// appendHole appends the name of a hole whose number is counted from 1, - for the number 0, or nothing for a
// number that no hole has.
func appendHole(b []byte, owner Seat, number, holes int) []byte {
	switch {
	case number == 0:
		return append(b, '-')
	case number > holes:
		return b
	}
	return append(b, owner.HoleName(number-1)...)
}

// donkeysKey is the donkeys owed to South and to North.
func donkeysKey() key {
	return key{
		name: "donkeys", values: "two numbers, as in 0-1", sign: '-', bytes: []uint8{southDonkeysAt, northDonkeysAt},
		append: func(b []byte, p Position, offset uint8) []byte {
			return strconv.AppendUint(b, uint64(p.extras.at(offset)), 10)
		},
	}
}

// takeKey is the seed that the side to move may take.
func takeKey(holes int) key {
	return key{
		name: "take", values: "a hole of the side to move with :free or :turn, or -", bytes: []uint8{takeAt},
		append: func(b []byte, p Position, offset uint8) []byte {
			take := p.extras.at(offset)
			empty := len(b)
			if take != takesTurn { // which has no hole
				b = appendHole(b, p.Side(), int(take&^takesTurn), holes)
			}
			switch {
			case take == 0 || len(b) == empty:
				return b
			case take&takesTurn != 0:
				return append(b, ":turn"...)
			}
			return append(b, ":free"...)
		},
	}
}

// missedKey is the captures that the other player missed, by the holes of that player's
// row from its owner's left.
func missedKey(holes int) key {
	return key{
		name: "missed", values: "- or holes of the other player from left to right, as in a,c", bytes: []uint8{missedAt},
		append: func(b []byte, p Position, offset uint8) []byte {
			missed := p.extras.at(offset)
			if missed == 0 {
				return append(b, '-')
			}
			if missed>>holes != 0 {
				return b
			}
			empty := len(b)
			for hole := range holes {
				if !p.MissedCapture(hole) {
					continue
				}
				if len(b) > empty {
					b = append(b, ',')
				}
				b = append(b, p.Side().Other().HoleName(hole)...)
			}
			return b
		},
	}
}

// swapKey is whether North may swap sides.
func swapKey() key {
	return key{
		name: "swap", values: "N or -", bytes: []uint8{swapAt}, inTally: true,
		append: func(b []byte, p Position, offset uint8) []byte {
			switch p.tally.at(offset) {
			case 0:
				return append(b, '-')
			case 1:
				return append(b, 'N')
			}
			return b
		},
	}
}
