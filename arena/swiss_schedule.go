package arena

import "sembra/results"

// swiss is stages in which bots with like points meet, and no two of them
// twice; see [swissStage]. With an odd number of bots one has a bye in each
// stage, for the points of as many won matches as the others play.
type swiss struct {
	sitsOut int  // the bot with the bye of the present stage, -1: none. It counts when the stage is over
	stuck   bool // nobody can be paired any more. No stage before has let it come to that
}

func (w *swiss) next(s *Schedule) (stage, bool) {
	if w.sitsOut >= 0 {
		s.merits[w.sitsOut].Byes++
		s.merits[w.sitsOut].ByePoints += float64(2 * s.plan.Pairs)
		w.sitsOut = -1
	}
	number := len(s.stages) + 1
	if number > s.plan.Stages {
		return stage{}, false
	}
	bots := make([]swissBot, len(s.plan.Bots))
	for i := range bots {
		bots[i].points, bots[i].bye = s.merits[i].ByePoints, s.merits[i].Byes > 0
	}
	for i := range s.pairings {
		p := &s.pairings[i]
		for j, two := range [2][2]int{{p.first, p.second}, {p.second, p.first}} {
			bot := &bots[two[0]]
			bot.points += p.points[j]
			bot.met = append(bot.met, two[1])
		}
	}
	pairings, bye := swissStage(bots, s.plan.Stages-number+1)
	if pairings == nil {
		w.stuck = true
		return stage{}, false
	}
	w.sitsOut = bye
	st := stage{number: number, pairs: s.plan.Pairs}
	for _, two := range pairings {
		st.meetings = append(st.meetings, s.meet(two[0], two[1]))
	}
	return st, true
}

func (w *swiss) left(s *Schedule) int {
	if w.stuck {
		return 0
	}
	return (s.plan.Stages - len(s.stages)) * 2 * s.plan.Pairs * (len(s.plan.Bots) / 2)
}

func (*swiss) add(*Schedule, int, results.Summary) {}
func (w *swiss) ended(s *Schedule) bool            { return w.stuck || len(s.stages) == s.plan.Stages }
func (*swiss) over() bool                          { return false }
