package schedule

import (
	"sembra/results"
)

// knockout is a seeded bracket: who loses a tie is out. The order of the bots
// is their seeding. A tie that is level after its pairs goes on pair by pair,
// together with the others of its stage that are level; after as many further
// pairs as there may be the better seed goes on.
type knockout struct {
	ties    [][2]int   // of the present stage, by bot; the better seed first; -1: a bye
	past    [][][2]int // the ties of the stages before
	number  int        // of the present stage, from 1
	further int        // pairs that its level ties have played
}

func (k *knockout) next(s *Schedule) (stage, bool) {
	if k.number == 0 {
		k.ties = knockoutFirst(len(s.plan.Bots))
		return k.begin(s), true
	}
	if level := k.level(s); len(level) > 0 && k.further < s.plan.ExtraPairs {
		k.further++
		return stage{number: k.number, meetings: level, before: s.plan.Pairs + k.further - 1, pairs: 1}, true
	}
	if len(k.ties) == 0 {
		return stage{}, false
	}
	var winners []int
	for _, tie := range k.ties {
		var points [2]float64
		if number, played := k.pairing(s, tie); played {
			points = s.pairings[number-1].points
		}
		winners = append(winners, knockoutWinner(tie, points))
	}
	k.past = append(k.past, k.ties)
	if k.ties = knockoutNext(winners); len(k.ties) == 0 {
		s.merits[winners[0]].Reached = k.number + 1
		return stage{}, false
	}
	return k.begin(s), true
}

// begin begins the stage of the present ties.
func (k *knockout) begin(s *Schedule) stage {
	k.number++
	k.further = 0
	st := stage{number: k.number, pairs: s.plan.Pairs}
	for _, tie := range k.ties {
		s.merits[tie[0]].Reached = k.number
		if tie[1] >= 0 {
			s.merits[tie[1]].Reached = k.number
			st.meetings = append(st.meetings, s.meet(tie[0], tie[1]))
		}
	}
	return st
}

// pairing returns the pairing of a tie; played is false for a bye.
func (k *knockout) pairing(s *Schedule, tie [2]int) (number int32, played bool) {
	if tie[1] < 0 {
		return 0, false
	}
	return s.of[tie[0]*len(s.plan.Bots)+tie[1]], true
}

// level returns the ties of the present stage that are level.
func (k *knockout) level(s *Schedule) []int32 {
	var level []int32
	for _, tie := range k.ties {
		number, played := k.pairing(s, tie)
		if played && s.pairings[number-1].points[0] == s.pairings[number-1].points[1] {
			level = append(level, number)
		}
	}
	return level
}

// results returns what came of all ties.
func (k *knockout) results(s *Schedule) []results.Tie {
	var all []results.Tie
	for i, stage := range append(k.past[:len(k.past):len(k.past)], k.ties) {
		over := i < len(k.past)
		for _, tie := range stage {
			all = append(all, k.result(s, i+1, tie, over))
		}
	}
	return all
}

// result returns what came of a tie in a stage that is over, or goes on.
func (k *knockout) result(s *Schedule, stage int, tie [2]int, over bool) results.Tie {
	number, played := k.pairing(s, tie)
	if !played {
		name := s.plan.Bots[tie[0]]
		return results.Tie{Stage: stage, Bots: [2]string{name, ""}, Winner: name}
	}
	p := &s.pairings[number-1]
	t := results.Tie{Stage: stage, Points: p.points, Pairs: p.recorded / 2}
	for i, bot := range tie {
		t.Bots[i] = s.plan.Bots[bot]
	}
	level := p.points[0] == p.points[1]
	if over || !level && p.recorded == 2*s.plan.Pairs {
		t.Winner, t.BySeed = s.plan.Bots[knockoutWinner(tie, p.points)], level
	}
	return t
}

// left counts the ties that come: each puts one bot out, and all but one go.
func (k *knockout) left(s *Schedule) int {
	return 2 * s.plan.Pairs * (len(s.plan.Bots) - 1 - len(s.pairings))
}

func (k *knockout) add(*Schedule, int, results.Summary) {}
func (k *knockout) ended(*Schedule) bool                { return k.number > 0 && len(k.ties) == 0 }
func (k *knockout) over() bool                          { return false }

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
