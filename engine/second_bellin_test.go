package engine_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// slowBellin is the second implementation of buqruru-bellin and buqruru-ludii. Its closed holes are erased.
type slowBellin struct {
	board
	ludii bool
	start [2]int // numbers of holes; -1: none
}

func newSlowBellin(ruleset, text string, limit int) slowMatch {
	b, keys := readBoard(text, limit, 1)
	t := &slowBellin{board: b, ludii: ruleset == "buqruru-ludii"}
	south, north, _ := strings.Cut(keys["start"], ",")
	t.start = [2]int{strings.Index(ring4, south), strings.Index(ring4, north)} // "-" is at -1
	t.seen = map[string]bool{t.unquiet(): true}
	return t
}

// describe returns the position text, with that text in the place of its quiet count.
func (t *slowBellin) describe(quiet string) string {
	starts := []string{"-", "-"}
	for player, hole := range t.start {
		if hole >= 0 {
			starts[player] = t.letter(hole)
		}
	}
	return fmt.Sprintf("%s opened=%s start=%s donkeys=%d-%d", t.head(quiet), players(t.opened), strings.Join(starts, ","),
		t.donkeys[0], t.donkeys[1])
}

func (t *slowBellin) text() string { return t.describe(strconv.Itoa(t.quiet)) }

// unquiet is the part of a position that has to come back for a repetition.
func (t *slowBellin) unquiet() string { return t.describe("") }

func (t *slowBellin) forgetful() slowMatch {
	return &slowBellin{t.board.forgetful(), t.ludii, t.start}
}

// emptyStart reports whether a player has no seed in the start hole, or no start hole.
func (t *slowBellin) emptyStart(player int) bool {
	return t.start[player] < 0 || t.holes[t.start[player]] == 0
}

func (t *slowBellin) open() int {
	n := 0
	for _, erased := range t.closed {
		if !erased {
			n++
		}
	}
	return n
}

