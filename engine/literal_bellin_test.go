package engine_test

import (
	"slices"
	"strconv"
	"strings"
)

// bellinTelling is the telling of buqruru-bellin and buqruru-ludii.
type bellinTelling struct {
	logbook
	ludii bool
	limit int // the limit of rounds

	holes  [8]int  // A … D, then a … d: counter-clockwise
	erased [8]bool // for this round
	store  [2]int  // South's and North's
	side   int     // 0 is South, 1 is North
	phase  string
	round  int
	quiet  int
	first  int
	opened [2]bool
	start  [2]int // numbers of holes; -1: none
	donkey [2]int // owed to South, to North

	seen map[string]bool // the positions of this round; nil to ignore repetition
}

func bellinOwner(hole int) int { return hole / 4 }

func tellBellin(ruleset, text string, limit int) telling {
	t := &bellinTelling{ludii: ruleset == "buqruru-ludii", limit: limit, logbook: logbook{met: map[string]int{}}}
	fields := strings.Fields(text)
	for i, word := range strings.FieldsFunc(fields[0], func(c rune) bool { return c == ',' || c == '/' }) {
		if word == "x" {
			t.erased[i] = true
			continue
		}
		t.holes[i] = number(word)
	}
	t.store = numbers(fields[1])
	t.side = strings.Index("SN", fields[2])
	t.phase = fields[3]
	t.round = number(fields[4])
	t.quiet = number(fields[5])
	for _, field := range fields[6:] {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "first":
			t.first = strings.Index("SN", value)
		case "opened":
			t.opened = [2]bool{strings.Contains(value, "S"), strings.Contains(value, "N")}
		case "start":
			south, north, _ := strings.Cut(value, ",")
			t.start = [2]int{strings.Index(ring4, south), strings.Index(ring4, north)} // "-" is at -1
		case "donkeys":
			t.donkey = numbers(value)
		}
	}
	t.seen = map[string]bool{t.unquiet(): true}
	if t.phase != "fill" {
		t.began = t.text()
	}
	if t.phase == "over" {
		t.end = "rounds"
		if t.out() >= 0 {
			t.end = "normal"
		}
	}
	return t
}

// describe returns the position text, with the word quiet in the place of its quiet
// count.
func (t *bellinTelling) describe(quiet string) string {
	row := func(player int) string {
		var words []string
		for hole, seeds := range t.holes {
			if bellinOwner(hole) != player {
				continue
			}
			word := strconv.Itoa(seeds)
			if t.erased[hole] {
				word = "x"
			}
			words = append(words, word)
		}
		return strings.Join(words, ",")
	}
	starts := []string{"-", "-"}
	for player := range 2 {
		if hole := t.start[player]; hole >= 0 {
			starts[player] = ring4[hole : hole+1]
		}
	}
	return strings.Join([]string{
		row(0) + "/" + row(1),
		strconv.Itoa(t.store[0]) + "-" + strconv.Itoa(t.store[1]),
		"SN"[t.side : t.side+1], t.phase, strconv.Itoa(t.round), quiet,
		"first=" + "SN"[t.first:t.first+1],
		"opened=" + players(t.opened),
		"start=" + strings.Join(starts, ","),
		"donkeys=" + strconv.Itoa(t.donkey[0]) + "-" + strconv.Itoa(t.donkey[1]),
	}, " ")
}

func (t *bellinTelling) text() string { return t.describe(strconv.Itoa(t.quiet)) }

// unquiet is the part of a position that has to come back for a repetition.
func (t *bellinTelling) unquiet() string { return t.describe("") }

func (t *bellinTelling) forgetful() telling {
	other := *t
	other.seen = nil
	other.logbook = t.forgotten()
	return &other
}

// out returns the player who cannot fill a single hole, or -1.
func (t *bellinTelling) out() int {
	for player, seeds := range t.store {
		if seeds == 0 {
			return player
		}
	}
	return -1
}

func (t *bellinTelling) outcome() (end, result string, over bool) {
	if t.phase != "over" {
		return "", "", false
	}
	seats := []string{"south", "north"}
	if out := t.out(); out >= 0 {
		return t.end, seats[1-out], true
	}
	if t.donkey[0] != t.donkey[1] {
		return t.end, larger(t.donkey), true
	}
	return t.end, larger(t.store), true
}

func (t *bellinTelling) inRow(player int) int {
	sum := 0
	for hole, seeds := range t.holes {
		if bellinOwner(hole) == player {
			sum += seeds
		}
	}
	return sum
}

// emptyStart reports whether a player has no seed in the start hole, or no start
// hole.
func (t *bellinTelling) emptyStart(player int) bool {
	return t.start[player] < 0 || t.holes[t.start[player]] == 0
}

func (t *bellinTelling) open() int {
	n := 0
	for _, erased := range t.erased {
		if !erased {
			n++
		}
	}
	return n
}

