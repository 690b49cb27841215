package schedule

import (
	"cmp"
	"math"
	"slices"

	"sembra/results"
)

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

// swissBot is what the pairing of a stage knows of one bot.
type swissBot struct {
	points float64 // so far, those of a bye too
	bye    bool    // it has had one
	met    []int   // its opponents so far
}

// swissStage pairs the next stage of a Swiss tournament. The bots are in the
// order of their pairing numbers, the best first; left counts the stages that
// are still to be played, this one too, and there are fewer stages than bots.
// The pairings are in the order of boards, the better bot first. With an odd
// number of bots one has a bye, otherwise bye is -1. The answer is a function
// of the arguments alone.
//
// The rules are those of the FIDE Handbook, C.04.3, the Dutch system, as far
// as they have a meaning where each two bots meet in two matches with the seats
// swapped. Kept are, the most important first: nobody meets twice; nobody has
// two byes; everybody is paired; the bye goes to the lowest score that it can
// go to, there to the bot that leaves the least floaters, from the top, and of
// such to the last. Then, bracket by
// bracket from the top: as many pairs as possible; of the bots moved down as
// many as possible, those with the highest scores first; floaters that leave as
// many pairs as possible in the next bracket and can be paired there
// themselves. Among the pairings that are equal by these, the first in the
// order of the handbook: those moved down against the best residents, then the
// upper half of the rest against the lower half, transpositions of the lower
// half, exchanges between the halves.
//
// Criteria on colours do not apply. Those on bots that float in two stages
// running are left out, and so is, beyond the number of those that are paired,
// the score of floaters in the next bracket.
//
// One rule is added: the stages that are left must be possible too. With as
// many stages as half the bots or fewer this is always so; with more, the
// pairings that are left could fall into parts with odd numbers of bots.
func swissStage(bots []swissBot, left int) (pairings [][2]int, bye int) {
	ranked := make([]int, len(bots))
	for i := range ranked {
		ranked[i] = i
	}
	slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(bots[b].points, bots[a].points) })
	p := &pairer{bots: bots, ranked: ranked, unmet: unmet(bots), left: left}
	pairings, bye = p.pair()
	sortBoards(bots, pairings)
	return pairings, bye
}

// unmet returns the graph of the bots that have not met. With an odd number it
// has a node more, which stands for the bye.
func unmet(bots []swissBot) graph {
	g := newGraph(len(bots) + len(bots)%2)
	for i, b := range bots {
		for _, j := range b.met {
			g[i][j], g[j][i] = false, false
		}
		if b.bye && len(g) > len(bots) {
			g[i][len(bots)], g[len(bots)][i] = false, false
		}
	}
	return g
}

// pairer pairs one stage.
type pairer struct {
	bots   []swissBot
	ranked []int
	unmet  graph
	left   int
}

// byes returns the bots that can have the bye, by score, the lowest score first
// and in it the last bot first; -1 stands for none.
func (p *pairer) byes() [][]int {
	if len(p.bots)%2 == 0 {
		return [][]int{{-1}}
	}
	var byes [][]int
	score := math.NaN()
	for _, bot := range slices.Backward(p.ranked) {
		if p.bots[bot].bye {
			continue
		}
		if p.bots[bot].points != score {
			score = p.bots[bot].points
			byes = append(byes, nil)
		}
		byes[len(byes)-1] = append(byes[len(byes)-1], bot)
	}
	return byes
}

// option is a way to pair a stage.
type option struct {
	pairings [][2]int
	bye      int
	floats   []float64 // differences in score, from the first board
}

// options returns the pairings of the Dutch system with each of some bots with
// the bye, the one first that has the least floaters from the top.
func (p *pairer) options(byes []int) []option {
	var options []option
	for _, bye := range byes {
		ranked := slices.DeleteFunc(slices.Clone(p.ranked), func(bot int) bool { return bot == bye })
		pairings := dutch(p.bots, ranked, p.unmet)
		if pairings == nil {
			continue
		}
		o := option{pairings: pairings, bye: bye}
		for _, pair := range pairings {
			o.floats = append(o.floats, p.bots[pair[0]].points-p.bots[pair[1]].points)
		}
		options = append(options, o)
	}
	slices.SortStableFunc(options, func(a, b option) int { return slices.Compare(a.floats, b.floats) })
	return options
}

