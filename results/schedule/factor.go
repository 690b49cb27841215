package schedule

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
)

// graph says which nodes are joined.
type graph [][]bool

// newGraph returns the complete graph of n nodes.
func newGraph(n int) graph {
	g := make(graph, n)
	for u := range g {
		g[u] = make([]bool, n)
		for v := range g {
			g[u][v] = u != v
		}
	}
	return g
}

// without returns the graph without the edges of some pairs.
func (g graph) without(pairs ...[2]int) graph {
	c := make(graph, len(g))
	for u := range g {
		c[u] = append([]bool(nil), g[u]...)
	}
	for _, p := range pairs {
		c[p[0]][p[1]], c[p[1]][p[0]] = false, false
	}
	return c
}

// degree returns the smallest number of edges at a node.
func (g graph) degree() int {
	least := len(g)
	for _, row := range g {
		d := 0
		for _, joined := range row {
			if joined {
				d++
			}
		}
		least = min(least, d)
	}
	return least
}

// effort returns how often a search in a graph of n nodes starts anew: fewer times
// in a larger graph, where each takes longer.
func effort(n int) int { return max(3, 400/max(n, 1)) }

// factor looks for a number of perfect matchings of a graph that share no edge. It
// is a bounded search that draws random matchings. The graph is the seed, so the
// result depends on the arguments alone; nil means that none were found.
//
// If it finds matchings of g, it also finds matchings of g without the first of
// them, because the rest of the search is the same.
func factor(g graph, count int) [][][2]int {
	for attempt := range effort(len(g)) {
		if found, ok := peel(g, count, attempt); ok {
			return found
		}
	}
	return nil
}

// peel draws perfect matchings one by one. It has several tries for each of the
// last few.
func peel(g graph, count, attempt int) (found [][][2]int, ok bool) {
	if count == 0 {
		return nil, true
	}
	rng := rand.New(rand.NewPCG(g.hash(), uint64(attempt)))
	tries := 1
	if count <= 4 {
		tries = 6
	}
	for range tries {
		first, ok := randomMatching(g, rng)
		if !ok {
			return nil, false
		}
		if rest, ok := peel(g.without(first...), count-1, attempt); ok {
			return append([][][2]int{first}, rest...), true
		}
	}
	return nil, false
}

// hash returns a hash of the graph.
func (g graph) hash() uint64 {
	h := fnv.New64a()
	row := make([]byte, 0, len(g))
	for u := range g {
		row = row[:0]
		for v := range u {
			if g[u][v] {
				row = binary.AppendUvarint(row, uint64(v+1))
			}
		}
		h.Write(append(row, 0))
	}
	return h.Sum64()
}

// randomMatching draws a perfect matching. It matches nodes in random order with a
// random free neighbour each, and the rest by augmenting paths.
func randomMatching(g graph, rng *rand.Rand) (pairs [][2]int, ok bool) {
	weight := make([][]int64, len(g))
	name := rng.Perm(len(g))
	for u := range weight {
		weight[u] = make([]int64, len(g))
		for v := range weight {
			if !g[name[u]][name[v]] {
				weight[u][v] = noEdge
			}
		}
	}
	m := newMatching(weight)
	for u := range m.mate {
		if m.mate[u] >= 0 {
			continue
		}
		seen := 0
		for v := range m.mate {
			if m.mate[v] < 0 && weight[u][v] != noEdge {
				if seen++; rng.IntN(seen) == 0 {
					m.mate[u] = v
				}
			}
		}
		if m.mate[u] >= 0 {
			m.mate[m.mate[u]] = u
		}
	}
	if !m.solve() {
		return nil, false
	}
	for u, v := range m.mate {
		if u < v {
			pairs = append(pairs, [2]int{name[u], name[v]})
		}
	}
	return pairs, true
}
