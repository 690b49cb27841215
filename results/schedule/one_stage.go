package schedule

import "slices"

// planned is a format whose matches are all known from the beginning. What a tournament adds when it grows follows what
// it had, so no match changes its number; all of it is one stage for people.
type planned struct {
	stages []stage // that the schedule does not have yet
}

func (f *planned) next(*Schedule) (stage, bool) {
	if len(f.stages) == 0 {
		return stage{}, false
	}
	first := f.stages[0]
	f.stages = f.stages[1:]
	return first, true
}

func (*planned) left(*Schedule) int   { return 0 }
func (*planned) ended(*Schedule) bool { return true }

// grown returns the matches of a tournament that may have grown: with each step first more pairs for the meetings there
// were, then the meetings with a bot that has joined. meetings returns those of some bots, in the order in which they
// joined, as their places in that order.
func grown(s *Schedule, meetings func(s *Schedule, bots []int) [][2]int) *planned {
	f := new(planned)
	var bots []int
	var met []meeting
	pairs := 0
	for _, step := range s.plan.History() {
		before := len(bots)
		for _, name := range step.Joined {
			bots = append(bots, s.index[name])
		}
		if more := step.Pairs - pairs; more > 0 && len(met) > 0 {
			f.stages = append(f.stages, stage{number: 1, meetings: slices.Clone(met), pairs: more})
		}
		first := len(met)
		for _, two := range meetings(s, bots) {
			if max(two[0], two[1]) >= before {
				met = append(met, s.meet(bots[two[0]], bots[two[1]]))
			}
		}
		pairs = step.Pairs
		if len(met) > first {
			f.stages = append(f.stages, stage{number: 1, meetings: slices.Clone(met[first:]), pairs: pairs})
		}
	}
	return f
}

// roundRobin pairs every bot with every other bot, in the order of the Berger
// tables (FIDE Handbook C.05, annex 1). A stage repeats this order for each pair
// number.
func roundRobin(_ *Schedule, bots []int) [][2]int { return berger(len(bots)) }

// berger returns the pairings of the Berger table for n players, by index, round
// after round. The first player of a pairing moves first. If n is odd, whoever
// meets the additional last player has no opponent.
//
// Number the players from 1, and take all numbers but the last modulo the number
// of players less one. In round r let 2i = r+1. On board 0, i meets the last
// player, who moves first in even rounds. On board k, i+k meets i-k.
func berger(n int) [][2]int {
	last := n + n%2
	mod := last - 1
	var table [][2]int
	for r := 1; r < last; r++ {
		i := half(r+1, mod)
		if n%2 == 0 && r%2 == 1 {
			table = append(table, [2]int{i - 1, last - 1})
		} else if n%2 == 0 {
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

// gauntlet pairs the challengers with all other bots. The others come in their
// order, and each meets one challenger after another.
func gauntlet(s *Schedule, bots []int) [][2]int {
	var meetings [][2]int
	for other, bot := range bots {
		if slices.Contains(s.plan.Challengers, s.plan.Bots[bot]) {
			continue
		}
		for _, name := range s.plan.Challengers {
			if challenger := slices.Index(bots, s.index[name]); challenger >= 0 {
				meetings = append(meetings, [2]int{challenger, other})
			}
		}
	}
	return meetings
}
