package schedule

import "sembra/results"

// knockout is a seeded bracket: the loser of a pairing is out. The bots are in the
// order of their seeds. A pairing that is level after its pairs continues pair by
// pair, together with the other level pairings of its stage. After the greatest
// number of extra pairs, the better seed advances.
type knockout struct {
	pairings [][2]int   // of the current stage, as indexes of bots, the better seed first; second -1: a bye
	past     [][][2]int // the pairings of the earlier stages
	number   int        // of the current stage, from 1
	extra    int        // extra pairs that its level pairings have played
}

func (k *knockout) next(s *Schedule) (stage, bool) {
	if k.number == 0 {
		k.pairings = knockoutFirst(len(s.plan.Bots))
		return k.begin(s), true
	}
	level := k.level(s)
	if len(level) > 0 && k.extra < s.plan.ExtraPairs {
		k.extra++
		return stage{number: k.number, meetings: level, pairs: 1}, true
	}
	if len(k.pairings) == 0 {
		return stage{}, false
	}
	var winners []int
	for _, two := range k.pairings {
		points, _ := k.points(s, two)
		winners = append(winners, knockoutWinner(two, points))
	}
	k.past = append(k.past, k.pairings)
	k.pairings = knockoutNext(winners)
	if len(k.pairings) == 0 {
		s.merits[winners[0]].Reached = k.number + 1
		return stage{}, false
	}
	return k.begin(s), true
}

func (k *knockout) begin(s *Schedule) stage {
	k.number++
	k.extra = 0
	st := stage{number: k.number, pairs: s.plan.Pairs}
	for _, two := range k.pairings {
		s.merits[two[0]].Reached = k.number
		if two[1] >= 0 {
			s.merits[two[1]].Reached = k.number
			st.meetings = append(st.meetings, s.meet(two[0], two[1]))
		}
	}
	return st
}

// points returns the points of a pairing so far, and the number of its recorded matches; both are 0 for a bye.
func (k *knockout) points(s *Schedule, two [2]int) (points [2]float64, recorded int) {
	if two[1] < 0 {
		return [2]float64{}, 0
	}
	return s.points(&s.pairings[s.of[two[0]*len(s.plan.Bots)+two[1]]-1])
}

// level returns a further meeting for each current pairing that is level.
func (k *knockout) level(s *Schedule) []meeting {
	var level []meeting
	for _, two := range k.pairings {
		points, _ := k.points(s, two)
		if points[0] == points[1] && two[1] >= 0 {
			level = append(level, s.meet(two[0], two[1]))
		}
	}
	return level
}

func (k *knockout) results(s *Schedule) []results.Pairing {
	var all []results.Pairing
	for i, stage := range append(k.past[:len(k.past):len(k.past)], k.pairings) {
		over := i < len(k.past)
		for _, two := range stage {
			all = append(all, k.result(s, i+1, two, over))
		}
	}
	return all
}

// result returns the result of a pairing so far; over says that its stage is over.
func (k *knockout) result(s *Schedule, stage int, two [2]int, over bool) results.Pairing {
	t := results.Pairing{Stage: stage, Bots: [2]string{s.plan.Bots[two[0]], ""}}
	if two[1] < 0 {
		t.Winner = t.Bots[0]
		return t
	}
	points, recorded := k.points(s, two)
	t.Bots[1], t.Points, t.Pairs = s.plan.Bots[two[1]], points, recorded/2
	level := points[0] == points[1]
	if over || !level && recorded == 2*s.plan.Pairs {
		t.Winner, t.BySeed = s.plan.Bots[knockoutWinner(two, points)], level
	}
	return t
}

// left counts the matches of future meetings: each pairing puts out one bot, and one bot is
// left at the end.
func (k *knockout) left(s *Schedule) int {
	return 2 * s.plan.Pairs * (len(s.plan.Bots) - 1 - len(s.pairings))
}

func (k *knockout) ended(*Schedule) bool { return k.number > 0 && len(k.pairings) == 0 }

// knockoutFirst returns the pairings of the first stage of a knockout of n bots, n at
// least 2, as seeds from 0. The number of places is the least power of two that
// is at least n. The first seed meets the last place, the second seed the last
// but one, and so on. The pairings are in the order of the bracket, so the first two
// seeds can meet only in the final, and the first four only from the semi-finals
// on. A place without a bot is -1, a bye. The best seeds get the byes, and a bye
// is the second of its pairing.
func knockoutFirst(n int) [][2]int {
	places := []int{0}
	for len(places) < n {
		var doubled []int
		for _, seed := range places {
			doubled = append(doubled, seed, 2*len(places)-1-seed)
		}
		places = doubled
	}
	var pairings [][2]int
	for i := 0; i+1 < len(places); i += 2 {
		two := [2]int{places[i], places[i+1]}
		if two[1] >= n {
			two[1] = -1
		}
		pairings = append(pairings, two)
	}
	return pairings
}

// knockoutNext returns the pairings of the next stage. The winners are in the order of
// the pairings that they won: neighbours meet, and the better seed is first. There
// are no pairings after the final.
func knockoutNext(winners []int) [][2]int {
	var pairings [][2]int
	for i := 0; i+1 < len(winners); i += 2 {
		a, b := winners[i], winners[i+1]
		pairings = append(pairings, [2]int{min(a, b), max(a, b)})
	}
	return pairings
}

// knockoutWinner returns the winner of a pairing: the bot with more points, or the
// better seed if they are level. The bot with a bye wins its pairing.
func knockoutWinner(two [2]int, points [2]float64) int {
	if two[1] >= 0 && points[1] > points[0] {
		return two[1]
	}
	return two[0]
}
