package stats

import (
	"cmp"
	"slices"
)

// cell is all games between two players in which the same one moved first.
type cell struct {
	first, second int
	games, points float64 // the points are those of first
}

// cells counts games by first and second player. The cells are in the order of their first games.
func cells(games []Game, players int) []cell {
	var all []cell
	place := make(map[int]int)
	for _, g := range games {
		key := g.First*players + g.Second
		i, ok := place[key]
		if !ok {
			i = len(all)
			place[key] = i
			all = append(all, cell{first: g.First, second: g.Second})
		}
		all[i].games++
		all[i].points += g.Score
	}
	return all
}

// withDraws adds virtual draws to the games. Half of draws draws come from each player; see [Rate].
func withDraws(all []cell, players int, draws float64) []cell {
	if draws == 0 {
		return all
	}
	played := make([]float64, players)
	for _, c := range all {
		played[c.first] += c.games
		played[c.second] += c.games
	}
	var virtual []cell
	for _, c := range all {
		each := draws / 4 * c.games * (1/played[c.first] + 1/played[c.second])
		virtual = append(virtual, cell{c.first, c.second, each, each / 2}, cell{c.second, c.first, each, each / 2})
	}
	return append(all, virtual...)
}

func (c cell) firstScored() bool { return c.points > 0 }

func (c cell) secondScored() bool { return c.points < c.games }

// groups returns the groups of players that can be rated against each other, the largest first. A group is a
// strongly connected component of at least two players, in the graph with an edge from every player to
// those from whom it took points. The likelihood has a maximum only inside a group. Sources: E.
// Zermelo, Die Berechnung der Turnier-Ergebnisse (1929); L. R. Ford, Solution of a ranking problem from
// binary comparisons (1957); M. Sharir, A strong-connectivity algorithm and its applications in data flow analysis
// (1981).
func groups(all []cell, players int) [][]int {
	beat, lostTo := make([][]int, players), make([][]int, players)
	scored := func(winner, loser int) {
		beat[winner], lostTo[loser] = append(beat[winner], loser), append(lostTo[loser], winner)
	}
	for _, c := range all {
		if c.firstScored() {
			scored(c.first, c.second)
		}
		if c.secondScored() {
			scored(c.second, c.first)
		}
	}
	var order []int
	seen := make([]bool, players)
	for player := range players {
		order = reach(beat, player, seen, order)
	}
	clear(seen)
	var found [][]int
	for _, player := range slices.Backward(order) {
		if members := reach(lostTo, player, seen, nil); len(members) > 1 {
			slices.Sort(members)
			found = append(found, members)
		}
	}
	slices.SortFunc(found, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0]))
	})
	return found
}

// reach appends the players that edges lead to from one of them, itself last and those behind another one before it. It
// leaves out those that were seen before.
func reach(edges [][]int, from int, seen []bool, found []int) []int {
	if seen[from] {
		return found
	}
	seen[from] = true
	for _, to := range edges[from] {
		found = reach(edges, to, seen, found)
	}
	return append(found, from)
}
