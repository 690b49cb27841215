package schedule

// roundRobin is every bot against every other, for each pair number in the
// order of the Berger tables (FIDE Handbook C.05, annex 1). So a larger number
// of pairs adds slots at the end and moves none.
type roundRobin struct{ whole }

func (r roundRobin) next(s *Schedule) (stage, bool) {
	if len(s.stages) > 0 {
		return stage{}, false
	}
	var meetings []int32
	for _, two := range berger(len(s.plan.Bots)) {
		meetings = append(meetings, s.meet(two[0], two[1]))
	}
	return r.single(s, meetings)
}

// berger returns the pairings of the Berger table for n players, by index,
// round after round, the one who moves first first. With an odd number one
// more, the last, stands for no opponent.
//
// With the players numbered from 1 and all but the last number taken modulo the
// size less one: in round r let 2i = r+1; board 0 is i against the last, who
// moves first in even rounds; board k is i+k against i-k.
func berger(n int) [][2]int {
	last := n + n%2
	mod := last - 1
	var table [][2]int
	for r := 1; r < last; r++ {
		i := half(r+1, mod)
		switch {
		case n%2 == 1: // the bye
		case r%2 == 1:
			table = append(table, [2]int{i - 1, last - 1})
		default:
			table = append(table, [2]int{last - 1, i - 1})
		}
		for board := 1; board < last/2; board++ {
			table = append(table, [2]int{wrap(i+board, mod) - 1, wrap(i-board, mod) - 1})
		}
	}
	return table
}

// wrap returns n modulo an odd mod, as a number from 1 to mod.
func wrap(n, mod int) int { return ((n-1)%mod+mod)%mod + 1 }

// half returns the i from 1 to mod with 2i = n modulo an odd mod.
func half(n, mod int) int {
	if n%2 == 1 {
		n += mod
	}
	return wrap(n/2, mod)
}
