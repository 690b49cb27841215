package engine_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// bechiTelling is the telling of bechi and bechi-2x3.
type bechiTelling struct {
	logbook
	n     int // holes in a row
	limit int // the limit of rounds

	holes  []int // South's from South's left, then North's from North's left
	closed []bool
	marked []bool
	store  [2]int // South's and North's
	mover  int    // 0 is South, 1 is North; in a filling, who chooses
	phase  string
	round  int
	quiet  int
	first  int // who began the round

	seen map[string]bool // the positions of this round; nil to ignore repetition
}

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

func tellBechi(ruleset, text string, limit int) telling {
	n := bechiRow(ruleset)
	t := &bechiTelling{n: n, limit: limit, logbook: logbook{met: map[string]int{}}}
	fields := strings.Split(text, " ")
	for _, row := range strings.Split(fields[0], "/") {
		for _, hole := range strings.Split(row, ",") {
			count, marked := strings.CutSuffix(hole, "*")
			seeds := 0
			if count != "x" {
				seeds = number(count)
			}
			t.holes = append(t.holes, seeds)
			t.closed = append(t.closed, count == "x")
			t.marked = append(t.marked, marked)
		}
	}
	t.store = numbers(fields[1])
	t.mover = strings.Index("SN", fields[2])
	t.phase = fields[3]
	t.round = number(fields[4])
	t.quiet = number(fields[5])
	t.first = strings.Index("SN", strings.TrimPrefix(fields[6], "first="))
	switch t.phase {
	case "sow":
		t.seen = map[string]bool{t.moment(): true}
		t.began = t.text()
	case "fill":
		t.seen = map[string]bool{}
	case "over":
		t.end = "rounds"
		if t.out() >= 0 {
			t.end = "normal"
		}
	}
	return t
}

func (t *bechiTelling) text() string {
	var b strings.Builder
	for hole, seeds := range t.holes {
		switch hole {
		case 0:
		case t.n:
			b.WriteString("/")
		default:
			b.WriteString(",")
		}
		if t.closed[hole] {
			b.WriteString("x")
			continue
		}
		b.WriteString(strconv.Itoa(seeds))
		if t.marked[hole] {
			b.WriteString("*")
		}
	}
	fmt.Fprintf(&b, " %d-%d %c %s %d %d first=%c", t.store[0], t.store[1],
		"SN"[t.mover], t.phase, t.round, t.quiet, "SN"[t.first])
	return b.String()
}

// moment is the part of a position that has to come back for a repetition. The other
// parts cannot change within a round.
func (t *bechiTelling) moment() string {
	return fmt.Sprint(t.holes, t.marked, t.store, t.mover)
}

func (t *bechiTelling) row(player int) []int {
	return t.holes[player*t.n : (player+1)*t.n]
}

func bechiSum(holes []int) int {
	sum := 0
	for _, seeds := range holes {
		sum += seeds
	}
	return sum
}

// letter names a hole.
func (t *bechiTelling) letter(hole int) string {
	return map[int]string{3: ring3, 4: ring4}[t.n][hole : hole+1]
}

