package stats

// firstMoverTold says whether the games of the groups tell the advantage of moving first.
//
// The likelihood has one finite maximum unless it never falls along some direction: ratings that change
// by d and an advantage that changes by a. It never falls if for every x who took points from y
// d(x) - d(y) + a >= 0 where x moved first, and d(x) - d(y) - a >= 0 where x moved second. Inside groups
// a = 0 leaves only the shift of a whole group. For a = 1 these are difference constraints, which have a
// solution unless the graph with an edge from x to y, of weight +1 where x moved first and -1 where it
// moved second, has a cycle whose weight is negative; and for a = -1 unless it has one whose weight is
// positive. So the games tell it if there are both.
func firstMoverTold(inner []cell, players int) bool {
	return negativeCycle(inner, players, 1) && negativeCycle(inner, players, -1)
}

// negativeCycle looks by the method of Bellman and Ford for a cycle of negative weight, where an edge
// weighs first if its winner moved first, and -first if it moved second.
func negativeCycle(inner []cell, players, first int) bool {
	distance := make([]int, players) // from a source that is 0 from all
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
				return true // no path without a cycle is as long
			}
		}
	}
}
