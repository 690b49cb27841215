package engine_test

import (
	"strconv"
	"strings"
)

// awaleTelling is the telling of awale and oware. It tries every move out before it
// calls it legal.
type awaleTelling struct {
	logbook
	oware bool

	holes [12]int // A … F, then a … f: counter-clockwise
	store [2]int  // South's and North's
	mover int     // 0 is South, 1 North
	quiet int
	over  bool

	seen map[awaleMoment]bool // the positions of this match; nil to ignore repetition
}

// awaleMoment is the part of a position that has to come back for a repetition.
type awaleMoment struct {
	holes [12]int
	store [2]int
	mover int
}

func tellAwale(ruleset, text string, _ int) telling {
	t := &awaleTelling{logbook: logbook{began: text, met: map[string]int{}}, oware: ruleset == "oware"}
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
	return t
}

func (t *awaleTelling) now() awaleMoment { return awaleMoment{t.holes, t.store, t.mover} }

// awaleOwner returns the owner of a hole.
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

// take takes what a sowing that ended there would capture if every capture were
// legal, and returns the number of seeds.
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
		tokens = append(tokens, ring6[hole:hole+1])
	}
	return tokens
}

// play plays a legal token.
func (t *awaleTelling) play(token string) {
	hole := strings.Index(ring6, token)
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
		t.finish("early")
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

// sweep gives each player the seeds of their row, and ends the match.
func (t *awaleTelling) sweep(end string) {
	for player := range t.store {
		t.store[player] += t.inRow(player)
	}
	t.holes = [12]int{}
	t.finish(end)
}

func (t *awaleTelling) finish(end string) {
	t.over, t.end = true, end
	t.ended = []toldRound{{t.began, t.text(), end}}
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
		return t.end, larger(t.store), true
	case t.inRow(0)+t.inRow(1) > 0:
		return "early", larger(t.store), true
	}
	return "normal", larger(t.store), true
}

func (t *awaleTelling) forgetful() telling {
	copied := *t
	copied.seen = nil
	copied.logbook = t.forgotten()
	return &copied
}

func finerAwale(string) []string { return []string{"lap", "feeding", "grand slam"} }

// anywhereAwale returns the text of a random position.
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
