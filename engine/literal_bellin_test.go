package engine_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// bellinTelling is the telling of buqruru-bellin and buqruru-ludii. Its closed holes are erased.
type bellinTelling struct {
	board
	ludii bool
	start [2]int // numbers of holes; -1: none
}

func tellBellin(ruleset, text string, limit int) telling {
	b, keys := readBoard(text, limit, 1)
	t := &bellinTelling{board: b, ludii: ruleset == "buqruru-ludii"}
	south, north, _ := strings.Cut(keys["start"], ",")
	t.start = [2]int{strings.Index(ring4, south), strings.Index(ring4, north)} // "-" is at -1
	t.seen = map[string]bool{t.unquiet(): true}
	return t
}

// describe returns the position text, with that text in the place of its quiet count.
func (t *bellinTelling) describe(quiet string) string {
	starts := []string{"-", "-"}
	for player, hole := range t.start {
		if hole >= 0 {
			starts[player] = t.letter(hole)
		}
	}
	return fmt.Sprintf("%s opened=%s start=%s donkeys=%d-%d", t.head(quiet), players(t.opened), strings.Join(starts, ","),
		t.donkeys[0], t.donkeys[1])
}

func (t *bellinTelling) text() string { return t.describe(strconv.Itoa(t.quiet)) }

// unquiet is the part of a position that has to come back for a repetition.
func (t *bellinTelling) unquiet() string { return t.describe("") }

func (t *bellinTelling) forgetful() telling {
	return &bellinTelling{t.board.forgetful(), t.ludii, t.start}
}

// emptyStart reports whether a player has no seed in the start hole, or no start hole.
func (t *bellinTelling) emptyStart(player int) bool {
	return t.start[player] < 0 || t.holes[t.start[player]] == 0
}

func (t *bellinTelling) open() int {
	n := 0
	for _, erased := range t.closed {
		if !erased {
			n++
		}
	}
	return n
}

// step returns the next hole that is not erased, in the direction of the mover (1) or against it (-1).
func (t *bellinTelling) step(hole, way int) int {
	if t.mover == 1 && !t.ludii {
		way = -way
	}
	for {
		hole += way
		if hole < 0 {
			hole = 7
		}
		if hole > 7 {
			hole = 0
		}
		if !t.closed[hole] {
			return hole
		}
	}
}

func (t *bellinTelling) legal() []string {
	var tokens []string
	switch t.phase {
	case "fill":
		tokens = buqruruFillings(t.store[t.mover])
	case "start":
		for hole, seeds := range t.holes {
			if t.owner(hole) == t.mover && seeds > 0 {
				tokens = append(tokens, "start="+ring4[hole:hole+1])
			}
		}
	case "sow":
		if t.emptyStart(t.mover) {
			return []string{"pass"}
		}
		hole := t.start[t.mover]
		letter, seeds := ring4[hole:hole+1], t.holes[hole]
		if t.ludii {
			for each := 1; each <= 4; each++ {
				if seeds%each == 0 {
					tokens = append(tokens, letter+strconv.Itoa(each))
				}
			}
		} else {
			for _, digits := range bellinLaps(seeds, seeds > 6, t.open()) {
				tokens = append(tokens, letter+digits)
			}
		}
	}
	slices.Sort(tokens)
	return tokens
}

// bellinLaps returns every way to choose, lap by lap, how many seeds each hole gets.
func bellinLaps(hand int, large bool, open int) []string {
	if hand <= 0 {
		return []string{""}
	}
	var all []string
	for each := 1; each <= 4; each++ {
		if each > hand || each > 1 && !large {
			break
		}
		for _, rest := range bellinLaps(hand-each*open, large, open) {
			all = append(all, strconv.Itoa(each)+rest)
		}
	}
	return all
}

func (t *bellinTelling) play(token string) {
	stores := t.store
	switch t.phase {
	case "fill":
		t.fill(strings.TrimPrefix(token, "fill="))
	case "start":
		t.choose(strings.TrimPrefix(token, "start="))
	case "sow":
		if token == "pass" {
			t.met["pass"]++
			if t.start[t.mover] < 0 && t.inRow(t.mover) > 0 {
				t.met["pass without a start hole, with seeds"]++
			}
		} else {
			t.sowAndTake(token)
			t.quiet++
			if t.store != stores {
				t.quiet = 0
			}
		}
		t.mover = 1 - t.mover
	}
	if t.store != stores && t.seen != nil {
		t.seen = map[string]bool{}
	}

	left := t.inRow(0) + t.inRow(1)
	switch {
	case left <= 1:
		t.met[strconv.Itoa(left)+" left"]++
		t.finish("normal")
		return
	case t.quiet == 100:
		t.met["quiet"]++
		t.finish("cycle")
		return
	}
	if t.emptyStart(0) && t.emptyStart(1) && t.phase == "sow" {
		t.met["start holes given up"]++
		t.start = [2]int{-1, -1}
		t.phase = "start"
		if t.inRow(t.mover) == 0 {
			t.met["the other chooses"]++
			t.mover = 1 - t.mover
		}
	}
	if t.repeats(t.unquiet()) {
		t.met["repetition"]++
		if t.phase == "start" {
			t.met["repetition in start"]++
		}
		t.finish("cycle")
	}
}

