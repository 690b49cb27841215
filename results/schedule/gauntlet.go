package schedule

import "slices"

// gauntlet is the challengers against all others. For each pair number the
// others come in the order of the tournament, and meet one challenger after
// another.
type gauntlet struct{ whole }

func (g gauntlet) next(s *Schedule) (stage, bool) {
	if len(s.stages) > 0 {
		return stage{}, false
	}
	var meetings []int32
	for other, name := range s.plan.Bots {
		if slices.Contains(s.plan.Challengers, name) {
			continue
		}
		for _, challenger := range s.plan.Challengers {
			meetings = append(meetings, s.meet(s.index[challenger], other))
		}
	}
	return g.single(s, meetings)
}
