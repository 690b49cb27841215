package schedule

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// allMatchings returns every perfect matching, as the mates of the nodes.
func allMatchings(may graph) (all [][]int) {
	mate := slices.Repeat([]int{-1}, len(may))
	var extend func()
	extend = func() {
		u := slices.Index(mate, -1)
		if u < 0 {
			all = append(all, slices.Clone(mate))
			return
		}
		for v := range mate {
			if mate[v] < 0 && may[u][v] {
				mate[u], mate[v] = v, u
				extend()
				mate[u], mate[v] = -1, -1
			}
		}
	}
	extend()
	return all
}

// firstBracket is the first bracket of bots in order of rank, some of which have
// been moved down. Its methods compare pairings of all bots.
type firstBracket struct {
	points             []float64
	moved, next, below int
}

// criteria returns numbers to compare pairings by: the first difference decides, and
// the higher number is better.
func (b firstBracket) criteria(mate []int) []int {
	pairs, nextPairs, paired := 0, 0, 0
	for u, v := range mate {
		switch {
		case u > v:
		case v < b.next:
			pairs++
		case v < b.below:
			nextPairs++
			if u < b.next {
				paired++
			}
		}
	}
	all := []int{pairs}
	for u := 0; u < b.moved; {
		count, score := 0, b.points[u]
		for ; u < b.moved && b.points[u] == score; u++ {
			if mate[u] < b.next {
				count++
			}
		}
		all = append(all, count)
	}
	return append(all, nextPairs, paired)
}

// place returns numbers for the order of pairings that are equal by the criteria: the
// lower numbers are first. It tries all exchanges between the halves.
func (b firstBracket) place(mate []int) []int {
	var place, rest, inside []int
	for u := range b.moved {
		if mate[u] < b.next {
			inside = append(inside, u)
			place = append(place, u)
		}
	}
	for _, u := range inside {
		place = append(place, mate[u])
	}
	size := 0
	for u := b.moved; u < b.next; u++ {
		if mate[u] >= b.moved {
			rest = append(rest, u)
			if mate[u] < b.next {
				size++
			}
		}
	}
	size /= 2
	var best []int
	for set := range 1 << len(rest) { // the new upper half
		var upper, up, down []int
		var key []int
		for i, u := range rest {
			if set>>i&1 == 1 {
				upper = append(upper, u)
			}
			switch {
			case set>>i&1 == 1 && i >= size:
				up = append(up, u)
			case set>>i&1 == 0 && i < size:
				down = append(down, -u)
			}
		}
		if len(upper) != size {
			continue
		}
		difference := 0
		for i := range up {
			difference += up[i] + down[i]
		}
		slices.Sort(down)
		key = append(append(append(key, len(up), difference), down...), up...)
		fits := true
		for _, u := range upper {
			fits = fits && mate[u] < b.next && !slices.Contains(upper, mate[u])
			key = append(key, mate[u])
		}
		if fits && (best == nil || slices.Compare(key, best) < 0) {
			best = key
		}
	}
	return append(place, best...)
}

// TestDutchAgainstAll compares each bracket with the best of all pairings, in
// the order of the handbook.
func TestDutchAgainstAll(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	exchanged := 0
	for i := range rounds(1000, 3000) {
		n := 2 * (1 + rng.IntN(4))
		bots := make([]swissBot, n)
		for u := range bots {
			bots[u].points = float64(rng.IntN(1 + rng.IntN(4)))
		}
		slices.SortFunc(bots, func(a, b swissBot) int { return cmp.Compare(b.points, a.points) })
		may := newGraph(n)
		for range rng.IntN(n * n / 2) {
			u, v := rng.IntN(n), rng.IntN(n)
			may[u][v], may[v][u] = false, false
		}
		ranked := make([]int, n)
		for u := range ranked {
			ranked[u] = u
		}
		moved := 0
		for len(ranked) > 0 {
			b := newBracket(bots, ranked, moved, may)
			all := allMatchings(restOf(may, ranked))
			if ok := b.pair(); ok != (len(all) > 0) {
				t.Fatalf("field %d: paired: %v, of %d pairings", i, ok, len(all))
			} else if !ok {
				break
			}
			first := firstBracket{moved: moved, next: b.next, below: b.below}
			for _, bot := range ranked {
				first.points = append(first.points, bots[bot].points)
			}
			best := slices.MinFunc(all, func(x, y []int) int {
				return cmp.Or(slices.Compare(first.criteria(y), first.criteria(x)), slices.Compare(first.place(x), first.place(y)))
			})
			var want [][2]int
			for u, v := range best {
				if u < v && v < b.next {
					want = append(want, [2]int{u, v})
				}
			}
			got := slices.Clone(b.pairs)
			slices.SortFunc(got, func(p, q [2]int) int { return cmp.Compare(p[0], q[0]) })
			if !slices.Equal(got, want) {
				t.Fatalf("field %d: points %v, %d moved down: %v, want %v", i, first.points, moved, got, want)
			}
			if len(want) > 0 && moved == 0 && best[want[0][0]] < len(want) {
				exchanged++
			}
			for _, p := range b.pairs {
				ranked[p[0]], ranked[p[1]] = -1, -1
			}
			moved = b.next - 2*len(b.pairs)
			ranked = slices.DeleteFunc(ranked, func(bot int) bool { return bot < 0 })
		}
	}
	if exchanged < 6 {
		t.Errorf("only %d exchanges", exchanged)
	}
}

// restOf returns the part of a graph with some nodes.
func restOf(g graph, nodes []int) graph {
	rest := noGraph(len(nodes))
	for i, u := range nodes {
		for j, v := range nodes {
			rest[i][j] = g[u][v]
		}
	}
	return rest
}
