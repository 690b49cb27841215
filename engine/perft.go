package engine

import "iter"

// Perft returns the number of legal sequences of depth moves from a position, up to
// the ruleset's limit of rounds. A match that is over has none. The quiet count
// ends rounds, but repetition does not, because it needs the history. Perft counts
// the moves of the last ply without listing or playing them.
func Perft(r Ruleset, p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	nodes, _ := perft(r, p, depth, make([]Move, 0, 32*depth))
	return nodes
}

// perft keeps the moves of all depths on one stack. It returns the stack with the
// same moves and whatever room it has grown, so that it hardly ever allocates.
func perft(r Ruleset, p Position, depth int, stack []Move) (nodes uint64, grown []Move) {
	if depth == 1 {
		return uint64(r.count(p)), stack
	}
	base := len(stack)
	stack = r.Legal(p, stack)
	for _, m := range stack[base:] {
		var after uint64
		after, stack = perft(r, Step(r, p, m), depth-1, stack)
		nodes += after
	}
	return nodes, stack[:base]
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
