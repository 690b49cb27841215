package engine

import "iter"

// Perft returns the number of legal sequences of depth moves from a position, up to
// the ruleset's limit of rounds. A match that is over has none. The quiet count
// ends rounds, but repetition does not, because it needs the history. Perft counts
// the moves of the last ply without playing them.
func Perft(r Ruleset, p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	c := counter{rules: r, stack: make([]Move, 0, 32*depth)}
	c.bulk, _ = r.(bulk)
	return c.count(p, depth)
}

// bulk is a ruleset that counts the legal moves of PhaseSow without listing them.
type bulk interface{ count(p Position) int }

// counter counts sequences of moves. It keeps the moves of all depths on one stack,
// so that it hardly ever allocates.
type counter struct {
	rules Ruleset
	bulk  bulk // nil: it lists the moves
	stack []Move
}

// count returns the number of sequences of depth moves, at least one.
func (c *counter) count(p Position, depth int) uint64 {
	if depth == 1 && c.bulk != nil && p.Phase() == PhaseSow {
		return uint64(c.bulk.count(p))
	}
	base := len(c.stack)
	c.stack = c.rules.Legal(p, c.stack)
	var nodes uint64
	if depth == 1 {
		nodes = uint64(len(c.stack) - base)
	}
	for i := base; i < len(c.stack) && depth > 1; i++ {
		after, end := c.rules.Play(p, c.stack[i]) // as Step does, without a call
		if end != Going {
			after = afterRound(c.rules, after)
		}
		nodes += c.count(after, depth-1)
	}
	c.stack = c.stack[:base]
	return nodes
}

// Branch is one legal move of a position with the number of sequences that
// begin with it.
type Branch struct {
	Move  Move
	Nodes uint64
}

// Divide counts [Perft] of a position move by move, in the order of the legal
// moves. It counts each branch when the loop asks for it. At depth 0 there are none.
func Divide(r Ruleset, p Position, depth int) iter.Seq[Branch] {
	return func(yield func(Branch) bool) {
		if depth <= 0 {
			return
		}
		for _, m := range r.Legal(p, nil) {
			if !yield(Branch{m, Perft(r, Step(r, p, m), depth-1)}) {
				return
			}
		}
	}
}
