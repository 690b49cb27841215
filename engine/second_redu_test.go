package engine_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// slowRedu is the second implementation of redu. A sowing is a list of the holes in which the
// seeds fall, one after the other. It tries out the orders that a sower
// may choose within a column, and what they lead to gives the moves their letters.
type slowRedu struct {
	single
	exposed int   // the hole of the seed that the mover may take, or -1
	whole   bool  // taking it is the whole turn
	missed  []int // the other's holes that the mover may claim, in board order
}

// reduSowing is one way to sow.
type reduSowing struct {
	token string
	from  []int // the holes that it empties: one, or the two of a pair
	drops []int // the holes in which the seeds fall, in this order
	moved int   // the number of seeds that are sown: 2 for a pair
	loop  bool  // it goes along its path again
	round bool  // it goes round the end of the board
}

func newSlowRedu(_, text string, _ int) slowMatch {
	s, more := readSingle(text)
	t := &slowRedu{single: s, exposed: -1}
	if take := strings.TrimPrefix(more[0], "take="); take != "-" {
		t.exposed = strings.IndexByte(ring6, take[0])
		t.whole = strings.HasSuffix(take, ":turn")
	}
	if missed := strings.TrimPrefix(more[1], "missed="); missed != "-" {
		for letter := range strings.SplitSeq(missed, ",") {
			t.missed = append(t.missed, strings.IndexByte(ring6, letter[0]))
		}
	}
	t.repeats(t.describe(""))
	return t
}

// describe returns the position text, with that text in the place of its quiet count. Without a count it is the part
// that has to come back for a repetition.
func (t *slowRedu) describe(quiet string) string {
	take := "-"
	switch {
	case t.exposed >= 0 && t.whole:
		take = ring6[t.exposed:t.exposed+1] + ":turn"
	case t.exposed >= 0:
		take = ring6[t.exposed:t.exposed+1] + ":free"
	}
	letters := make([]string, len(t.missed))
	for i, hole := range t.missed {
		letters[i] = ring6[hole : hole+1]
	}
	missed := strings.Join(letters, ",")
	if missed == "" {
		missed = "-"
	}
	return fmt.Sprintf("%s take=%s missed=%s", t.head(quiet), take, missed)
}

// text returns the position text.
func (t *slowRedu) text() string { return t.describe(strconv.Itoa(t.quiet)) }

// own and opp return the two holes of a column, which the mover counts from its own left.
func (t *slowRedu) own(column int) int { return 6*t.mover + column }
func (t *slowRedu) opp(column int) int { return 11 - t.own(column) }

// path returns the columns of a path from a column, once along, and how many of them come before the end of the board.
func (t *slowRedu) path(from, step int, bounce bool) (columns []int, firstLeg int) {
	for c := from + step; c >= 0 && c <= 5; c += step {
		columns = append(columns, c)
	}
	firstLeg = len(columns)
	if bounce {
		for c := from - step; c >= 0 && c <= 5; c -= step {
			columns = append(columns, c)
		}
		return columns, firstLeg
	}
	c := 0
	if step < 0 {
		c = 5
	}
	for ; c != from; c += step {
		columns = append(columns, c)
	}
	return columns, firstLeg
}

// sowings returns every sowing of the mover, each token once.
func (t *slowRedu) sowings() []reduSowing {
	var all []reduSowing
	for column := range 6 {
		hole := t.own(column)
		seeds := t.holes[hole]
		letter := ring6[hole : hole+1]
		if seeds == 1 {
			all = append(all, reduSowing{token: letter, from: []int{hole}, drops: []int{t.opp(column)}, moved: 1})
		}
		if seeds == 1 && column < 5 && t.holes[hole+1] == 1 {
			pair := ring6[hole : hole+2]
			both := []int{hole, hole + 1}
			all = append(all, t.two(pair+"+", both, column+1, +1), t.two(pair+"-", both, column, -1))
		}
		if seeds == 2 {
			all = append(all, t.two(letter+"+", []int{hole}, column, +1), t.two(letter+"-", []int{hole}, column, -1))
		}
		if seeds > 2 {
			all = append(all, t.many(column, +1)...)
			all = append(all, t.many(column, -1)...)
		}
	}
	return all
}

// two returns the sowing of two seeds from a column.
func (t *slowRedu) two(token string, from []int, column, step int) reduSowing {
	columns, firstLeg := t.path(column, step, false)
	drops := []int{t.opp(columns[0]), t.own(columns[0])}
	return reduSowing{token: token, from: from, drops: drops, moved: 2, round: firstLeg == 0}
}

