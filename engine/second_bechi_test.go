package engine_test

import (
	"slices"
	"strconv"
	"strings"
)

// slowBechi is the second implementation of bechi and bechi-2x3.
type slowBechi struct{ board }

// bechiRow is the number of holes in a row.
func bechiRow(ruleset string) int {
	switch ruleset {
	case "bechi":
		return 4
	case "bechi-2x3":
		return 3
	}
	panic(ruleset)
}

func newSlowBechi(_, text string, limit int) slowMatch {
	b, _ := readBoard(text, limit, 6)
	return &slowBechi{b}
}

func (t *slowBechi) text() string { return t.head(strconv.Itoa(t.quiet)) }

// sowings returns by its token what a player could sow, also out of turn: the hole,
// and the direction, which is 1 counter-clockwise and -1 clockwise.
func (t *slowBechi) sowings(player int) map[string][2]int {
	found := map[string][2]int{}
	for fromLeft := range t.row() {
		hole := player*t.row() + fromLeft
		if t.closed[hole] || t.holes[hole] < 2 {
			continue
		}
		fromRight := t.row() - 1 - fromLeft
		switch {
		case fromLeft < fromRight:
			found[t.letter(hole)] = [2]int{hole, -1}
		case fromRight < fromLeft:
			found[t.letter(hole)] = [2]int{hole, 1}
		default:
			found[t.letter(hole)+"+"] = [2]int{hole, 1}
			found[t.letter(hole)+"-"] = [2]int{hole, -1}
		}
	}
	return found
}

// fillings returns the ways in which a player's seeds can fill holes with 6 each, as many holes as possible.
func (t *slowBechi) fillings(player int) []string {
	fills := []string{""}
	for range t.row() {
		var longer []string
		for _, fill := range fills {
			longer = append(longer, fill+".0", fill+".6")
		}
		fills = longer
	}
	most := min(t.store[player]/6, t.row())
	var found []string
	for _, fill := range fills {
		if strings.Count(fill, "6") == most {
			found = append(found, "fill="+fill[1:])
		}
	}
	return found
}

func (t *slowBechi) legal() []string {
	var tokens []string
	switch t.phase {
	case "fill":
		tokens = t.fillings(t.mover)
	case "sow":
		for token := range t.sowings(t.mover) {
			tokens = append(tokens, token)
		}
		if len(tokens) == 0 {
			tokens = []string{"pass"}
		}
		for hole, seeds := range t.holes {
			if t.owner(hole) == t.mover && seeds == 1 {
				t.met["a single seed"]++
			}
		}
	}
	slices.Sort(tokens)
	return tokens
}

func (t *slowBechi) play(token string) {
	if fill, ok := strings.CutPrefix(token, "fill="); ok {
		t.met["fill by "+playerName(t.mover)]++
		t.fill(t.mover, fill)
		t.beginSowing(t.text)
		return
	}
	if token == "pass" {
		t.met["pass"]++
	} else {
		sowing, ok := t.sowings(t.mover)[token]
		if !ok {
			panic(token)
		}
		t.sow(sowing[0], sowing[1])
	}
	t.mover = 1 - t.mover

	switch {
	case len(t.sowings(0)) == 0 && len(t.sowings(1)) == 0:
		t.finish("normal")
	case t.quiet == 100:
		t.met["quiet"]++
		t.finish("cycle")
	case t.repeats(t.moment()):
		t.met["repetition"]++
		t.finish("cycle")
	}
}

// next returns the next hole in a direction that is not closed.
func (t *slowBechi) next(hole, direction int) int {
	for {
		hole += direction
		if hole == 2*t.row() {
			hole = 0
		}
		if hole < 0 {
			hole = 2*t.row() - 1
		}
		if !t.closed[hole] {
			return hole
		}
	}
}

// way returns the word for a direction.
func way(direction int) string {
	if direction == 1 {
		return "counter-clockwise"
	}
	return "clockwise"
}

// sow sows and captures.
func (t *slowBechi) sow(from, direction int) {
	if from%t.row() == t.row()-1-from%t.row() {
		t.met["the middle, "+way(direction)]++
	}
	if t.marked[from] {
		t.met["begun there again"]++
	}
	t.marked[from] = true
	hand := t.holes[from]
	t.holes[from] = 0
	last := from
	t.holes[last]++
	hand--
	for hand > 0 {
		before := last
		last = t.next(last, direction)
		if t.apart(before, last, direction) {
			t.met["sown over a closed hole"]++
		}
		t.holes[last]++
		hand--
		if last == from {
			t.met["a lap"]++
		}
	}
	t.quiet++
	if t.holes[last]%2 == 1 {
		t.met["odd, not captured"]++
		return
	}
	if !t.marked[last] {
		t.met["not marked, not captured"]++
		return
	}
	if last == from {
		t.met["captured where it began"]++
	}
	// Every hole on the way is empty once it is taken, so the chain must end.
	for hole := last; ; {
		t.met["captured from "+t.whose(hole)]++
		t.store[t.mover] += t.holes[hole]
		t.holes[hole] = 0
		t.quiet = 0
		following := t.next(hole, direction)
		skipped := t.apart(hole, following, direction)
		if t.holes[following] == 0 {
			t.met["a chain ends at an empty hole"]++
			return
		}
		if t.holes[following]%2 == 1 {
			t.met["a chain ends at an odd hole"]++
			return
		}
		if !t.marked[following] {
			t.met["a chain ends at a hole not marked"]++
			return
		}
		t.met["a chain "+way(direction)]++
		if skipped {
			t.met["a chain over a closed hole"]++
		}
		if hole/t.row() != following/t.row() {
			t.met["a chain into the other row"]++
		}
		hole = following
	}
}

