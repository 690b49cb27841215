package engine_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// board is what the tellings of matches of many rounds know of a position.
type board struct {
	logbook
	limit int // the limit of rounds

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

	seen map[string]bool // the positions of this round; nil to ignore repetition
}

// readBoard reads a position text, and returns the values of its keys as well.
func readBoard(text string, limit int) (b board, keys map[string]string) {
	b = board{limit: limit, logbook: logbook{met: map[string]int{}}}
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
			switch word := strconv.Itoa(b.holes[hole]); {
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
	return map[int]string{3: ring3, 4: ring4}[b.row()][hole : hole+1]
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

// repeats reports whether a position of the round has come back, and notes it.
func (b *board) repeats(moment string) bool {
	if b.seen == nil || b.seen[moment] {
		return b.seen != nil
	}
	b.seen[moment] = true
	return false
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

// poor returns the player who has fewer seeds than that, or -1.
func (b *board) poor(least int) int {
	return slices.IndexFunc(b.store[:], func(seeds int) bool { return seeds < least })
}

// forgetful returns a deep copy that ignores repetition.
func (b *board) forgetful() board {
	c := *b
	c.holes, c.closed, c.marked = slices.Clone(b.holes), slices.Clone(b.closed), slices.Clone(b.marked)
	c.seen, c.logbook = nil, b.forgotten()
	return c
}
