package engine_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// board is what the second implementation knows of a position of a match of many rounds.
type board struct {
	logbook
	limit int // the limit of rounds
	least int // the seeds without which a player is out

	holes   []int  // South's from South's left, then North's from North's left: counter-clockwise
	closed  []bool // for this round
	marked  []bool
	store   [2]int // South's and North's
	mover   int    // 0 is South, 1 is North; in a filling, who chooses
	phase   string
	round   int
	quiet   int
	first   int     // who began the round
	opened  [2]bool // who has sown in this round
	donkeys [2]int  // owed to South, to North
}

// readBoard reads a position text, and returns the values of its keys as well.
func readBoard(text string, limit, least int) (b board, keys map[string]string) {
	b = board{limit: limit, least: least, logbook: logbook{met: map[string]int{}, seen: map[string]bool{}}}
	fields := strings.Split(text, " ")
	for _, hole := range strings.FieldsFunc(fields[0], func(c rune) bool { return c == ',' || c == '/' }) {
		count, marked := strings.CutSuffix(hole, "*")
		seeds := 0
		if count != "x" {
			seeds = number(count)
		}
		b.holes, b.closed, b.marked = append(b.holes, seeds), append(b.closed, count == "x"), append(b.marked, marked)
	}
	b.store = numbers(fields[1])
	b.mover = strings.Index("SN", fields[2])
	b.phase = fields[3]
	b.round, b.quiet = number(fields[4]), number(fields[5])
	keys = map[string]string{}
	for _, field := range fields[6:] {
		key, value, _ := strings.Cut(field, "=")
		keys[key] = value
	}
	b.first = strings.Index("SN", keys["first"])
	b.opened = [2]bool{strings.Contains(keys["opened"], "S"), strings.Contains(keys["opened"], "N")}
	if owed, ok := keys["donkeys"]; ok {
		b.donkeys = numbers(owed)
	}
	if b.phase != "fill" {
		b.began = text
	}
	if b.phase == "over" {
		b.end = "rounds"
		if b.out() >= 0 {
			b.end = "normal"
		}
	}
	b.repeats(b.moment())
	return b, keys
}

// newBoard returns an empty board for a random position.
func newBoard(row int, random *splitmix) board {
	b := board{phase: "sow", holes: make([]int, 2*row), closed: make([]bool, 2*row), marked: make([]bool, 2*row)}
	b.round, b.first, b.mover = 1+random.below(8), random.below(2), random.below(2)
	return b
}

// head returns the position text up to the key first, with that text as quiet count.
func (b *board) head(quiet string) string {
	row := func(player int) string {
		var words []string
		for hole := player * b.row(); hole < (player+1)*b.row(); hole++ {
			word := strconv.Itoa(b.holes[hole])
			switch {
			case b.closed[hole]:
				words = append(words, "x")
			case b.marked[hole]:
				words = append(words, word+"*")
			default:
				words = append(words, word)
			}
		}
		return strings.Join(words, ",")
	}
	return fmt.Sprintf("%s/%s %d-%d %c %s %d %s first=%c", row(0), row(1), b.store[0], b.store[1],
		"SN"[b.mover], b.phase, b.round, quiet, "SN"[b.first])
}

// row returns the number of holes in a row.
func (b *board) row() int { return len(b.holes) / 2 }

// owner returns who owns a hole.
func (b *board) owner(hole int) int { return hole / b.row() }

// letter names a hole.
func (b *board) letter(hole int) string {
	if b.row() == 3 {
		return ring3[hole : hole+1]
	}
	return ring4[hole : hole+1]
}

// inRow counts the seeds in a player's row.
func (b *board) inRow(player int) int {
	sum := 0
	for hole, seeds := range b.holes {
		if b.owner(hole) == player {
			sum += seeds
		}
	}
	return sum
}

// sweep gives each player the seeds of their own row.
func (b *board) sweep() {
	for hole, seeds := range b.holes {
		b.store[b.owner(hole)] += seeds
	}
	clear(b.holes)
}

// nextRound clears the board for the next round.
func (b *board) nextRound() {
	b.round++
	b.quiet, b.opened = 0, [2]bool{}
	clear(b.closed)
	clear(b.marked)
}

// richerFirst lets the player with the larger store begin, and with equal ones the other player.
func (b *board) richerFirst() {
	switch {
	case b.store[0] > b.store[1]:
		b.first = 0
	case b.store[1] > b.store[0]:
		b.first = 1
	default:
		b.met["equal stores"]++
		b.first = 1 - b.first
	}
}

