package results

import "sembra/results/stats"

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