// step returns the next hole that is not erased, in the direction of the mover (1)
// or against it (-1).
func (t *bellinTelling) step(hole, way int) int {
	if t.side == 1 && !t.ludii {
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
		if !t.erased[hole] {
			return hole
		}
	}
}

func (t *bellinTelling) legal() []string {
	var tokens []string
	switch t.phase {
	case "fill":
		tokens = buqruruFillings(t.store[t.side])
	case "start":
		for hole, seeds := range t.holes {
			if bellinOwner(hole) == t.side && seeds > 0 {
				tokens = append(tokens, "start="+ring4[hole:hole+1])
			}
		}
	case "sow":
		if t.emptyStart(t.side) {
			return []string{"pass"}
		}
		hole := t.start[t.side]
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
			if t.start[t.side] < 0 && t.inRow(t.side) > 0 {
				t.met["pass without a start hole, with seeds"]++
			}
		} else {
			t.sowAndTake(token)
			t.quiet++
			if t.store != stores {
				t.quiet = 0
			}
		}
		t.side = 1 - t.side
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
		if t.inRow(t.side) == 0 {
			t.met["the other chooses"]++
			t.side = 1 - t.side
		}
	}
	if t.seen[t.unquiet()] {
		t.met["repetition"]++
		if t.phase == "start" {
			t.met["repetition in start"]++
		}
		t.finish("cycle")
		return
	}
	if t.seen != nil {
		t.seen[t.unquiet()] = true
	}
}

// fill fills a row for a new round and erases the holes that stay empty.
func (t *bellinTelling) fill(numbers string) {
	t.met["fill"]++
	for i, word := range strings.Split(numbers, ".") {
		hole := 4*t.side + i
		t.holes[hole] = number(word)
		t.store[t.side] -= t.holes[hole]
		if t.holes[hole] == 0 {
			t.met["erased"]++
			t.erased[hole] = true
		}
	}
	t.phase, t.side = "start", t.first
	t.begin()
}

// begin begins a round whose board has been set up.
func (t *bellinTelling) begin() {
	t.began = t.text()
	if t.seen != nil {
		t.seen = map[string]bool{}
	}
}

// choose chooses a start hole.
func (t *bellinTelling) choose(letter string) {
	t.start[t.side] = strings.Index(ring4, letter)
	other := 1 - t.side
	switch {
	case t.start[other] >= 0: // the other chose first, so it sows first
		t.phase, t.side = "sow", other
	case t.inRow(other) == 0: // the other does not choose
		t.met["no seed, no choice"]++
		t.phase = "sow"
	default:
		t.side = other
	}
}

// sowAndTake plays a sowing and gives both players what they take.
func (t *bellinTelling) sowAndTake(token string) {
	before := t.holes
	var touched [8]bool
	last := t.sow(token, &touched)

	if !t.opened[t.side] {
		t.opened[t.side] = true
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

// sow drops the seeds of the start hole, lap by lap, and returns the hole of the
// last one.
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
	for player := range t.store {
		t.store[player] += t.inRow(player)
	}
	t.holes = [8]int{}
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
			t.donkey[1-player]++
		case 4:
			t.met["out"]++
			t.donkey[1-player] += 2
		}
	}

	switch {
	case t.out() >= 0:
		t.end = end
		if t.round >= t.limit {
			t.met["out in the last round"]++
		}
		if loser := t.out(); t.donkey[loser] > t.donkey[1-loser] {
			t.met["out, with more donkeys"]++
		}
		t.phase = "over"
	case t.round >= t.limit:
		t.end, t.phase = "rounds", "over"
		switch {
		case t.donkey[0] == t.donkey[1] && t.store[0] == t.store[1]:
			t.met["drawn"]++
		case t.donkey[0] == t.donkey[1]:
			t.met["by the stores"]++
		case t.donkey[0] > t.donkey[1] == (t.store[0] > t.store[1]):
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
	t.round++
	t.quiet = 0
	t.opened = [2]bool{}
	t.start = [2]int{-1, -1}
	t.erased = [8]bool{}
	switch {
	case t.store[0] > t.store[1]:
		t.first = 0
	case t.store[1] > t.store[0]:
		t.first = 1
	default:
		t.met["equal stores"]++
		t.first = 1 - t.first
	}
	chooser := -1
	for player := range t.store {
		if t.store[player] < 24 {
			chooser = player
			continue
		}
		for hole := range t.holes {
			if bellinOwner(hole) == player {
				t.holes[hole] = 6
				t.store[player] -= 6
			}
		}
	}
	if chooser >= 0 {
		t.phase, t.side = "fill", chooser
		return
	}
	t.phase, t.side = "start", t.first
	t.begin()
	if t.seen != nil {
		t.seen[t.unquiet()] = true
	}
}