// fill fills a row for a new round and erases the holes that stay empty.
func (t *bellinTelling) fill(numbers string) {
	t.met["fill"]++
	t.board.fill(t.mover, numbers)
	t.closeEmpty(t.mover)
	if strings.Contains(numbers, "0") {
		t.met["erased"]++
	}
	t.begin()
}

// begin begins a round whose board has been set up.
func (t *bellinTelling) begin() {
	t.board.begin("start", t.text)
	if t.seen != nil {
		t.seen = map[string]bool{}
	}
}

// choose chooses a start hole.
func (t *bellinTelling) choose(letter string) {
	t.start[t.mover] = strings.Index(ring4, letter)
	other := 1 - t.mover
	switch {
	case t.start[other] >= 0: // the other chose first, so it sows first
		t.phase, t.mover = "sow", other
	case t.inRow(other) == 0: // the other does not choose
		t.met["no seed, no choice"]++
		t.phase = "sow"
	default:
		t.mover = other
	}
}

// sowAndTake plays a sowing and gives both players what they take.
func (t *bellinTelling) sowAndTake(token string) {
	before := slices.Clone(t.holes)
	var touched [8]bool
	last := t.sow(token, &touched)

	if !t.opened[t.mover] {
		t.opened[t.mover] = true
		other := *t
		other.met = map[string]int{}
		if other.winners(before, touched, last) != bellinNobody {
			t.met["nothing in the first sowing"]++
		}
		return
	}
	for hole, player := range t.winners(before, touched, last) {
		if player >= 0 {
			t.note(hole, player, before)
			t.store[player] += t.holes[hole]
			t.holes[hole] = 0
		}
	}
}

// sow drops the seeds of the start hole, lap by lap, and returns the hole of the last one.
func (t *bellinTelling) sow(token string, touched *[8]bool) int {
	from := strings.Index(ring4, token[:1])
	hand := t.holes[from]
	if hand > 6 && !t.ludii {
		t.met["large"]++
	}
	t.holes[from] = 0
	at := from
	for lap := 1; ; lap++ {
		digit := token[1]
		if !t.ludii {
			digit = token[lap]
			if digit != token[1] {
				t.met["laps differ"]++
			}
		}
		each := int(digit - '0')
		if each > 1 {
			t.met["more than one"]++
		}
		for {
			next := t.step(at, 1)
			if (next-at+8)%8 != 1 && (at-next+8)%8 != 1 {
				t.met["passed over erased"]++
			}
			at = next
			touched[at] = true
			for drop := 1; drop <= each; drop++ {
				t.holes[at]++
				hand--
				if hand == 0 {
					if drop < each {
						t.met["last drop"]++
					}
					if touched[from] {
						t.met["lap"]++
						if at == from {
							t.met["ends in the start hole"]++
						}
					}
					return at
				}
			}
			if at == from {
				break
			}
		}
	}
}

// finish ends the round: each player takes the seeds in their own row, and donkeys
// are counted. It then sets up the next round, unless the match is over.
func (t *bellinTelling) finish(end string) {
	t.sweep()
	for player, seeds := range t.store {
		empty := 0 // holes that the store cannot fill
		for range 4 {
			if seeds <= 0 {
				empty++
			}
			seeds -= 6
		}
		switch empty {
		case 2, 3:
			t.met["a donkey"]++
			t.donkeys[1-player]++
		case 4:
			t.met["out"]++
			t.donkeys[1-player] += 2
		}
	}

	switch {
	case t.out() >= 0:
		t.end = end
		if t.round >= t.limit {
			t.met["out in the last round"]++
		}
		if loser := t.out(); t.donkeys[loser] > t.donkeys[1-loser] {
			t.met["out, with more donkeys"]++
		}
		t.phase = "over"
	case t.round >= t.limit:
		t.end, t.phase = "rounds", "over"
		switch {
		case t.donkeys[0] == t.donkeys[1] && t.store[0] == t.store[1]:
			t.met["drawn"]++
		case t.donkeys[0] == t.donkeys[1]:
			t.met["by the stores"]++
		case t.donkeys[0] > t.donkeys[1] == (t.store[0] > t.store[1]):
			t.met["by the donkeys"]++
		default:
			t.met["by the donkeys, against the stores"]++
		}
	}
	t.ended = append(t.ended, toldRound{start: t.began, last: t.text(), end: end})
	if t.phase != "over" {
		t.next()
	}
}

// next sets up the next round.
func (t *bellinTelling) next() {
	t.nextRound()
	t.richerFirst()
	t.start = [2]int{-1, -1}
	chooser := -1
	for player := range t.store {
		if t.store[player] < 24 {
			chooser = player
		} else {
			t.board.fill(player, "6.6.6.6")
		}
	}
	if chooser >= 0 {
		t.phase, t.mover = "fill", chooser
		return
	}
	t.begin()
	if t.seen != nil {
		t.seen[t.unquiet()] = true
	}
}
