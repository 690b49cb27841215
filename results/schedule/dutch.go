package schedule

import (
	"cmp"
	"slices"
)

// dutch pairs an even number of bots by the Dutch system. It goes through the
// brackets from the top. A bracket has the bots of one score (its residents) and
// those that the bracket above left over (moved down). The bots in ranked are in
// order of rank, and may says which of them may meet. The pairings are in the
// order of brackets, the better bot first; nil if not all can be paired.
func dutch(bots []swissBot, ranked []int, may graph) (pairs [][2]int) {
	ranked = slices.Clone(ranked)
	for moved := 0; len(ranked) > 0; {
		b := newBracket(bots, ranked, moved, may)
		if !b.pair() {
			return nil
		}
		for _, p := range b.pairs {
			pairs = append(pairs, [2]int{ranked[p[0]], ranked[p[1]]})
			ranked[p[0]], ranked[p[1]] = -1, -1
		}
		moved = b.next - 2*len(b.pairs)
		ranked = slices.DeleteFunc(ranked, func(bot int) bool { return bot < 0 })
	}
	return pairs
}

// bracket is a bracket with a matching of all bots that are not paired yet. The
// bots are nodes in order of rank: first those moved down, then the residents up
// to next, then the bots of the next bracket up to below, then all others.
//
// The matching is always one of the best by the rules for a bracket. Every choice
// cuts edges of the graph, but leaves one of the best matchings.
type bracket struct {
	*matching
	bots               []swissBot // by node
	moved, next, below int
	pairs              [][2]int
}

func newBracket(bots []swissBot, ranked []int, moved int, may graph) *bracket {
	b := &bracket{moved: moved}
	for _, bot := range ranked {
		b.bots = append(b.bots, bots[bot])
	}
	b.next = b.endOfScore(moved)
	b.below = b.endOfScore(b.next)
	weigh := b.criteria()
	b.weigh(func(u, v int) int64 {
		if !may[ranked[u]][ranked[v]] {
			return noEdge
		}
		return weigh(u, v)
	})
	return b
}

// endOfScore returns the first node after those with the same score as u.
func (b *bracket) endOfScore(u int) int {
	end := u
	for end < len(b.bots) && b.bots[end].points == b.bots[u].points {
		end++
	}
	return end
}

// weigh starts a new matching. It calls the function with the better node first.
func (b *bracket) weigh(weight func(u, v int) int64) {
	matrix := make([][]int64, len(b.bots))
	for u := range matrix {
		matrix[u] = make([]int64, len(b.bots))
		matrix[u][u] = noEdge
		for v := range u {
			matrix[u][v] = weight(v, u)
			matrix[v][u] = matrix[u][v]
		}
	}
	b.matching = newMatching(matrix)
}

// criteria returns the function for the weight of an edge. The weight is a number
// with a digit for each criterion, the most important first: pairs in the
// bracket; for each score of bots moved down, the highest first, how many of them
// are paired in it; pairs in the next bracket; how many of the bots moved down to
// the next bracket are paired there.
func (b *bracket) criteria() func(u, v int) int64 {
	base := int64(len(b.bots) + 1)
	unit := make([]int64, b.next) // what each bot moved down adds
	scale := base * base
	var scores [][2]int // ranges of nodes with one score, of those moved down
	for from, size := 0, 1; from < b.moved && size < 1<<24; {
		to := min(b.endOfScore(from), b.moved)
		scores = append(scores, [2]int{from, to})
		size *= to - from + 1
		from = to
	}
	for _, s := range slices.Backward(scores) {
		for u := s[0]; u < s[1]; u++ {
			unit[u] = scale
		}
		scale *= int64(s[1] - s[0] + 1)
	}
	return func(u, v int) int64 {
		switch {
		case v < b.next:
			return scale + unit[u] + unit[v]
		case v < b.below && u < b.next:
			return base + 1
		case v < b.below:
			return base
		}
		return 0
	}
}

// restrict cuts the edges from some nodes to unfit partners, and returns true. If
// that would leave no best matching, it changes nothing and returns false.
func (b *bracket) restrict(nodes []int, fit func(u, v int) bool) bool {
	before, total, complete := b.matching, b.total(), true
	for _, u := range nodes {
		complete = complete && fit(u, b.mate[u])
	}
	if !complete {
		b.matching = b.clone()
	}
	for _, u := range nodes {
		for v := range b.mate {
			if u != v && !fit(u, v) {
				b.cut(u, v)
			}
		}
	}
	if complete || b.solve() && b.total() == total {
		return true
	}
	b.matching = before
	return false
}