// many returns the sowings of more than two seeds from a column in a direction.
func (t *slowRedu) many(column, step int) []reduSowing {
	var all []reduSowing
	seeds := t.holes[t.own(column)]
	for _, across := range []bool{false, true} {
		for _, bounce := range []bool{false, true} {
			columns, firstLeg := t.path(column, step, bounce)
			if across && t.holes[t.own(columns[0])]+t.holes[t.opp(columns[0])] > 0 {
				continue
			}
			along := seeds
			if across {
				along--
			}
			if bounce && (firstLeg == 0 || along <= 2*firstLeg || 5-firstLeg < 2) {
				continue
			}
			letters := "+"
			if step < 0 {
				letters = "-"
			}
			if across {
				letters += "o"
			}
			if bounce {
				letters += "b"
			}
			all = append(all, t.orders(column, letters, across, along, columns)...)
		}
	}
	return all
}

// orders tries out the orders in which the seeds may fall within the columns. Only the orders in the last two columns
// make a difference. In the others the mover's own hole comes first.
func (t *slowRedu) orders(column int, letters string, across bool, along int, columns []int) []reduSowing {
	hole := t.own(column)
	var ways []reduSowing
	for order := range 4 {
		way := reduSowing{from: []int{hole}, moved: t.holes[hole], loop: along > 10}
		if across {
			way.drops = append(way.drops, t.opp(column))
		}
		left := along
		for at := 0; left > 0; at++ {
			c := columns[at%len(columns)]
			first, second := t.own(c), t.opp(c)
			if left <= 2 && order&1 != 0 || left > 2 && left <= 4 && order&2 != 0 {
				first, second = second, first
			}
			way.drops = append(way.drops, first)
			left--
			if left > 0 {
				way.drops = append(way.drops, second)
				left--
			}
		}
		way.token = ring6[hole:hole+1] + letters
		last := way.drops[len(way.drops)-1]
		if along%2 == 1 && last/6 != t.mover {
			way.token += "k"
		}
		ways = append(ways, way)
	}

	// Where one of two sowings with the same letters exposes the third-last seed,
	// and the other does not, another letter tells them apart.
	var named []reduSowing
	have := map[string]bool{}
	for _, way := range ways {
		if t.exposes(way) {
			for _, other := range ways {
				if other.token == way.token && !t.exposes(other) {
					way.token += "x"
					break
				}
			}
		}
		if !have[way.token] {
			have[way.token] = true
			named = append(named, way)
		}
	}
	return named
}

// exposes drops the seeds of a sowing of more than two, and reports whether the
// third-last one falls in an empty hole of the opponent.
func (t *slowRedu) exposes(way reduSowing) bool {
	holes := t.holes
	for _, hole := range way.from {
		holes[hole] = 0
	}
	for i, hole := range way.drops {
		if i == len(way.drops)-3 {
			return hole/6 != t.mover && holes[hole] == 0
		}
		holes[hole]++
	}
	panic("fewer than three seeds")
}

// legal returns the tokens of the legal moves.
func (t *slowRedu) legal() []string {
	var tokens []string
	if t.over {
		return nil
	}
	for _, way := range t.sowings() {
		tokens = append(tokens, way.token)
	}
	for _, hole := range t.missed {
		tokens = append(tokens, "claim="+ring6[hole:hole+1])
	}
	if t.exposed >= 0 {
		tokens = append(tokens, "take")
	}
	slices.Sort(tokens)
	return tokens
}

// capturable reports whether a hole holds a single seed that could go across and capture.
func (t *slowRedu) capturable(hole int) bool {
	across := t.holes[11-hole]
	return t.holes[hole] == 1 && (across == 1 || across == 2)
}

// play plays a legal token.
func (t *slowRedu) play(token string) {
	before := t.mover
	switch {
	case token == "take":
		t.take()
	case strings.HasPrefix(token, "claim="):
		t.claim(strings.IndexByte(ring6, token[len("claim=")]))
	default:
		ways := t.sowings()
		i := slices.IndexFunc(ways, func(way reduSowing) bool { return way.token == token })
		t.sow(ways[i])
	}

	switch {
	case t.store[0] > 24 || t.store[1] > 24:
		t.finish("early")
	case t.inRow(t.mover) == 0:
		if t.mover == before {
			t.met["the row is empty in mid-turn"]++
		}
		t.store[1-t.mover] += t.inRow(1 - t.mover)
		t.holes = [12]int{}
		t.finish("normal")
	case t.quiet == 100:
		t.met["a hundred quiet sowings"]++
		t.sweep()
	case t.repeats(t.describe("")):
		t.met["repetition"]++
		t.sweep()
	}
}

