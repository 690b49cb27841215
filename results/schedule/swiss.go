package schedule

import (
	"cmp"
	"math"
	"slices"
)

// swiss is stages in which bots with similar points meet; see [swissStage]. If
// the number of bots is odd, one of them has a bye in each stage. A bye is worth
// the points of as many won matches as the others play.
type swiss struct {
	sitsOut int // the bot with the bye of the current stage, which counts when the stage is over; -1: none
}

func (w *swiss) next(s *Schedule) (stage, bool) {
	if w.sitsOut >= 0 {
		s.merits[w.sitsOut].Byes++
		s.merits[w.sitsOut].ByePoints += float64(2 * s.plan.Pairs)
		w.sitsOut = -1
	}
	if len(s.stages) == s.plan.Stages {
		return stage{}, false
	}
	bots := make([]swissBot, len(s.plan.Bots))
	for i := range bots {
		bots[i].points, bots[i].byes = s.merits[i].ByePoints, s.merits[i].Byes
	}
	for i := range s.pairings {
		p := &s.pairings[i]
		points, _ := s.points(p)
		bots[p.first].points += points[0]
		bots[p.second].points += points[1]
		bots[p.first].met = append(bots[p.first].met, p.second)
	}
	st := stage{number: len(s.stages) + 1, pairs: s.plan.Pairs}
	var pairings [][2]int
	pairings, w.sitsOut = swissStage(bots)
	for _, two := range pairings {
		st.meetings = append(st.meetings, s.meet(two[0], two[1]))
	}
	return st, true
}

func (w *swiss) left(s *Schedule) int {
	return (s.plan.Stages - len(s.stages)) * 2 * s.plan.Pairs * (len(s.plan.Bots) / 2)
}

func (*swiss) ended(s *Schedule) bool { return len(s.stages) == s.plan.Stages }

// swissBot is what the pairing of a stage uses of one bot.
type swissBot struct {
	points float64 // so far, with those of byes
	byes   int
	met    []int // opponents so far, by index; naming one of two bots' meetings is enough
}

// swissStage pairs the next stage of a Swiss tournament. The bots are in the
// order of their pairing numbers, the best first. The pairings are in the order
// of boards, each with the better bot first. If the number of bots is odd, one of
// them has the bye; otherwise bye is -1. The result depends on the arguments
// alone.
//
// The most important rules come first:
//
//   - As few pairings as possible repeat an earlier one. There is none unless
//     100,000 steps of backtracking find no pairing without. Half of them begin
//     with the highest bot, the others with the one that has the fewest opponents.
//   - The bye goes to the lowest of the bots with the fewest byes.
//   - From the top, each bot meets one of its score group, the upper half the
//     lower half. Bots for which nobody is left there, the lowest if possible,
//     move down and meet the best of the next group.
func swissStage(bots []swissBot) (pairings [][2]int, bye int) {
	p := newPairer(bots)
	byes := []int{-1}
	if len(bots)%2 == 1 {
		least := slices.MinFunc(bots, func(a, b swissBot) int { return cmp.Compare(a.byes, b.byes) }).byes
		byes = slices.DeleteFunc(slices.Clone(p.ranked), func(bot int) bool { return bots[bot].byes > least })
		slices.Reverse(byes)
	}
	for repeats := 0; ; repeats++ {
		for _, hardest := range []bool{false, true} {
			p.steps, p.hardest = 50_000, hardest
			for _, bye := range byes {
				if pairings, found := p.pair(without(p.ranked, bye), repeats); found {
					p.sortBoards(pairings)
					return pairings, bye
				}
			}
		}
	}
}

// without returns a list of bots without some of them.
func without(bots []int, some ...int) []int {
	return slices.DeleteFunc(slices.Clone(bots), func(bot int) bool { return slices.Contains(some, bot) })
}

// pairer pairs the bots of a stage. Lists of bots are in order of rank.
type pairer struct {
	bots    []swissBot
	ranked  []int    // all
	met     [][]bool // by two bots; a bot has met itself
	steps   int      // of backtracking that are left
	hardest bool     // whoever has the fewest opponents is paired first, not the highest bot
}

func newPairer(bots []swissBot) *pairer {
	p := &pairer{bots: bots}
	for u := range bots {
		p.ranked = append(p.ranked, u)
		p.met = append(p.met, make([]bool, len(bots)))
		p.met[u][u] = true
	}
	for u := range bots {
		for _, v := range bots[u].met {
			p.met[u][v], p.met[v][u] = true, true
		}
	}
	slices.SortStableFunc(p.ranked, func(a, b int) int { return cmp.Compare(bots[b].points, bots[a].points) })
	return p
}

// pair pairs bots with at most so many repeats. It finds nothing if there is no such
// pairing, or no step is left to find it.
func (p *pairer) pair(bots []int, repeats int) (pairings [][2]int, found bool) {
	if len(bots) == 0 {
		return nil, true
	}
	u, fewest, stranded := bots[0], len(bots), 0
	for _, bot := range bots {
		opponents := 0
		for _, other := range bots {
			if !p.met[bot][other] {
				opponents++
			}
		}
		if opponents == 0 {
			stranded++
		}
		if p.hardest && opponents < fewest {
			u, fewest = bot, opponents
		}
	}
	if stranded > 2*repeats {
		return nil, false
	}
	for _, v := range p.candidates(u, without(bots, u)) {
		left := repeats
		if p.met[u][v] {
			left--
		}
		if left < 0 || p.steps == 0 {
			break
		}
		p.steps--
		if pairings, found := p.pair(without(bots, u, v), left); found {
			return append(pairings, [2]int{u, v}), true
		}
	}
	return nil, false
}

// candidates returns the opponents of a bot in the order in which they are tried,
// those that it has met last. The nearest in points come first. Of a score group of
// its own, its lower half does, and then the upper half backwards.
func (p *pairer) candidates(u int, others []int) []int {
	away := func(bot int) float64 { return math.Abs(p.bots[bot].points - p.bots[u].points) }
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(away(a), away(b)) })
	group := slices.IndexFunc(others, func(bot int) bool { return away(bot) > 0 })
	if group < 0 {
		group = len(others)
	}
	upper := others[:max(0, (group+1)/2-1)]
	slices.Reverse(upper)
	order := slices.Concat(others[len(upper):group], upper, others[group:])
	again := slices.DeleteFunc(slices.Clone(order), func(bot int) bool { return !p.met[u][bot] })
	return append(without(order, again...), again...)
}

// sortBoards sorts pairings in the order of boards: by the score of the better
// bot, then by the score of the other, then by the rank of the better bot.
func (p *pairer) sortBoards(pairings [][2]int) {
	order := func(a, b int) int { return cmp.Or(cmp.Compare(p.bots[b].points, p.bots[a].points), cmp.Compare(a, b)) }
	for i, two := range pairings {
		if order(two[0], two[1]) > 0 {
			pairings[i] = [2]int{two[1], two[0]}
		}
	}
	slices.SortFunc(pairings, func(a, b [2]int) int {
		return cmp.Or(
			cmp.Compare(p.bots[b[0]].points, p.bots[a[0]].points),
			cmp.Compare(p.bots[b[1]].points, p.bots[a[1]].points),
			cmp.Compare(a[0], b[0]),
		)
	})
}