// sowings returns by its token what a player could sow, also out of turn: the hole,
// and the direction, which is 1 counter-clockwise and -1 clockwise.
func (t *bechiTelling) sowings(player int) map[string][2]int {
	found := map[string][2]int{}
	for fromLeft := range t.n {
		hole := player*t.n + fromLeft
		if t.closed[hole] || t.holes[hole] < 2 {
			continue
		}
		fromRight := t.n - 1 - fromLeft
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

// fillings returns the ways in which a player's seeds can fill holes with 6 each, as
// many holes as possible.
func (t *bechiTelling) fillings(player int) []string {
	fills := []string{""}
	for range t.n {
		var longer []string
		for _, fill := range fills {
			longer = append(longer, fill+".0", fill+".6")
		}
		fills = longer
	}
	most := min(t.store[player]/6, t.n)
	var found []string
	for _, fill := range fills {
		if strings.Count(fill, "6") == most {
			found = append(found, "fill="+fill[1:])
		}
	}
	return found
}

func (t *bechiTelling) legal() []string {
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
		for _, seeds := range t.row(t.mover) {
			if seeds == 1 {
				t.met["a single seed"]++
			}
		}
	}
	slices.Sort(tokens)
	return tokens
}

func (t *bechiTelling) play(token string) {
	if fill, ok := strings.CutPrefix(token, "fill="); ok {
		t.met["fill by "+[]string{"South", "North"}[t.mover]]++
		t.fill(t.mover, fill)
		t.begin()
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
	case t.seen[t.moment()]:
		t.met["repetition"]++
		t.finish("cycle")
	case t.seen != nil:
		t.seen[t.moment()] = true
	}
}

// next returns the next hole in a direction that is not closed.
func (t *bechiTelling) next(hole, direction int) int {
	for {
		hole += direction
		if hole == 2*t.n {
			hole = 0
		}
		if hole < 0 {
			hole = 2*t.n - 1
		}
		if !t.closed[hole] {
			return hole
		}
	}
}

// sow sows and captures.
func (t *bechiTelling) sow(from, direction int) {
	if from%t.n == t.n-1-from%t.n {
		t.met["the middle, "+map[int]string{1: "counter-clockwise", -1: "clockwise"}[direction]]++
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
		t.met["a chain "+map[int]string{1: "counter-clockwise", -1: "clockwise"}[direction]]++
		if skipped {
			t.met["a chain over a closed hole"]++
		}
		if hole/t.n != following/t.n {
			t.met["a chain into the other row"]++
		}
		hole = following
	}
}

// apart reports whether a closed hole lies between two successive holes.
func (t *bechiTelling) apart(hole, following, direction int) bool {
	return (hole+direction+2*t.n)%(2*t.n) != following
}

func (t *bechiTelling) whose(hole int) string {
	if hole/t.n == t.mover {
		return "the own row"
	}
	return "the other row"
}

// out returns the player who cannot fill a single hole, or -1.
func (t *bechiTelling) out() int {
	for player, seeds := range t.store {
		if seeds < 6 {
			return player
		}
	}
	return -1
}

// finish ends a round. It then sets up the next one, unless the match is over.
func (t *bechiTelling) finish(end string) {
	t.met["round "+end]++
	for player := range t.store {
		row := t.row(player)
		if bechiSum(row) > 0 {
			t.met["swept "+end]++
		}
		t.store[player] += bechiSum(row)
		for hole := range row {
			row[hole] = 0
		}
	}
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
	t.ended = append(t.ended, toldRound{t.began, t.text(), end})
	if t.phase == "over" {
		_, result, _ := t.outcome()
		t.met["result "+result]++
		return
	}

	t.round++
	t.quiet = 0
	t.first = 1 - t.first
	chooser := -1
	for player := range t.store {
		for fromLeft := range t.n {
			t.closed[player*t.n+fromLeft] = false
			t.marked[player*t.n+fromLeft] = false
		}
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
		t.begin()
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
func (t *bechiTelling) fill(player int, fill string) {
	for fromLeft, seeds := range strings.Split(fill, ".") {
		hole := player*t.n + fromLeft
		t.holes[hole] = number(seeds)
		t.store[player] -= number(seeds)
		t.closed[hole] = number(seeds) == 0
	}
	if strings.Contains(fill, "0") && t.store[player] > 0 {
		t.met["surplus beside a closed hole"]++
	}
}

// begin begins a round whose board is set up.
func (t *bechiTelling) begin() {
	t.phase, t.mover = "sow", t.first
	t.began = t.text()
	if t.seen != nil {
		t.seen = map[string]bool{t.moment(): true}
	}
}

func (t *bechiTelling) outcome() (end, result string, over bool) {
	if t.phase != "over" {
		return "", "", false
	}
	switch out := t.out(); {
	case out == 0:
		result = "north"
	case out == 1:
		result = "south"
	default:
		result = larger(t.store)
	}
	return t.end, result, true
}

func (t *bechiTelling) forgetful() telling {
	c := *t
	c.holes = slices.Clone(t.holes)
	c.closed = slices.Clone(t.closed)
	c.marked = slices.Clone(t.marked)
	c.seen = nil
	c.logbook = t.forgotten()
	return &c
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
	t := bechiTelling{
		n: n, phase: "sow", round: 1 + random.below(8), first: random.below(2), mover: random.below(2),
		holes: make([]int, 2*n), closed: make([]bool, 2*n), marked: make([]bool, 2*n),
	}
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
	heavy := random.below(2 * n)
	for dropped := 0; dropped < seeds; {
		hole := random.below(2 * n)
		if random.below(4) == 0 {
			hole = heavy
		}
		if !t.closed[hole] {
			t.holes[hole]++
			dropped++
		}
	}
	for hole := range t.marked {
		t.marked[hole] = !t.closed[hole] && random.below(4) > 0
	}
	south := random.below(all - seeds + 1)
	if random.below(2) == 0 { // close to a draw, or to being out
		south = min(all-seeds, []int{all/2 - random.below(1+min(seeds, all/2)), random.below(7)}[random.below(2)])
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
