package engine_test

import (
	"fmt"
	"strings"
)

// slowKalah is the second implementation of kalah. Its places are both rows, each with its owner's store behind it.
type slowKalah struct {
	logbook
	rows  [2][]int // South's from South's left, and North's
	store [2]int
	mover int // 0 is South, 1 North
	quiet int
	over  bool
	swap  bool   // North may still swap
	name  string // of the ruleset, with its switches
}

func newSlowKalah(ruleset, text string, _ int) slowMatch {
	t := &slowKalah{logbook: logbook{began: text, met: map[string]int{}, seen: map[string]bool{}}, name: ruleset}
	fields := strings.Fields(text)
	for player, row := range strings.Split(fields[0], "/") {
		for seeds := range strings.SplitSeq(row, ",") {
			t.rows[player] = append(t.rows[player], number(seeds))
		}
	}
	t.store = numbers(fields[1])
	t.mover = strings.Index("SN", fields[2])
	t.over = fields[3] == "over"
	t.quiet = number(fields[5])
	t.swap = strings.HasSuffix(text, "swap=N")
	return t
}

// has reports whether the name of the ruleset has a switch.
func (t *slowKalah) has(name string) bool { return strings.Contains(t.name+"-", "-"+name+"-") }

func (t *slowKalah) text() string {
	row := func(player int) string {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(t.rows[player]), " ", ","), "[]")
	}
	phase := "sow"
	if t.over {
		phase = "over"
	}
	text := fmt.Sprintf("%s/%s %d-%d %c %s 1 %d", row(0), row(1), t.store[0], t.store[1], "SN"[t.mover], phase, t.quiet)
	switch {
	case !t.has("swap"):
		return text
	case t.swap:
		return text + " swap=N"
	}
	return text + " swap=-"
}

func (t *slowKalah) names() string {
	if t.mover == 0 {
		return "ABCDEFGHIJKL"
	}
	return "abcdefghijkl"
}

func (t *slowKalah) legal() (tokens []string) {
	for hole, seeds := range t.rows[t.mover] {
		if seeds > 0 && !t.over {
			tokens = append(tokens, t.names()[hole:hole+1])
		}
	}
	if t.swap && t.mover == 1 {
		tokens = append(tokens, "swap")
	}
	return tokens
}

func (t *slowKalah) play(token string) {
	if token == "swap" {
		t.met["swap"]++
		t.rows[0], t.rows[1] = t.rows[1], t.rows[0]
		t.store[0], t.store[1] = t.store[1], t.store[0]
		t.mover, t.swap = 0, false
		t.finish(false)
		return
	}
	me, own, other := t.mover, t.rows[t.mover], t.rows[1-t.mover]
	from := strings.Index(t.names(), token)
	hand, at, before := own[from], from, t.store[me]
	if hand > 2*len(own) {
		t.met["a lap"]++
	}
	own[from] = 0
	for ; hand > 0; hand-- {
		at++
		if at > 2*len(own) {
			at = 0
		}
		switch {
		case at < len(own):
			own[at]++
		case at == len(own):
			t.store[me]++
		default:
			other[at-len(own)-1]++
		}
	}
	if at < len(own) && own[at] == 1 {
		facing := len(own) - 1 - at
		switch {
		case other[facing] == 0 && t.has("empty-capture"):
			t.met["empty capture"]++
			t.store[me]++
			own[at] = 0
		case other[facing] == 0:
			t.met["nothing opposite"]++
		default:
			t.met["capture"]++
			t.store[me] += 1 + other[facing]
			own[at], other[facing] = 0, 0
			if at == from {
				t.met["capture at the origin"]++
			}
		}
	}
	t.quiet++
	if t.store[me] > before {
		t.quiet = 0
	}
	switch {
	case t.swap && me == 0:
		if at == len(own) {
			t.met["not again"]++
		}
		t.mover = 1
		at = -1
	case at == len(own):
		t.met["again"]++
	default:
		t.mover = 1 - me
	}
	if me == 1 {
		t.swap = false
	}
	t.finish(at == len(own))
}