// pair returns a pairing after which the stages left are possible: the one of
// the Dutch system; or the one that it gives where one of its pairs must not
// meet, from the last pair up; and so for each bye, as far as a bounded number
// of tries goes. After that it falls back on stages that are possible together:
// the one with the best bye, then with the least differences in score, that
// lasts. The first of them always does, for the search that found it goes on to
// find the others.
func (p *pairer) pair() (pairings [][2]int, bye int) {
	tries := effort(len(p.unmet))
	for _, byes := range p.byes() {
		for _, o := range p.options(byes) {
			if p.lasts(o.pairings, o.bye) {
				return o.pairings, o.bye
			}
			ranked := slices.DeleteFunc(slices.Clone(p.ranked), func(bot int) bool { return bot == o.bye })
			for _, pair := range slices.Backward(o.pairings) {
				if tries--; tries < 0 {
					return p.fallback()
				}
				other := dutch(p.bots, ranked, p.unmet.without(pair))
				if other != nil && p.lasts(other, o.bye) {
					return other, o.bye
				}
			}
		}
	}
	return p.fallback()
}

// fallback returns one of stages that are possible together, nil and -1 if none
// are found, which does not happen after stages that all looked so far ahead.
func (p *pairer) fallback() (pairings [][2]int, bye int) {
	stages := factor(p.unmet, p.left)
	if stages == nil {
		return nil, -1
	}
	sorted := slices.Clone(stages)
	slices.SortStableFunc(sorted, func(a, b [][2]int) int { return slices.Compare(p.faults(a), p.faults(b)) })
	for _, stage := range sorted[:min(len(sorted), effort(len(p.unmet)))] {
		if pairings, bye := p.split(stage); p.lasts(pairings, bye) {
			return pairings, bye
		}
	}
	return p.split(stages[0])
}

// faults returns how bad a stage is: the points of the bot with the bye, then
// the sum of the squares of the differences in points.
func (p *pairer) faults(stage [][2]int) []float64 {
	pairings, bye := p.split(stage)
	faults := make([]float64, 2)
	if bye >= 0 {
		faults[0] = p.bots[bye].points
	}
	for _, pair := range pairings {
		d := p.bots[pair[0]].points - p.bots[pair[1]].points
		faults[1] += d * d
	}
	return faults
}

// split takes the bye out of a perfect matching.
func (p *pairer) split(matching [][2]int) (pairings [][2]int, bye int) {
	bye = -1
	for _, pair := range matching {
		if slices.Contains(pair[:], len(p.bots)) {
			bye = min(pair[0], pair[1])
			continue
		}
		if slices.Index(p.ranked, pair[0]) > slices.Index(p.ranked, pair[1]) {
			pair[0], pair[1] = pair[1], pair[0]
		}
		pairings = append(pairings, pair)
	}
	return pairings, bye
}

// lasts tells whether a pairing leaves the stages after it possible. A graph in
// which each node is joined with half of the nodes has a perfect matching (G. A.
// Dirac, Some theorems on abstract graphs, Proc. London Math. Soc. 2, 1952), and
// a stage takes one edge from each node; so with enough of them nothing needs to
// be looked for.
func (p *pairer) lasts(pairings [][2]int, bye int) bool {
	if last := p.unmet.degree() - (p.left - 1); p.left == 1 || last >= len(p.unmet)/2 {
		return true
	}
	used := slices.Clone(pairings)
	if bye >= 0 {
		used = append(used, [2]int{bye, len(p.bots)})
	}
	return factor(p.unmet.without(used...), p.left-1) != nil
}