// decide keeps only the fit partners of a node and returns true. If that would
// leave no best matching, it keeps only the unfit ones and returns false.
func (b *bracket) decide(u int, fit func(v int) bool) bool {
	if b.restrict([]int{u}, func(_, v int) bool { return fit(v) }) {
		return true
	}
	return !b.restrict([]int{u}, func(_, v int) bool { return !fit(v) })
}

// pair pairs the bracket; false means that not all remaining bots can be paired.
func (b *bracket) pair() bool {
	if !b.solve() {
		return false
	}
	var inside []int
	for u := range b.moved {
		if b.decide(u, func(v int) bool { return v < b.next }) {
			inside = append(inside, u)
		}
	}
	var rest []int
	for u := b.moved; u < b.next; u++ {
		rest = append(rest, u)
	}
	rest = b.pairEach(inside, rest)
	size := 0
	for _, u := range rest {
		if b.mate[u] < b.next {
			size++
		}
	}
	upper, lower := rest[:size/2], rest[size/2:]
	if !b.halve(upper, lower) {
		upper, lower = b.exchange(upper, lower)
		b.halve(upper, lower)
	}
	b.pairEach(upper, lower)
	return true
}

// pairEach pairs each of the upper bots in turn with the first of the lower bots
// that leaves a best matching. It returns the lower bots that are left.
func (b *bracket) pairEach(upper, lower []int) []int {
	lower = slices.Clone(lower)
	for _, u := range upper {
		at := slices.IndexFunc(lower, func(v int) bool {
			return b.weight[u][v] != noEdge && b.restrict([]int{u}, func(_, w int) bool { return w == v })
		})
		b.pairs = append(b.pairs, [2]int{min(u, lower[at]), max(u, lower[at])})
		lower = slices.Delete(lower, at, at+1)
	}
	return lower
}

// halve lets the upper bots meet only lower ones, if that leaves a best matching.
// There are as many upper bots as pairs, so no two lower bots meet either.
func (b *bracket) halve(upper, lower []int) bool {
	return b.restrict(upper, func(_, v int) bool { return slices.Contains(lower, v) })
}

// exchange returns the halves after the first exchange of bots between them that
// leaves a best matching. The order of exchanges is: the fewest bots; then the
// least difference between the sums of their ranks; then the lowest ranks of the
// upper half; then the highest ranks of the lower half.
//
// A pair inside the lower half sends its better bot up. A pair inside the upper
// half sends its worse bot down, and a bot of the upper half that is left over
// goes down itself. As many go up as go down.
func (b *bracket) exchange(upper, lower []int) (_, _ []int) {
	const (
		outside = iota
		up
		down
	)
	half := make([]int, len(b.bots))
	for _, u := range upper {
		half[u] = up
	}
	for _, u := range lower {
		half[u] = down
	}
	n := int64(len(b.bots))
	one := 2*n*n + 1 // more than any difference
	floats := n * one
	next := floats * (n + 1)
	inside := next * (n + 1)
	before := b.matching
	b.weigh(func(u, v int) int64 {
		var w int64
		switch {
		case before.weight[u][v] == noEdge:
			return noEdge
		case half[u] != outside && half[v] != outside:
			w = inside
		case v >= b.next && v < b.below && u < b.next:
			w = next + floats
		case v >= b.next && v < b.below:
			w = next
		}
		switch {
		case half[u] == down && half[v] == down:
			w -= one + int64(u)
		case half[u] == up && half[v] == up:
			w += int64(v)
		case half[u] == up && half[v] == outside:
			w += int64(u)
		}
		return w
	})
	b.solve()
	var newUpper, newLower []int
	for _, u := range slices.Backward(upper) {
		if b.decide(u, func(v int) bool { return half[v] == outside || half[v] == up && v < u }) {
			newLower = append(newLower, u)
		} else {
			newUpper = append(newUpper, u)
		}
	}
	for _, u := range lower {
		if b.decide(u, func(v int) bool { return half[v] == down && v > u }) {
			newUpper = append(newUpper, u)
		} else {
			newLower = append(newLower, u)
		}
	}
	slices.Sort(newUpper)
	slices.Sort(newLower)
	return newUpper, newLower
}

// sortBoards sorts pairings in the order of boards: by the score of the better
// bot, then by the score of the other, then by the rank of the better bot.
func sortBoards(bots []swissBot, pairs [][2]int) {
	slices.SortFunc(pairs, func(p, q [2]int) int {
		return cmp.Or(
			cmp.Compare(bots[q[0]].points, bots[p[0]].points),
			cmp.Compare(bots[q[1]].points, bots[p[1]].points),
			cmp.Compare(p[0], q[0]),
		)
	})
}
