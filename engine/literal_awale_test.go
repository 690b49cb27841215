package engine_test

import (
	"strconv"
	"strings"
)

// awaleTelling is awale or oware told a second time, slowly and to the letter:
// every seed is dropped by itself, every move is tried out before it is called
// legal. It is written from RULES.md and the texts behind it and shares nothing
// with the package but strings, so that the two are unlikely to be wrong in the
// same way.
type awaleTelling struct {
	oware bool

	holes [12]int // A … F, then a … f: the way the seeds go
	store [2]int  // South's and North's
	mover int     // 0 is South, 1 North
	quiet int
	over  bool
	end   string // how it ended, once it is over
	begun string // the position that it began with

	seen map[awaleMoment]bool // of this match; nil: nobody looks for repetition
	met  map[string]int       // how often some of the finer rules spoke
}

// awaleMoment is what has to come back for a position to be repeated.
type awaleMoment struct {
	holes [12]int
	store [2]int
	mover int
}

const awaleRing = "ABCDEFabcdef"

// tellAwale begins a telling at a position text that has nothing wrong in it. A
// match is always a single round.
func tellAwale(ruleset, text string, _ int) telling {
	t := &awaleTelling{oware: ruleset == "oware", begun: text}
	fields := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" ,/-", c) })
	for i := range t.holes {
		t.holes[i] = number(fields[i])
	}
	t.store = [2]int{number(fields[12]), number(fields[13])}
	if fields[14] == "N" {
		t.mover = 1
	}
	t.over = fields[15] == "over"
	t.quiet = number(fields[17])
	t.seen = map[awaleMoment]bool{t.now(): true}
	t.met = map[string]int{}
	return t
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

func (t *awaleTelling) now() awaleMoment { return awaleMoment{t.holes, t.store, t.mover} }

// awaleOwner returns whose hole it is.
func awaleOwner(hole int) int {
	if hole < 6 {
		return 0
	}
	return 1
}

// inRow counts the seeds in a player's row.
func (t *awaleTelling) inRow(player int) int {
	sum := 0
	for hole, seeds := range t.holes {
		if awaleOwner(hole) == player {
			sum += seeds
		}
	}
	return sum
}

// sow drops the seeds of a hole one by one and returns where the last one fell.
func (t *awaleTelling) sow(hole int) int {
	hand := t.holes[hole]
	t.holes[hole] = 0
	at := hole
	for hand > 0 {
		at++
		if at == 12 {
			at = 0
		}
		if at == hole {
			continue
		}
		t.holes[at]++
		hand--
	}
	return at
}

// take takes what a sowing that ended there captures, without asking whether it
// may, and returns how much that is.
func (t *awaleTelling) take(last int) int {
	taken := 0
	for hole := last; hole >= 0 && awaleOwner(hole) != t.mover; hole-- {
		if t.holes[hole] != 2 && t.holes[hole] != 3 {
			break
		}
		taken += t.holes[hole]
		t.holes[hole] = 0
	}
	return taken
}

// legal returns the tokens of the legal moves.
func (t *awaleTelling) legal() []string {
	var tokens []string
	if t.over {
		return nil
	}
	for hole, seeds := range t.holes {
		if awaleOwner(hole) != t.mover || seeds == 0 {
			continue
		}
		tried := *t
		last := tried.sow(hole)
		if tried.inRow(1-t.mover) == 0 {
			t.met["feeding"]++
			continue
		}
		tried.take(last)
		if tried.inRow(1-t.mover) == 0 && !t.oware {
			t.met["grand slam"]++
			continue
		}
		tokens = append(tokens, awaleRing[hole:hole+1])
	}
	return tokens
}

// play plays a legal token.
func (t *awaleTelling) play(token string) {
	hole := strings.Index(awaleRing, token)
	if t.holes[hole] >= 12 {
		t.met["lap"]++
	}
	last := t.sow(hole)
	sown := t.holes
	taken := t.take(last)
	if t.inRow(1-t.mover) == 0 { // in oware
		t.met["grand slam"]++
		t.holes = sown
		taken = 0
	}
	t.store[t.mover] += taken
	t.quiet++
	if taken > 0 {
		t.quiet = 0
	}
	t.mover = 1 - t.mover

	switch {
	case t.store[0] > 24 || t.store[1] > 24:
		t.over, t.end = true, "early"
	case len(t.legal()) == 0:
		t.sweep("normal")
	case t.quiet == 100:
		t.sweep("cycle")
	case t.seen[t.now()]:
		t.sweep("cycle")
	case t.seen != nil:
		t.seen[t.now()] = true
	}
}

// sweep gives each player the own row.
func (t *awaleTelling) sweep(end string) {
	for player := range t.store {
		t.store[player] += t.inRow(player)
	}
	t.holes = [12]int{}
	t.over, t.end = true, end
}

// result returns who won.
func (t *awaleTelling) result() string {
	switch {
	case t.store[0] > t.store[1]:
		return "south"
	case t.store[1] > t.store[0]:
		return "north"
	}
	return "draw"
}

// text returns the position text.
func (t *awaleTelling) text() string {
	var b []byte
	for hole, seeds := range t.holes {
		b = strconv.AppendInt(b, int64(seeds), 10)
		b = append(b, ",,,,,/,,,,, "[hole])
	}
	b = strconv.AppendInt(b, int64(t.store[0]), 10)
	b = append(b, '-')
	b = strconv.AppendInt(b, int64(t.store[1]), 10)
	b = append(b, ' ', "SN"[t.mover])
	if t.over {
		b = append(b, " over 1 "...)
	} else {
		b = append(b, " sow 1 "...)
	}
	return string(strconv.AppendInt(b, int64(t.quiet), 10))
}

func (t *awaleTelling) outcome() (end, result string, over bool) {
	switch {
	case !t.over:
		return "", "", false
	case t.end != "":
		return t.end, t.result(), true
	case t.inRow(0)+t.inRow(1) > 0:
		return "early", t.result(), true
	}
	return "normal", t.result(), true
}

func (t *awaleTelling) rounds() []toldRound {
	if t.end == "" {
		return nil
	}
	return []toldRound{{t.begun, t.text(), t.end}}
}

func (t *awaleTelling) forgetful() telling {
	copied := *t
	copied.seen = nil
	copied.met = map[string]int{}
	return &copied
}

func (t *awaleTelling) finer() map[string]int { return t.met }

func finerAwale(string) []string { return []string{"lap", "feeding", "grand slam"} }

// anywhereAwale returns the text of a random position that has yet to be
// played.
func anywhereAwale(_ string, random *splitmix) string {
	var holes [12]int
	seeds := 1 + random.below(24)
	heavy := random.below(12)
	for range seeds {
		hole := random.below(12)
		if random.below(3) == 0 {
			hole = heavy
		}
		holes[hole]++
	}
	south := 24 - random.below(1+seeds)
	t := awaleTelling{holes: holes, store: [2]int{south, 48 - seeds - south}, mover: random.below(2)}
	if random.below(4) == 0 {
		t.quiet = 80 + random.below(20)
	}
	return t.text()
}