// step returns the next hole that is not erased, in the direction of the mover (1) or against it (-1).
func (t *slowBellin) step(hole, way int) int {
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

func (t *slowBellin) legal() []string {
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

func (t *slowBellin) play(token string) {
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
func (t *slowBellin) fill(numbers string) {
	t.met["fill"]++
	t.board.fill(t.mover, numbers)
	t.closeEmpty(t.mover)
	if strings.Contains(numbers, "0") {
		t.met["erased"]++
	}
	t.begin()
}

// begin begins a round whose board has been set up.
func (t *slowBellin) begin() {
	t.board.begin("start", t.text)
	if t.seen != nil {
		t.seen = map[string]bool{}
	}
}

// choose chooses a start hole.
func (t *slowBellin) choose(letter string) {
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
func (t *slowBellin) sowAndTake(token string) {
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
func (t *slowBellin) sow(token string, touched *[8]bool) int {
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
func (t *slowBellin) finish(end string) {
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
	t.ended = append(t.ended, slowRound{start: t.began, last: t.text(), end: end})
	if t.phase != "over" {
		t.next()
	}
}

// next sets up the next round.
func (t *slowBellin) next() {
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

// bellinNobody is what winners returns when nothing is taken.
var bellinNobody = [8]int{-1, -1, -1, -1, -1, -1, -1, -1}

// winners returns who takes the seeds of each hole after a sowing that ended in last, or -1 if they stay.
func (t *slowBellin) winners(before []int, touched [8]bool, last int) [8]int {
	winner := bellinNobody
	if t.ludii {
		t.ludiiFirst(last, &winner)
		t.ludiiSecond(before, touched, &winner)
	} else {
		t.bellinFirst(last, &winner)
		t.bellinSecond(before, &winner)
	}
	return winner
}

func bellinFew(seeds int) bool { return seeds == 2 || seeds == 4 || seeds == 6 || seeds == 8 }

func bellinNeighbours(a, b int) bool { return a-b == 1 || b-a == 1 || a-b == 7 || b-a == 7 }

// bellinFirst marks what Bellin's mover takes from the last hole backwards.
func (t *slowBellin) bellinFirst(last int, winner *[8]int) {
	if !bellinFew(t.holes[last]) {
		if t.holes[last]%2 == 0 {
			t.met["ends in ten or more"]++
		}
		return
	}
	winner[last] = t.mover
	var empty, large, gap bool
	for from := last; ; {
		at := t.step(from, -1)
		if at == last {
			t.met["a full circle"]++
			return
		}
		if t.holes[at]%2 == 1 {
			t.met["an odd hole ends it"]++
			return
		}
		gap = gap || !bellinNeighbours(from, at)
		switch {
		case t.holes[at] == 0:
			empty = true
		case t.holes[at] > 8:
			large = true
		default:
			winner[at] = t.mover
			t.met["chain"]++
			if empty {
				t.met["stepped over an empty hole"]++
			}
			if large {
				t.met["stepped over a large hole"]++
			}
			if gap {
				t.met["taken beyond an erased hole"]++
			}
		}
		from = at
	}
}

// bellinSecond marks what the owners of raised holes take.
func (t *slowBellin) bellinSecond(before []int, winner *[8]int) {
	for hole, seeds := range t.holes {
		even := before[hole]%2 == 0 && seeds%2 == 0
		if even && before[hole] > 0 && seeds > before[hole] && winner[hole] < 0 {
			winner[hole] = t.owner(hole)
		}
	}
}

// ludiiFirst marks what Ludii's mover takes from the last hole backwards.
func (t *slowBellin) ludiiFirst(last int, winner *[8]int) {
	if !bellinFew(t.holes[last]) {
		if t.holes[last]%2 == 0 {
			t.met["ends in ten or more"]++
		}
		return
	}
	winner[last] = t.mover
	gap := false
	for from := last; ; {
		at := t.step(from, -1)
		if at == last {
			t.met["a full circle"]++
			return
		}
		gap = gap || !bellinNeighbours(from, at)
		switch {
		case t.holes[at]%2 == 1:
			t.met["an odd hole ends it"]++
			return
		case t.holes[at] == 0:
			t.met["an empty hole ends it"]++
			return
		case t.holes[at] > 8:
			t.met["a large hole ends it"]++
			return
		}
		winner[at] = t.mover
		t.met["chain"]++
		if gap {
			t.met["taken beyond an erased hole"]++
		}
		from = at
	}
}

// ludiiSecond marks what Ludii's owners take from the holes that were sown.
func (t *slowBellin) ludiiSecond(before []int, touched [8]bool, winner *[8]int) {
	for hole, seeds := range t.holes {
		if !touched[hole] || winner[hole] >= 0 {
			continue
		}
		evened := before[hole]%2 == 1 && seeds%2 == 0
		if t.owner(hole) == t.mover {
			if evened {
				winner[hole] = t.mover
			}
		} else if evened || bellinFew(seeds) {
			winner[hole] = 1 - t.mover
		}
	}
}

// note counts the finer rules by which a hole's seeds go to a player.
func (t *slowBellin) note(hole, player int, before []int) {
	seeds := t.holes[hole]
	odd := before[hole]%2 == 1
	mine := t.owner(hole) == t.mover
	switch {
	case t.ludii && player == t.mover && !mine:
		t.met["taken across"]++
	case t.ludii && player != t.mover && !odd:
		t.met["left to the opponent, was even"]++
	case t.ludii && player != t.mover && bellinFew(seeds):
		t.met["left to the opponent, was odd"]++
	case t.ludii && player != t.mover:
		t.met["left to the opponent, large"]++
	case t.ludii && !bellinFew(seeds):
		t.met["own, large"]++
	case t.ludii:
		t.met["own"]++
	case odd || before[hole] == 0 || seeds <= before[hole]:
		t.met["not raised"]++
	case player == t.mover && !mine:
		t.met["raised, the exception"]++
	case player == t.mover:
		t.met["raised by oneself"]++
	default:
		t.met["raised by the opponent"]++
	}
	if !t.ludii && !bellinFew(seeds) {
		t.met["raised, large"]++
	}
}

// anywhereBellin returns the text of a random position. In a third of them a player
// chooses a start hole, and in some a player fills the row.
func anywhereBellin(ruleset string, random *splitmix) string {
	t := &slowBellin{board: newBoard(4, random), ludii: ruleset == "buqruru-ludii", start: [2]int{-1, -1}}
	t.round = 1
	if random.below(2) == 0 {
		t.round = 2 + random.below(9)
		owed := 1 + random.below(4) // 1: none
		for player := range t.donkeys {
			t.donkeys[player] = random.below(owed)
		}
	}

	if t.round > 1 && random.below(8) == 0 {
		t.phase, t.first = "fill", 1-t.mover
		t.store[t.mover] = 1 + random.below(23)
		t.store[t.first] = 48 - t.store[t.mover] - 24
		for i := range 4 {
			t.holes[4*t.first+i] = 6
		}
		return t.text()
	}

	open := []int{0, 1, 2, 3, 4, 5, 6, 7}
	if t.round > 1 && random.below(2) == 0 {
		// erase holes of one player, or of both
		poor := random.below(2)
		for range 1 + random.below(3) {
			t.closed[4*poor+random.below(4)] = true
		}
		if random.below(4) == 0 {
			t.closed[4*(1-poor)+random.below(4)] = true
		}
		open = nil
		for hole, erased := range t.closed {
			if !erased {
				open = append(open, hole)
			}
		}
	}

	// Few seeds, some, or so many that start holes are large. On a board of fewer
	// than five holes, large start holes would have too many moves.
	seeds := 1 + random.below(4)
	switch random.below(3) {
	case 0:
		seeds = 2 + random.below(20)
	case 1:
		seeds = 20 + random.below(29)
	}
	if len(open) < 5 {
		seeds = min(seeds, 20)
	}
	heavy, share := open[random.below(len(open))], random.below(4)
	for left := seeds; left > 0; {
		hole := open[random.below(len(open))]
		if share > 0 && random.below(share+1) == 0 {
			hole = heavy
		}
		drop := 1
		if left > 1 && random.below(2) == 0 {
			drop = 2 // even holes leave more to take
		}
		t.holes[hole] += drop
		left -= drop
	}
	south := random.below(49 - seeds)
	switch random.below(8) {
	case 0, 1: // somebody is close to being out, whatever the donkeys
		poor := random.below(2)
		south = (48 - seeds) * poor
		if t.round > 1 {
			t.donkeys[poor], t.donkeys[1-poor] = 3+random.below(3), 0
		}
	case 2, 3: // or to a draw
		south = (48 - seeds) / 2
		if t.round > 1 {
			t.round += 6
			t.donkeys[1] = t.donkeys[0]
		}
	case 4, 5:
		south = (48 - seeds) / 2
	}
	t.store = [2]int{south, 48 - seeds - south}

	// Both first sowings are over, or one, or none.
	switch random.below(8) {
	case 0:
	case 1:
		t.opened[t.first] = true
	default:
		t.opened = [2]bool{true, true}
	}
	if t.opened[t.first] && random.below(4) == 0 {
		t.quiet = 99 - random.below(4+random.below(17))
	}

	choose := func(player int) {
		for range 20 {
			hole := open[random.below(len(open))]
			if t.owner(hole) == player && (t.holes[hole] > 0 || random.below(8) == 0) {
				t.start[player] = hole
				return
			}
		}
	}
	choose(0)
	choose(1)
	if t.owner(heavy) == t.mover && random.below(2) == 0 {
		t.start[t.mover] = heavy
	}
	if random.below(8) == 0 {
		t.start[random.below(2)] = -1
	}
	if random.below(3) == 0 || t.start == [2]int{-1, -1} {
		t.phase = "start"
		if t.inRow(t.mover) == 0 {
			t.mover = 1 - t.mover
		}
		t.start[t.mover] = -1
		if random.below(2) == 0 {
			t.start[1-t.mover] = -1
		}
	}
	return t.text()
}

// finerBellin returns the finer rules that random matches from anywhere meet.
func finerBellin(ruleset string) []string {
	keys := []string{
		"nothing in the first sowing", "more than one", "lap", "ends in the start hole",
		"passed over erased", "taken beyond an erased hole", "ends in ten or more", "chain",
		"an odd hole ends it", "a full circle", "pass", "pass without a start hole, with seeds",
		"start holes given up", "the other chooses", "no seed, no choice", "0 left", "1 left", "quiet",
		"repetition", "fill", "erased", "equal stores", "a donkey", "out", "out in the last round", "out, with more donkeys",
		"by the donkeys", "by the donkeys, against the stores", "by the stores", "drawn",
	}
	if ruleset == "buqruru-ludii" {
		return append(keys, "a large hole ends it", "an empty hole ends it", "taken across",
			"left to the opponent, was even", "left to the opponent, was odd",
			"left to the opponent, large", "own", "own, large", "repetition in start")
	}
	return append(keys, "large", "laps differ", "last drop", "stepped over an empty hole",
		"stepped over a large hole", "not raised", "raised by oneself", "raised by the opponent",
		"raised, the exception", "raised, large")
}