// take takes the seed that the opponent's last sowing left open.
func (t *slowRedu) take() {
	t.store[t.mover] += t.holes[t.exposed]
	t.holes[t.exposed] = 0
	t.exposed = -1
	t.quiet = 0
	if t.whole {
		t.met["a take that is the whole turn"]++
		if len(t.missed) > 0 {
			t.met["a claim lapses by a take"]++
		}
		t.whole = false
		t.missed = nil
		t.mover = 1 - t.mover
		return
	}
	t.met["a take that is free"]++
	if len(t.missed) > 0 {
		t.met["a take before a claim"]++
	}
	var still []int
	for _, hole := range t.missed {
		if t.capturable(hole) {
			still = append(still, hole)
		} else {
			t.met["a pending claim loses its seeds"]++
		}
	}
	t.missed = still
}

// claim takes what the opponent could have captured from a hole.
func (t *slowRedu) claim(hole int) {
	t.met["a claim"]++
	if len(t.missed) > 1 {
		t.met["a claim out of several"]++
	}
	t.missed = nil
	t.holes[hole] = 0
	t.holes[11-hole]++
	t.store[t.mover] += t.holes[11-hole]
	t.holes[11-hole] = 0
	t.quiet = 0
	if t.exposed >= 0 {
		t.met["a claim before a take"]++
		if t.holes[t.exposed] != 1 {
			t.met["a pending take loses its seed"]++
			t.exposed, t.whole = -1, false
		}
	}
}

// sow plays a sowing, which ends the turn.
func (t *slowRedu) sow(way reduSowing) {
	t.meet(way)
	if t.exposed >= 0 {
		t.met["a take lapses"]++
	}
	if len(t.missed) > 0 {
		t.met["a claim lapses"]++
	}
	t.exposed, t.whole, t.missed = -1, false, nil

	var could []int
	facing := map[int]int{}
	for hole := 6 * t.mover; hole < 6*t.mover+6; hole++ {
		if t.capturable(hole) {
			could = append(could, hole)
			facing[hole] = t.holes[11-hole]
		}
	}

	for _, hole := range way.from {
		t.holes[hole] = 0
	}
	first := way.drops[0]
	held := t.holes[first] // of one seed or two, the first falls in the opponent's hole
	if way.moved > 2 {
		if t.exposes(way) {
			t.exposed, t.whole = way.drops[len(way.drops)-3], true
		}
	}
	for _, hole := range way.drops {
		t.holes[hole]++
	}

	taken := 0
	if way.moved <= 2 {
		kind := "one seed"
		switch {
		case len(way.from) == 2:
			kind = "a pair"
		case way.moved == 2:
			kind = "two seeds"
		}
		switch held {
		case 0:
			t.exposed, t.whole = first, way.moved == 2
			t.met[kind+" exposes"]++
		case 1, 2:
			taken = t.holes[first]
			t.holes[first] = 0
			t.met[kind+" takes"]++
		default:
			t.met[kind+" beside three or more"]++
		}
	} else if t.exposed >= 0 {
		t.met["more seeds expose"]++
		if t.exposed == 11-way.from[0] {
			t.met["the seed that o drops is exposed"]++
		}
		if way.loop {
			t.met["exposed after a full path"]++
		}
	}

	if taken > 0 {
		t.store[t.mover] += taken
		t.quiet = 0
		if slices.ContainsFunc(could, func(hole int) bool { return !slices.Contains(way.from, hole) && t.capturable(hole) }) {
			t.met["a capture excuses a missed one"]++
		}
	} else {
		t.quiet++
		for _, hole := range could {
			if !t.capturable(hole) {
				t.met["the sowing spoils what was missed"]++
				continue
			}
			t.missed = append(t.missed, hole)
			if t.holes[11-hole] != facing[hole] {
				t.met["missed, and now it is two"]++
			}
		}
		if t.exposed >= 0 && len(t.missed) > 0 {
			t.met["both a take and a claim"]++
		}
	}
	t.mover = 1 - t.mover
}

// meet counts the letters of a sowing.
func (t *slowRedu) meet(way reduSowing) {
	_, letters, _ := strings.Cut(strings.ReplaceAll(way.token, "-", "+"), "+")
	for _, letter := range letters {
		t.met["letter "+string(letter)]++
	}
	if way.moved > 2 {
		if way.loop {
			t.met["along the path again"]++
			if strings.Contains(letters, "b") {
				t.met["along the bouncing path again"]++
			}
		}
		if strings.Contains(letters, "o") && strings.Contains(letters, "b") {
			t.met["letters o and b"]++
		}
	}
	if way.round && len(way.from) == 2 {
		t.met["a pair goes round the end"]++
	}
	if way.round && len(way.from) == 1 {
		t.met["two seeds go round the end"]++
	}
}

