package schedule

import (
	"math"
	"slices"
)

// noEdge is the weight between two nodes without an edge.
const noEdge = math.MinInt64

// infinite is greater than any slack.
const infinite = math.MaxInt64

// matching is a graph with weighted edges and its perfect matching of greatest
// weight. The primal-dual method finds it (J. Edmonds, Maximum matching and a
// polyhedron with 0,1-vertices, J. Res. NBS 69B, 1965) in time O(n³), as in Z.
// Galil, Efficient algorithms for finding maximum matching in graphs, ACM
// Computing Surveys 18, 1986.
//
// The duals remain after a solution. So when edges have been cut, solve repairs
// the matching in time O(n²) for each edge that it must replace.
type matching struct {
	weight [][]int64 // symmetric, from -2^48 to 2^48, or noEdge
	mate   []int     // by node; -1: none yet
	dual   []int64   // by node; dual[u]+dual[v] >= 2 weight[u][v], equal for matched nodes
}

// newMatching returns a graph in which nothing is matched. It keeps the symmetric
// matrix of weights.
func newMatching(weight [][]int64) *matching {
	m := &matching{weight: weight, mate: make([]int, len(weight)), dual: make([]int64, len(weight))}
	for u, row := range weight {
		m.mate[u] = -1
		m.dual[u] = slices.Max(row)
		if m.dual[u] == noEdge {
			m.dual[u] = 0
		}
	}
	return m
}

// clone returns a copy that shares no memory.
func (m *matching) clone() *matching {
	c := &matching{mate: slices.Clone(m.mate), dual: slices.Clone(m.dual)}
	for _, row := range m.weight {
		c.weight = append(c.weight, slices.Clone(row))
	}
	return c
}

// cut removes the edge between two nodes.
func (m *matching) cut(u, v int) {
	m.weight[u][v], m.weight[v][u] = noEdge, noEdge
	if m.mate[u] == v {
		m.mate[u], m.mate[v] = -1, -1
	}
}

// slack returns by how much the duals of an edge exceed its weight.
func (m *matching) slack(u, v int) int64 {
	if m.weight[u][v] == noEdge {
		return infinite
	}
	return m.dual[u] + m.dual[v] - 2*m.weight[u][v]
}

// total returns the weight of the matching.
func (m *matching) total() (sum int64) {
	for u, v := range m.mate {
		if u < v {
			sum += m.weight[u][v]
		}
	}
	return sum
}

// solve finds the perfect matching of greatest weight; false means that the graph
// has no perfect matching.
func (m *matching) solve() bool {
	m.keepTight()
	t := newTree(m)
	for root := range m.mate {
		if m.mate[root] < 0 && !t.augmentFrom(root) {
			return false
		}
	}
	t.dissolve()
	return true
}

// keepTight removes matched edges that have slack. Then it matches free nodes, in
// order, along edges without slack.
func (m *matching) keepTight() {
	for u, v := range m.mate {
		if v >= 0 && m.slack(u, v) > 0 {
			m.mate[u], m.mate[v] = -1, -1
		}
	}
	for u := range m.mate {
		for v := u + 1; v < len(m.mate) && m.mate[u] < 0; v++ {
			if m.mate[v] < 0 && m.slack(u, v) == 0 {
				m.mate[u], m.mate[v] = v, u
			}
		}
	}
}
