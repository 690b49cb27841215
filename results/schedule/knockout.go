package schedule

import "sembra/results"

// knockout is a seeded bracket: the loser of a tie is out. The bots are in the
// order of their seeds. A tie that is level after its pairs continues pair by
// pair, together with the other level ties of its stage. After the greatest
// number of extra pairs, the better seed advances.
type knockout struct {
	untested
	ties   [][2]int   // of the current stage, as indexes of bots, the better seed first; second -1: a bye
	past   [][][2]int // the ties of the earlier stages
	number int        // of the current stage, from 1
	extra  int        // extra pairs that its level ties have played
}

func (k *knockout) next(s *Schedule) (stage, bool) {
	if k.number == 0 {
		k.ties = knockoutFirst(len(s.plan.Bots))
		return k.begin(s), true
	}
	if level := k.level(s); len(level) > 0 && k.extra < s.plan.ExtraPairs {
		k.extra++
		return stage{number: k.number, meetings: level, pairs: 1}, true
	}
	if len(k.ties) == 0 {
		return stage{}, false
	}
	var winners []int
	for _, tie := range k.ties {
		points, _ := k.points(s, tie)
		winners = append(winners, knockoutWinner(tie, points))
	}
	k.past = append(k.past, k.ties)
	if k.ties = knockoutNext(winners); len(k.ties) == 0 {
		s.merits[winners[0]].Reached = k.number + 1
		return stage{}, false
	}
	return k.begin(s), true
}

// begin begins the stage of the current ties.
func (k *knockout) begin(s *Schedule) stage {
	k.number++
	k.extra = 0
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

// points returns the points of a tie so far, and the number of its recorded matches; both are 0 for a bye.
func (k *knockout) points(s *Schedule, tie [2]int) (points [2]float64, recorded int) {
	if tie[1] < 0 {
		return points, 0
	}
	return s.points(&s.pairings[s.of[tie[0]*len(s.plan.Bots)+tie[1]]-1])
}

// level returns a further meeting for each current tie that is level.
func (k *knockout) level(s *Schedule) []meeting {
	var level []meeting
	for _, tie := range k.ties {
		if points, _ := k.points(s, tie); points[0] == points[1] && tie[1] >= 0 {
			level = append(level, s.meet(tie[0], tie[1]))
		}
	}
	return level
}

// results returns the results of all ties.
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

// result returns the result of a tie so far; over says that its stage is over.
func (k *knockout) result(s *Schedule, stage int, tie [2]int, over bool) results.Tie {
	t := results.Tie{Stage: stage, Bots: [2]string{s.plan.Bots[tie[0]], ""}}
	if tie[1] < 0 {
		t.Winner = t.Bots[0]
		return t
	}
	points, recorded := k.points(s, tie)
	t.Bots[1], t.Points, t.Pairs = s.plan.Bots[tie[1]], points, recorded/2
	level := points[0] == points[1]
	if over || !level && recorded == 2*s.plan.Pairs {
		t.Winner, t.BySeed = s.plan.Bots[knockoutWinner(tie, points)], level
	}
	return t
}

// left counts the matches of future ties: each tie puts out one bot, and one bot is
// left at the end.
func (k *knockout) left(s *Schedule) int {
	return 2 * s.plan.Pairs * (len(s.plan.Bots) - 1 - len(s.pairings))
}

func (k *knockout) ended(*Schedule) bool { return k.number > 0 && len(k.ties) == 0 }

// knockoutFirst returns the ties of the first stage of a knockout of n bots, n at
// least 2, as seeds from 0. The number of places is the least power of two that
// is at least n. The first seed meets the last place, the second seed the last
// but one, and so on. The ties are in the order of the bracket, so the first two
// seeds can meet only in the final, and the first four only from the semi-finals
// on. A place without a bot is -1, a bye. The best seeds get the byes, and a bye
// is the second of its tie.
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

// knockoutNext returns the ties of the next stage. The winners are in the order of
// the ties that they won: neighbours meet, and the better seed is first. There
// are no ties after the final.
func knockoutNext(winners []int) (ties [][2]int) {
	for i := 0; i+1 < len(winners); i += 2 {
		a, b := winners[i], winners[i+1]
		ties = append(ties, [2]int{min(a, b), max(a, b)})
	}
	return ties
}

// knockoutWinner returns the winner of a tie: the bot with more points, or the
// better seed if they are level. The bot with a bye wins its tie.
func knockoutWinner(tie [2]int, points [2]float64) int {
	switch {
	case tie[1] < 0 || points[0] > points[1]:
		return tie[0]
	case points[1] > points[0]:
		return tie[1]
	}
	return min(tie[0], tie[1])
}
