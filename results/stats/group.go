package stats

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// groups returns the groups of players that can be rated against each other, the largest first. A group is a
// strongly connected component of at least two players, in the graph with an edge from every player to
// those from whom it took points. The likelihood has a maximum only inside a group. Sources: E.
// Zermelo, Die Berechnung der Turnier-Ergebnisse (1929); L. R. Ford, Solution of a ranking problem from
// binary comparisons (1957).
func groups(all []cell) [][]int {
	graph := simple.NewDirectedGraph()
	for _, c := range all {
		first, second := simple.Node(c.first), simple.Node(c.second)
		if c.firstScored() {
			graph.SetEdge(simple.Edge{F: first, T: second})
		}
		if c.secondScored() {
			graph.SetEdge(simple.Edge{F: second, T: first})
		}
	}
	var found [][]int
	for _, component := range topo.TarjanSCC(graph) {
		if len(component) < 2 {
			continue
		}
		var members []int
		for _, node := range component {
			members = append(members, int(node.ID()))
		}
		slices.Sort(members)
		found = append(found, members)
	}
	slices.SortFunc(found, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0]))
	})
	return found
}
