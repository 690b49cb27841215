package schedule

import (
	"slices"

	"sembra/results"
)

// oneStage is a format with one stage, which is known from the beginning.
type oneStage struct {
	untested
	meetings func(s *Schedule) []meeting
}

func (f oneStage) next(s *Schedule) (stage, bool) {
	if len(s.stages) > 0 {
		return stage{}, false
	}
	return stage{number: 1, meetings: f.meetings(s), pairs: s.plan.Pairs}, true
}

func (oneStage) left(*Schedule) int   { return 0 }
func (oneStage) ended(*Schedule) bool { return true }

// untested is a format in which all matches are played, whatever their results.
type untested struct{}

func (untested) add(int, results.Summary) {}
func (untested) over() bool               { return false }

// roundRobin pairs every bot with every other bot, in the order of the Berger
// tables (FIDE Handbook C.05, annex 1). A stage repeats this order for each pair
// number, so more pairs add matches at the end and renumber none.
func roundRobin(s *Schedule) (meetings []meeting) {
	for _, two := range berger(len(s.plan.Bots)) {
		meetings = append(meetings, s.meet(two[0], two[1]))
	}
	return meetings
}

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

// gauntlet pairs the challengers with all other bots. The others come in the
// order of the tournament, and each meets one challenger after another.
func gauntlet(s *Schedule) (meetings []meeting) {
	for other, name := range s.plan.Bots {
		if slices.Contains(s.plan.Challengers, name) {
			continue
		}
		for _, challenger := range s.plan.Challengers {
			meetings = append(meetings, s.meet(s.index[challenger], other))
		}
	}
	return meetings
}

// sequential is a format in which two bots play one pair after another until a
// test is decided.
type sequential struct {
	oneStage
	test *results.SequentialTest
}

func firstTwo(s *Schedule) []meeting { return []meeting{s.meet(0, 1)} }

func (q sequential) add(number int, m results.Summary) { q.test.Add(number, m) }
func (q sequential) over() bool                        { return q.test.Over() }

// Test returns the state of a sequential test after the added records; nil for
// other formats.
func (s *Schedule) Test() *results.SequentialTest {
	if q, ok := s.format.(sequential); ok {
		return q.test
	}
	return nil
}
