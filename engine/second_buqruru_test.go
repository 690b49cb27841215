package engine_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// slowBuqruru is the second implementation of buqruru.
type slowBuqruru struct{ board }

func newSlowBuqruru(_, text string, limit int) slowMatch {
	b, _ := readBoard(text, limit, 1)
	return &slowBuqruru{b}
}

func (t *slowBuqruru) text() string {
	return fmt.Sprintf("%s opened=%s donkeys=%d-%d", t.head(strconv.Itoa(t.quiet)), players(t.opened), t.donkeys[0], t.donkeys[1])
}

// buqruruFillings returns the ways to fill a row with so many seeds: 6 in each of as
// many holes as possible, and what is left in one more.
func buqruruFillings(seeds int) []string {
	var found []string
	for a := range 7 {
		for b := range 7 {
			for c := range 7 {
				d := min(seeds, 24) - a - b - c
				if d < 0 || d > 6 {
					continue
				}
				broken := 0 // holes that are neither full nor empty
				for _, hole := range []int{a, b, c, d} {
					if hole != 0 && hole != 6 {
						broken++
					}
				}
				if broken <= 1 {
					found = append(found, fmt.Sprintf("fill=%d.%d.%d.%d", a, b, c, d))
				}
			}
		}
	}
	slices.Sort(found)
	return found
}

func (t *slowBuqruru) legal() []string {
	switch t.phase {
	case "fill":
		return buqruruFillings(t.store[t.mover])
	case "sow":
		var tokens []string
		for hole, seeds := range t.holes {
			if hole/4 == t.mover && seeds > 0 {
				tokens = append(tokens, ring4[hole:hole+1])
			}
		}
		if len(tokens) == 0 {
			tokens = []string{"pass"}
		}
		return tokens
	}
	return nil
}

func (t *slowBuqruru) play(token string) {
	if fill, ok := strings.CutPrefix(token, "fill="); ok {
		t.met["fill by "+playerName(t.mover)]++
		t.fill(t.mover, fill)
		t.beginSowing(t.text)
		return
	}
	if token == "pass" {
		t.met["pass"]++
	} else {
		t.sow(strings.Index(ring4, token))
	}
	t.mover = 1 - t.mover

	switch {
	case t.inRow(0) == 0 && t.inRow(1) == 0:
		t.finish("normal")
	case t.quiet == 100:
		t.met["quiet"]++
		t.finish("cycle")
	case t.repeats(t.moment()):
		t.met["repetition"]++
		t.finish("cycle")
	}
}

// onward returns the next hole in the direction of the mover.
func (t *slowBuqruru) onward(hole int) int {
	if t.mover == 0 {
		return (hole + 1) % 8
	}
	return (hole + 7) % 8
}

// back returns the hole before, against that direction.
func (t *slowBuqruru) back(hole int) int {
	if t.mover == 0 {
		return (hole + 7) % 8
	}
	return (hole + 1) % 8
}

// sow sows and captures.
func (t *slowBuqruru) sow(from int) {
	hand := t.holes[from]
	t.holes[from] = 0
	last := from
	for hand > 0 {
		last = t.onward(last)
		t.holes[last]++
		hand--
		if last == from {
			t.met["a lap"]++
		}
	}
	t.quiet++
	first := !t.opened[t.mover]
	t.opened[t.mover] = true
	if !t.takes(last) {
		if t.holes[last] > 8 && t.holes[last]%2 == 0 {
			t.met["ten or more"]++
		}
		return
	}
	if first {
		t.met["the first sowing"]++
		return
	}
	t.quiet = 0
	others := t.inRow(1-t.mover) > 0
	taken := 0
	for hole := last; ; hole = t.back(hole) {
		if !t.takes(hole) {
			switch {
			case taken == 1:
				t.met["no chain"]++
			case t.holes[hole] == 0:
				t.met["a chain ends at an empty hole"]++
			case t.holes[hole] > 8:
				t.met["a chain ends at nine or more"]++
			default:
				t.met["a chain ends at an odd hole"]++
			}
			break
		}
		t.met[fmt.Sprintf("captured %d", t.holes[hole])]++
		if hole/4 == t.mover {
			t.met["captured from the own row"]++
		} else {
			t.met["captured from the other row"]++
		}
		if taken > 0 {
			t.met["a chain"]++
			if t.onward(hole)/4 != hole/4 {
				t.met["a chain into the other row"]++
			}
		}
		if hole == from {
			t.met["captured where it began"]++
		}
		t.store[t.mover] += t.holes[hole]
		t.holes[hole] = 0
		taken++
	}
	if others && t.inRow(1-t.mover) == 0 {
		t.met["the other row emptied"]++
		if t.inRow(t.mover) == 0 {
			t.met["the board emptied"]++
		}
	}
}

// takes reports whether a hole holds a number of seeds that is captured.
func (t *slowBuqruru) takes(hole int) bool {
	switch t.holes[hole] {
	case 2, 4, 6, 8:
		return true
	}
	return false
}

