package schedule

import "slices"

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