// sweep gives each player the seeds of their row, as every cycle does.
func (t *slowRedu) sweep() {
	t.collect()
	t.finish("cycle")
}

// finish ends the match. A match that is over has nothing to take or to claim.
func (t *slowRedu) finish(end string) {
	t.exposed, t.whole, t.missed = -1, false, nil
	t.over, t.end = true, end
	t.ended = []slowRound{{t.began, t.text(), end}}
}

func (t *slowRedu) forgetful() slowMatch {
	twin := *t
	twin.missed = slices.Clone(t.missed)
	twin.logbook = t.forgotten()
	return &twin
}

// anywhereRedu returns the text of a random position. Most have few seeds, some have
// one heavy hole, and many have something to take or to claim.
func anywhereRedu(_ string, random *splitmix) string {
	t := slowRedu{exposed: -1}
	seeds := 0
	switch random.below(4) {
	case 0: // few seeds
		seeds = 2 + random.below(10)
		for range seeds {
			t.holes[random.below(12)]++
		}
	case 1: // one hole has most of them
		seeds = 8 + random.below(24)
		heavy := random.below(12)
		for range seeds {
			hole := random.below(12)
			if random.below(4) > 0 {
				hole = heavy
			}
			t.holes[hole]++
		}
	case 2: // ones and twos
		for hole := range t.holes {
			t.holes[hole] = random.below(3)
			seeds += t.holes[hole]
		}
	default: // anything
		seeds = 48
		for range 48 {
			hole := random.below(12)
			if random.below(3) == 0 {
				hole = random.below(3) * 4
			}
			t.holes[hole]++
		}
		for hole := range t.holes { // move the seeds of half the holes to the stores
			if random.below(2) == 0 {
				seeds -= t.holes[hole]
				t.holes[hole] = 0
			}
		}
	}
	t.mover = random.below(2)
	// Play never leads to a seed that may be taken and is part of a claim as well.
	tangled := -1
	if random.below(3) == 0 {
		tangled = 6*t.mover + random.below(6)
		for _, hole := range []int{tangled, 11 - tangled} {
			seeds += 1 - t.holes[hole]
			t.holes[hole] = 1
		}
	}
	south := 24 - random.below(1+seeds)
	t.store = [2]int{south, 48 - seeds - south}
	for player := range t.store { // a match that is decided early shows little
		if t.store[player] < 0 || t.store[player] > 24 {
			t.store[player] = (48 - seeds) / 2
			t.store[1-player] = 48 - seeds - t.store[player]
		}
	}
	if random.below(4) == 0 {
		t.quiet = 80 + random.below(20)
	}
	if random.below(2) == 0 || tangled >= 0 {
		hole := 6*t.mover + random.below(6)
		if tangled >= 0 {
			hole = tangled
		}
		if t.holes[hole] == 1 {
			t.exposed, t.whole = hole, random.below(4) == 0
		}
	}
	if random.below(2) == 0 || tangled >= 0 {
		for hole := 6 - 6*t.mover; hole < 12-6*t.mover; hole++ {
			if t.capturable(hole) && (hole == 11-tangled || random.below(3) > 0) {
				t.missed = append(t.missed, hole)
			}
		}
	}
	return t.text()
}

// finerRedu returns the finer rules that random matches from anywhere meet.
func finerRedu(string) []string {
	return []string{
		"a capture excuses a missed one", "a claim", "a claim before a take", "a claim lapses",
		"a claim lapses by a take", "a claim out of several", "a hundred quiet sowings",
		"a pair beside three or more", "a pair exposes", "a pair goes round the end", "a pair takes",
		"a pending claim loses its seeds", "a pending take loses its seed", "a take before a claim",
		"a take lapses", "a take that is free", "a take that is the whole turn",
		"along the bouncing path again", "along the path again", "both a take and a claim",
		"exposed after a full path", "letter b", "letter k", "letter o", "letter x", "letters o and b",
		"missed, and now it is two", "more seeds expose", "one seed beside three or more", "one seed exposes",
		"one seed takes", "repetition", "the row is empty in mid-turn", "the seed that o drops is exposed",
		"the sowing spoils what was missed", "two seeds beside three or more", "two seeds exposes",
		"two seeds go round the end", "two seeds takes",
	}
}