// fill fills a row from its store.
func (b *board) fill(player int, fill string) {
	for fromLeft, seeds := range strings.Split(fill, ".") {
		b.holes[player*b.row()+fromLeft] = number(seeds)
		b.store[player] -= number(seeds)
	}
}

// closeEmpty closes the holes of a row that are empty.
func (b *board) closeEmpty(player int) {
	for hole, seeds := range b.holes {
		if b.owner(hole) == player {
			b.closed[hole] = seeds == 0
		}
	}
}

// begin begins a round whose board is set up, in which a sowing or a choice comes first.
func (b *board) begin(phase string, text func() string) {
	b.phase, b.mover = phase, b.first
	b.began = text()
}

// beginSowing begins a round in which a sowing comes first.
func (b *board) beginSowing(text func() string) {
	b.begin("sow", text)
	if b.seen != nil {
		b.seen = map[string]bool{b.moment(): true}
	}
}

// moment is the part of a position that has to come back for a repetition. The other
// parts cannot change within a round.
func (b *board) moment() string { return fmt.Sprint(b.holes, b.marked, b.store, b.mover, b.opened) }

// out returns the player whose seeds, all in the stores, are too few to continue, or -1.
func (b *board) out() int {
	return slices.IndexFunc(b.store[:], func(seeds int) bool { return seeds < b.least })
}

func (b *board) outcome() (end, result string, over bool) {
	switch {
	case b.phase != "over":
		return "", "", false
	case b.out() == 0:
		return b.end, "north", true
	case b.out() == 1:
		return b.end, "south", true
	case b.donkeys[0] != b.donkeys[1]:
		return b.end, larger(b.donkeys), true
	}
	return b.end, larger(b.store), true
}

// dropSome drops so many seeds at random, many of them in one hole.
func (b *board) dropSome(seeds int, random *splitmix) {
	heavy := random.below(len(b.holes))
	for dropped := 0; dropped < seeds; {
		hole := random.below(len(b.holes))
		if random.below(4) == 0 {
			hole = heavy
		}
		if !b.closed[hole] {
			b.holes[hole]++
			dropped++
		}
	}
}

// forgetful returns a deep copy that ignores repetition.
func (b *board) forgetful() board {
	c := *b
	c.holes, c.closed, c.marked = slices.Clone(b.holes), slices.Clone(b.closed), slices.Clone(b.marked)
	c.logbook = b.forgotten()
	return c
}

// single is what the second implementation knows of a position of a match of a single round.
type single struct {
	logbook
	holes [12]int // A … F, then a … f: counter-clockwise
	store [2]int  // South's and North's
	mover int     // 0 is South, 1 North
	quiet int
	over  bool
}

// readSingle reads a position text, and returns the fields after the quiet count as well.
func readSingle(text string) (s single, more []string) {
	s.logbook = logbook{began: text, met: map[string]int{}, seen: map[string]bool{}}
	fields := strings.Fields(text)
	for i, seeds := range strings.FieldsFunc(fields[0], func(c rune) bool { return c == ',' || c == '/' }) {
		s.holes[i] = number(seeds)
	}
	s.store = numbers(fields[1])
	s.mover = strings.Index("SN", fields[2])
	s.over = fields[3] == "over"
	s.quiet = number(fields[5])
	return s, fields[6:]
}

// head returns the position text up to the quiet count, with that text in its place.
func (s *single) head(quiet string) string {
	row := func(holes []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(holes), " ", ","), "[]") }
	phase := "sow"
	if s.over {
		phase = "over"
	}
	return fmt.Sprintf("%s/%s %d-%d %c %s 1 %s", row(s.holes[:6]), row(s.holes[6:]), s.store[0], s.store[1],
		"SN"[s.mover], phase, quiet)
}

// inRow counts the seeds in a player's row.
func (s *single) inRow(player int) int {
	sum := 0
	for hole := 6 * player; hole < 6*player+6; hole++ {
		sum += s.holes[hole]
	}
	return sum
}

// collect gives each player the seeds of their row.
func (s *single) collect() {
	for player := range s.store {
		s.store[player] += s.inRow(player)
	}
	s.holes = [12]int{}
}

func (s *single) outcome() (end, result string, over bool) {
	switch {
	case !s.over:
		return "", "", false
	case s.end != "":
		return s.end, larger(s.store), true
	case s.inRow(0)+s.inRow(1) > 0: // the match began over
		return "early", larger(s.store), true
	}
	return "normal", larger(s.store), true
}
