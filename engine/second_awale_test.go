package engine_test

import (
	"strconv"
	"strings"
)

// slowAwale is the second implementation of awale and oware. It tries every move out before it calls it legal.
type slowAwale struct {
	single
	oware bool
}

func newSlowAwale(ruleset, text string, _ int) slowMatch {
	s, _ := readSingle(text)
	t := &slowAwale{s, ruleset == "oware"}
	t.repeats(t.head(""))
	return t
}

// text returns the position text.
func (t *slowAwale) text() string { return t.head(strconv.Itoa(t.quiet)) }

// sow drops the seeds of a hole one by one and returns where the last one fell.
func (t *slowAwale) sow(hole int) int {
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
func (t *slowAwale) take(last int) int {
	taken := 0
	for hole := last; hole >= 0 && hole/6 != t.mover; hole-- {
		if t.holes[hole] != 2 && t.holes[hole] != 3 {
			break
		}
		taken += t.holes[hole]
		t.holes[hole] = 0
	}
	return taken
}

// legal returns the tokens of the legal moves.
func (t *slowAwale) legal() []string {
	var tokens []string
	if t.over {
		return nil
	}
	for hole, seeds := range t.holes {
		if hole/6 != t.mover || seeds == 0 {
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
func (t *slowAwale) play(token string) {
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
	case t.quiet == 100 || t.repeats(t.head("")):
		t.sweep("cycle")
	}
}

// sweep gives each player the seeds of their row, and ends the match.
func (t *slowAwale) sweep(end string) {
	t.collect()
	t.finish(end)
}

func (t *slowAwale) finish(end string) {
	t.over, t.end = true, end
	t.ended = []slowRound{{t.began, t.text(), end}}
}

func (t *slowAwale) forgetful() slowMatch {
	copied := *t
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
	t := slowAwale{single: single{holes: holes, store: [2]int{south, 48 - seeds - south}, mover: random.below(2)}}
	if random.below(4) == 0 {
		t.quiet = 80 + random.below(20)
	}
	return t.text()
}