// apart reports whether a closed hole lies between two successive holes.
func (t *slowBechi) apart(hole, following, direction int) bool {
	return (hole+direction+2*t.row())%(2*t.row()) != following
}

func (t *slowBechi) whose(hole int) string {
	if hole/t.row() == t.mover {
		return "the own row"
	}
	return "the other row"
}

// finish ends a round. It then sets up the next one, unless the match is over.
func (t *slowBechi) finish(end string) {
	t.met["round "+end]++
	if t.inRow(0)+t.inRow(1) > 0 {
		t.met["swept "+end]++
	}
	t.sweep()
	out := t.out()
	switch {
	case out >= 0:
		t.met["out"]++
		if t.round >= t.limit {
			t.met["out in the last round"]++
		}
		t.phase, t.end = "over", end
	case t.round >= t.limit:
		t.met["the limit of rounds"]++
		t.phase, t.end = "over", "rounds"
	}
	t.ended = append(t.ended, slowRound{t.began, t.text(), end})
	if t.phase == "over" {
		_, result, _ := t.outcome()
		t.met["result "+result]++
		return
	}

	t.nextRound()
	t.first = 1 - t.first
	chooser := -1
	for player := range t.store {
		if fillings := t.fillings(player); len(fillings) > 1 {
			chooser = player
		} else {
			t.fill(player, strings.TrimPrefix(fillings[0], "fill="))
			if t.store[player] > 0 {
				t.met["surplus"]++
			}
		}
	}
	if chooser < 0 {
		t.met["nobody chooses"]++
		t.beginSowing(t.text)
		return
	}
	if chooser == t.first {
		t.met["who chooses begins"]++
	} else {
		t.met["the other begins"]++
	}
	t.phase, t.mover = "fill", chooser
}

// fill fills a row from its store, and closes the holes that stay empty.
func (t *slowBechi) fill(player int, fill string) {
	t.board.fill(player, fill)
	t.closeEmpty(player)
	if strings.Contains(fill, "0") && t.store[player] > 0 {
		t.met["surplus beside a closed hole"]++
	}
}

func (t *slowBechi) forgetful() slowMatch {
	return &slowBechi{t.board.forgetful()}
}

// finerBechi leaves out repetition. It takes six plies in a row that no random match
// finds, but the worked cases have it.
func finerBechi(ruleset string) []string {
	finer := []string{
		"a single seed", "pass", "a lap", "sown over a closed hole", "begun there again",
		"odd, not captured", "not marked, not captured", "captured where it began",
		"captured from the own row", "captured from the other row",
		"a chain clockwise", "a chain counter-clockwise",
		"a chain into the other row", "a chain over a closed hole",
		"a chain ends at an empty hole", "a chain ends at an odd hole", "a chain ends at a hole not marked",
		"round normal", "round cycle", "quiet", "swept normal", "swept cycle",
		"nobody chooses", "fill by South", "fill by North", "surplus", "surplus beside a closed hole",
		"who chooses begins", "the other begins",
		"out", "out in the last round", "the limit of rounds",
		"result south", "result north", "result draw",
	}
	if bechiRow(ruleset) == 3 {
		finer = append(finer, "the middle, clockwise", "the middle, counter-clockwise")
	}
	return finer
}

func anywhereBechi(ruleset string, random *splitmix) string {
	n := bechiRow(ruleset)
	all := 12 * n
	t := slowBechi{newBoard(n, random)}
	if random.below(3) == 0 {
		t.round = 8 // the last one at the usual limit
	}
	if t.round > 1 && random.below(8) == 0 {
		t.phase = "fill"
		chooser := t.mover
		t.store[chooser] = 6 + random.below(6*n-6)
		for fromLeft := range n {
			t.holes[(1-chooser)*n+fromLeft] = 6
		}
		t.store[1-chooser] = all - 6*n - t.store[chooser]
		return t.text()
	}
	if t.round > 1 && random.below(2) == 0 {
		// One row has closed holes, at least one of its holes is open.
		player := random.below(2)
		open := random.below(n)
		for fromLeft := range n {
			t.closed[player*n+fromLeft] = fromLeft != open && random.below(2) == 0
		}
	}
	var seeds int
	switch random.below(4) {
	case 0:
		seeds = 1 + random.below(6)
	case 1:
		seeds = all - random.below(all/2)
	default:
		seeds = 1 + random.below(all/2)
	}
	t.dropSome(seeds, random)
	for hole := range t.marked {
		t.marked[hole] = !t.closed[hole] && random.below(4) > 0
	}
	south := random.below(all - seeds + 1)
	if random.below(2) == 0 { // close to a draw, or to being out
		draw, few := all/2-random.below(1+min(seeds, all/2)), random.below(7)
		south = min(all-seeds, draw)
		if random.below(2) == 1 {
			south = min(all-seeds, few)
		}
	}
	t.store = [2]int{south, all - seeds - south}
	if random.below(2) == 0 {
		t.store = [2]int{t.store[1], t.store[0]}
	}
	switch random.below(8) {
	case 0:
		t.quiet = 80 + random.below(20)
	case 1, 2: // captures are so frequent that few more will be quiet
		t.quiet = 97 + random.below(3)
	}
	return t.text()
}