// finish ends a round. It then sets up the next one, unless the match is over.
func (t *slowBuqruru) finish(end string) {
	t.met["round "+end]++
	t.sweep()
	out := -1
	for player, seeds := range t.store {
		// The holes that the store could fill, one by one.
		filled := 0
		for seeds > 0 && filled < 4 {
			seeds -= 6
			filled++
		}
		switch 4 - filled {
		case 4:
			t.donkeys[1-player] += 2
			out = player
			t.met["out"]++
			if t.round >= t.limit {
				t.met["out in the last round"]++
			}
		case 3:
			t.donkeys[1-player]++
			t.met["a donkey for three"]++
		case 2:
			t.donkeys[1-player]++
			t.met["a donkey for two"]++
		}
	}
	switch {
	case out >= 0:
		t.phase, t.end = "over", end
	case t.round >= t.limit:
		t.met["the limit of rounds"]++
		t.phase, t.end = "over", "rounds"
	}
	t.ended = append(t.ended, slowRound{t.began, t.text(), end})
	if t.phase == "over" {
		_, result, _ := t.outcome()
		t.met["result "+result]++
		more := t.store[0] > t.store[1] && result == "north" || t.store[1] > t.store[0] && result == "south"
		if more {
			t.met["donkeys before seeds"]++
		}
		if t.donkeys[0] == t.donkeys[1] && t.donkeys[0] > 0 {
			t.met["equal donkeys"]++
		}
		return
	}

	t.nextRound()
	t.richerFirst()
	chooser := -1
	for player := range t.store {
		if fillings := buqruruFillings(t.store[player]); len(fillings) > 1 {
			chooser = player
		} else {
			t.fill(player, strings.TrimPrefix(fillings[0], "fill="))
		}
	}
	if chooser < 0 {
		t.beginSowing(t.text)
		return
	}
	s := t.store[chooser]
	switch {
	case s < 6:
		t.met["fewer than 6 to fill with"]++
	case s%6 == 0:
		t.met["only full holes"]++
	case s > 18:
		t.met["no hole left empty"]++
	}
	t.phase, t.mover = "fill", chooser
}

func (t *slowBuqruru) forgetful() slowMatch {
	return &slowBuqruru{t.board.forgetful()}
}

func finerBuqruru(string) []string {
	return []string{
		"pass", "a lap", "the first sowing", "ten or more",
		"captured 2", "captured 4", "captured 6", "captured 8",
		"captured from the own row", "captured from the other row", "captured where it began",
		"no chain", "a chain", "a chain into the other row",
		"a chain ends at an empty hole", "a chain ends at nine or more", "a chain ends at an odd hole",
		"the other row emptied", "the board emptied",
		"round normal", "round cycle", "quiet", "repetition",
		"fill by South", "fill by North", "fewer than 6 to fill with", "only full holes",
		"no hole left empty", "equal stores",
		"a donkey for two", "a donkey for three", "out", "out in the last round", "the limit of rounds",
		"donkeys before seeds", "equal donkeys",
		"result south", "result north", "result draw",
	}
}

func anywhereBuqruru(_ string, random *splitmix) string {
	t := slowBuqruru{newBoard(4, random)}
	if random.below(3) == 0 {
		t.round = 8 // the last one at the usual limit
	}
	// In most rounds nobody owes a donkey, and in no round do both players.
	for before := 1; before < t.round; before++ {
		if random.below(3) == 0 {
			t.donkeys[random.below(2)]++
		}
	}
	if t.round > 1 && random.below(3) == 0 {
		even := min(t.donkeys[0], t.donkeys[1])
		t.donkeys = [2]int{even, even}
	}
	if t.round > 1 && random.below(8) == 0 {
		t.phase = "fill"
		t.first = 1 - t.mover
		for fromLeft := range 4 {
			t.holes[4*t.first+fromLeft] = 6
		}
		t.store[t.mover] = 1 + random.below(23)
		t.store[t.first] = 24 - t.store[t.mover]
		return t.text()
	}
	var seeds int
	switch random.below(4) {
	case 0:
		seeds = 1 + random.below(4)
	case 1:
		seeds = 48 - random.below(24)
	default:
		seeds = 1 + random.below(24)
	}
	t.dropSome(seeds, random)
	south := random.below(48 - seeds + 1)
	if random.below(2) == 0 { // close to a draw, or to being out
		draw, few := 24-random.below(1+min(seeds, 24)), random.below(7)
		south = min(48-seeds, draw)
		if random.below(2) == 1 {
			south = min(48-seeds, few)
		}
	}
	if seeds <= 12 && random.below(2) == 0 { // no seed so far: the next capture decides about being out
		south = 0
	} else if seeds <= 12 && random.below(3) == 0 { // a draw, if South ends with all that is left
		south = 24 - seeds
		even := min(t.donkeys[0], t.donkeys[1])
		t.donkeys = [2]int{even, even}
	}
	t.store = [2]int{south, 48 - seeds - south}
	if random.below(2) == 0 {
		t.store = [2]int{t.store[1], t.store[0]}
	}
	t.opened = [2]bool{random.below(4) > 0, random.below(4) > 0}
	switch random.below(8) {
	case 0:
		t.quiet = 80 + random.below(20)
	case 1:
		t.quiet = 97 + random.below(3)
	}
	return t.text()
}