// finish ends the match if it is over after a ply, which may have earned another one.
func (t *slowKalah) finish(again bool) {
	var left [2]int
	for player, row := range t.rows {
		for _, seeds := range row {
			left[player] += seeds
		}
	}
	total := left[0] + left[1] + t.store[0] + t.store[1]
	decided := 2*t.store[0] > total || 2*t.store[1] > total
	switch {
	case decided && !t.has("full"):
		t.end = "early"
	case t.has("stuck") && left[t.mover] == 0, !t.has("stuck") && left[0]*left[1] == 0:
		t.end = "normal"
	case t.quiet == 100:
		t.end = "cycle"
	default:
		if decided {
			t.met["played on"]++
		}
		if left[1-t.mover] == 0 {
			t.met["not stuck"]++
		}
		return
	}
	t.over, t.swap = true, false
	if again {
		t.met["over after a last seed in the store"]++
	}
	if t.end != "early" {
		for player, row := range t.rows {
			t.store[player] += left[player]
			clear(row)
		}
	}
	t.ended = []slowRound{{t.began, t.text(), t.end}}
}

func (t *slowKalah) outcome() (end, result string, over bool) {
	return t.end, larger(t.store), t.over
}

func (t *slowKalah) forgetful() slowMatch {
	c := *t
	c.rows = [2][]int{append([]int(nil), t.rows[0]...), append([]int(nil), t.rows[1]...)}
	c.logbook = t.forgotten()
	return &c
}

// kalahSize returns the holes of a row and the seeds of the game.
func kalahSize(ruleset string) (holes, total int) {
	holes, seeds := 6, 4
	for part := range strings.SplitSeq(ruleset, "-") {
		if h, s, found := strings.Cut(part, "x"); found {
			holes, seeds = number(h), number(s)
		}
	}
	return holes, 2 * holes * seeds
}

func finerKalah(ruleset string) []string {
	t := slowKalah{name: ruleset}
	finer := []string{"again", "over after a last seed in the store"}
	holes, total := kalahSize(ruleset)
	if holes > 1 {
		finer = append(finer, "capture")
	}
	if holes > 1 && t.has("empty-capture") {
		finer = append(finer, "empty capture")
	} else if holes > 1 {
		finer = append(finer, "nothing opposite")
	}
	if total > 4*holes {
		finer = append(finer, "capture at the origin", "a lap")
	}
	if holes > 3 {
		finer = append(finer, "cycle")
	}
	if t.has("full") {
		finer = append(finer, "played on")
	}
	if t.has("stuck") {
		finer = append(finer, "not stuck")
	}
	if t.has("swap") {
		finer = append(finer, "swap", "not again")
	}
	return finer
}

// anywhereKalah returns the text of a random position.
func anywhereKalah(ruleset string, random *splitmix) string {
	t := slowKalah{name: ruleset}
	holes, total := kalahSize(ruleset)
	t.rows = [2][]int{make([]int, holes), make([]int, holes)}
	t.swap = t.has("swap") && random.below(2) == 0
	onBoard := 1 + random.below(total)
	if t.swap {
		onBoard = total - random.below(2)*random.below(total/2)
	}
	heavy := random.below(2 * holes)
	for range onBoard {
		hole := random.below(2 * holes)
		if random.below(3) == 0 {
			hole = heavy
		}
		t.rows[hole/holes][hole%holes]++
	}
	least := max(0, total/2-onBoard)
	south := least + random.below(min(total/2, total-onBoard)-least+1)
	if t.has("full") {
		south = random.below(total - onBoard + 1)
	}
	if t.swap {
		south = total - onBoard
	}
	t.store = [2]int{south, total - onBoard - south}
	t.mover = random.below(2)
	if random.below(2) == 0 {
		t.quiet = 95 + random.below(5)
	}
	if t.swap {
		t.quiet = 0
		if south > 0 {
			t.mover = 1
		}
	}
	if len(t.legal()) == 0 {
		t.mover = 1 - t.mover
	}
	return t.text()
}
