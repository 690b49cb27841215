package results

import (
	"slices"

	"sembra/results/stats"
)

// Difference compares two players of a field, from the view of one of them.
type Difference struct {
	Player, Opponent string
	stats.Difference
}

// Differences compares each player with each other one, in the order of the given players, which are indexes. Players
// of one group are compared by their ratings. If two others have met and one of them won everything, the result has
// the bound that these games give, and the probability of superiority. Nothing is known about other players.
func (f RatedPlayers) Differences(order []int) []Difference {
	direct := stats.DirectResults(f.Games)
	var all []Difference
	for _, a := range order {
		for _, b := range order {
			if a != b {
				all = append(all, Difference{f.Names[a], f.Names[b], f.difference(direct, a, b)})
			}
		}
	}
	return all
}

// difference compares two players. direct is the games of each two, the lesser one first.
func (f RatedPlayers) difference(direct map[[2]int]stats.Direct, a, b int) stats.Difference {
	if d := f.Field.Difference(a, b); d.Elo != nil {
		return d
	}
	match := direct[[2]int{min(a, b), max(a, b)}]
	if a > b {
		match = match.Swap()
	}
	figures, _ := match.Figures()
	if figures.Score == nil || figures.Elo != nil {
		return stats.Difference{}
	}
	return stats.Difference{Low: figures.EloLow, High: figures.EloHigh, Superiority: figures.Superiority}
}

// Order returns the players in an order that the results give if they rate nobody: nobody took points from a player of
// an earlier line. The players of a line did not take points from each other. It is nil if somebody is rated. A player
// without a game that counts is left out.
func (f RatedPlayers) Order() [][]int {
	if f.Groups > 0 {
		return nil
	}
	beaten := make([][]int, len(f.Names)) // by player: those who took points from it
	left := make(map[int]bool)
	for _, g := range f.Games {
		left[g.First], left[g.Second] = true, true
		if g.Score < 1 {
			beaten[g.First] = append(beaten[g.First], g.Second)
		}
		if g.Score > 0 {
			beaten[g.Second] = append(beaten[g.Second], g.First)
		}
	}
	var order [][]int
	for len(left) > 0 {
		var line []int
		for player := range left {
			if !slices.ContainsFunc(beaten[player], func(better int) bool { return left[better] }) {
				line = append(line, player)
			}
		}
		slices.Sort(line)
		for _, player := range line {
			delete(left, player)
		}
		order = append(order, line)
	}
	return order
}
