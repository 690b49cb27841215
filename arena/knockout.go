package arena

// knockoutFirst returns the ties of the first stage of a knockout of n bots, 2
// or more, given by seed from 0, the best first. The bracket has as many places
// as the least power of two that holds n: the first seed meets the last place,
// the second the last but one, and so on, and the ties are in the order of the
// bracket, so that the first two seeds can meet only in the final, the first
// four only from the semi-finals on. A place beyond the last seed is -1, a bye;
// the best seeds get them, and a bye is the second of its tie.
func knockoutFirst(n int) (ties [][2]int) {
	places := []int{0}
	for len(places) < n {
		var doubled []int
		for _, seed := range places {
			doubled = append(doubled, seed, 2*len(places)-1-seed)
		}
		places = doubled
	}
	for i := 0; i+1 < len(places); i += 2 {
		tie := [2]int{places[i], places[i+1]}
		if tie[1] >= n {
			tie[1] = -1
		}
		ties = append(ties, tie)
	}
	return ties
}

// knockoutNext returns the ties of the next stage from the winners of the last,
// in the order of its ties: the winners of neighbours meet, the better seed
// first. One winner is the winner of the knockout, and there are no ties left.
func knockoutNext(winners []int) (ties [][2]int) {
	for i := 0; i+1 < len(winners); i += 2 {
		a, b := winners[i], winners[i+1]
		ties = append(ties, [2]int{min(a, b), max(a, b)})
	}
	return ties
}

// knockoutWinner returns the winner of a tie with the points that its bots have
// made in it: who has more, or the better seed where they are level. A bye is
// won by the bot that has it.
func knockoutWinner(tie [2]int, points [2]float64) int {
	switch {
	case tie[1] < 0 || points[0] > points[1]:
		return tie[0]
	case points[1] > points[0]:
		return tie[1]
	}
	return min(tie[0], tie[1])
}
