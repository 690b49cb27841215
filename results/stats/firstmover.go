package stats

// firstMoverShown reports whether the games of the groups show the advantage of moving first.
//
// The likelihood has one finite maximum unless there is a direction in which it never falls: ratings change
// by d, and the advantage by a. It never falls if for every x who took points from y,
// d(x) - d(y) + a >= 0 when x moved first, and d(x) - d(y) - a >= 0 when x moved second. Inside groups,
// a = 0 allows only the shift of a whole group. For a = 1 these are difference constraints. They have a
// solution unless there is a cycle of negative weight in the graph with an edge from x to y, of weight +1
// when x moved first and -1 when x moved second. For a = -1 they have one unless there is a cycle of
// positive weight. So the games show the advantage if there are both kinds of cycles.
func firstMoverShown(inner []cell, players int) bool {
	return negativeCycle(inner, players, 1) && negativeCycle(inner, players, -1)
}

// negativeCycle reports whether there is a cycle of negative weight, by the method of Bellman and Ford. An
// edge has the weight first if its winner moved first, and -first if its winner moved second.
func negativeCycle(inner []cell, players, first int) bool {
	distance := make([]int, players) // from a source with an edge of weight 0 to every player
	for {
		changed := false
		relax := func(from, to, weight int) {
			if near := distance[from] + weight; near < distance[to] {
				distance[to], changed = near, true
			}
		}
		for _, c := range inner {
			if c.firstScored() {
				relax(c.first, c.second, first)
			}
			if c.secondScored() {
				relax(c.second, c.first, -first)
			}
		}
		if !changed {
			return false
		}
		for _, d := range distance {
			if d <= -players {
				return true // no path without a cycle is so short
			}
		}
	}
}
