package schedule

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkFactor checks that matchings of a graph are perfect and share no edge.
func checkFactor(t *testing.T, g graph, found [][][2]int) {
	t.Helper()
	for i, pairs := range found {
		seen := make([]bool, len(g))
		for _, p := range pairs {
			if !g[p[0]][p[1]] {
				t.Errorf("matching %d: no edge %v is left", i, p)
			}
			seen[p[0]], seen[p[1]] = true, true
		}
		g = g.without(pairs...)
		for u, ok := range seen {
			if !ok {
				t.Errorf("matching %d: node %d is free", i, u)
			}
		}
	}
}

func TestFactorOfCompleteGraphs(t *testing.T) {
	t.Parallel()
	for n := 2; n <= rounds(20, 40); n += 2 {
		g := newGraph(n)
		found := factor(g, n-1)
		if len(found) != n-1 {
			t.Errorf("%d nodes: %d matchings", n, len(found))
		}
		checkFactor(t, g, found)
	}
}

// join adds edges to a graph.
func (g graph) join(edges ...[2]int) graph {
	for _, e := range edges {
		g[e[0]][e[1]], g[e[1]][e[0]] = true, true
	}
	return g
}

// noGraph returns the graph of n nodes without edges.
func noGraph(n int) graph {
	g := make(graph, n)
	for u := range g {
		g[u] = make([]bool, n)
	}
	return g
}

func TestFactorFindsNone(t *testing.T) {
	t.Parallel()
	triangles := noGraph(6).join([2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0}, [2]int{3, 4}, [2]int{4, 5}, [2]int{5, 3})
	if found := factor(triangles, 1); found != nil {
		t.Errorf("two triangles: %v", found)
	}
	// The Petersen graph has perfect matchings, but no two that share no edge and
	// leave a third: each leaves two cycles of five.
	petersen := noGraph(10)
	for i := range 5 {
		petersen.join([2]int{i, (i + 1) % 5}, [2]int{i, i + 5}, [2]int{i + 5, (i+2)%5 + 5})
	}
	if found := factor(petersen, 1); len(found) != 1 {
		t.Errorf("Petersen graph, 1: %v", found)
	}
	for count := 2; count <= 3; count++ {
		if found := factor(petersen, count); found != nil {
			t.Errorf("Petersen graph, %d: %v", count, found)
		}
	}
}

// TestFactorGoesOn: without the first of the matchings, factor finds all the others.
func TestFactorGoesOn(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	tried := 0
	for range rounds(40, 100) {
		g := newGraph(2 * (2 + rng.IntN(5)))
		for range rng.IntN(3 * len(g)) {
			u, v := rng.IntN(len(g)), rng.IntN(len(g))
			g = g.without([2]int{u, v})
		}
		count := 1 + rng.IntN(len(g)-1)
		found := factor(g, count)
		if found == nil {
			continue
		}
		tried++
		checkFactor(t, g, found)
		if diff := cmp.Diff(found, factor(g, count)); diff != "" {
			t.Fatalf("found differs from one time to the other: %s", diff)
		}
		if next := factor(g.without(found[0]...), count-1); len(next) != count-1 {
			t.Fatalf("%d nodes: %d matchings, then %d", len(g), count, len(next))
		}
	}
	if tried < 12 {
		t.Errorf("only %d graphs had matchings", tried)
	}
}
