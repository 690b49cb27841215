package schedule

import (
	"cmp"
	"math"
	"slices"

	"sembra/results"
)

// swiss is stages in which bots with similar points meet, and no two bots meet
// twice; see [swissStage]. If the number of bots is odd, one of them has a bye in
// each stage. A bye is worth the points of as many won matches as the others
// play.
type swiss struct {
	sitsOut int  // the bot with the bye of the current stage, which counts when the stage is over; -1: none
	stuck   bool // the bots cannot be paired any more; each stage looks ahead to avoid this
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

func (*swiss) add(int, results.Summary) {}
func (w *swiss) ended(s *Schedule) bool { return w.stuck || len(s.stages) == s.plan.Stages }
func (*swiss) over() bool               { return false }

// swissBot is what the pairing of a stage uses of one bot.
type swissBot struct {
	points float64 // so far, with those of a bye
	bye    bool    // it has had a bye
	met    []int   // its opponents so far, by index
}

// swissStage pairs the next stage of a Swiss tournament. The bots are in the
// order of their pairing numbers, the best first. Left is the number of stages to
// play, with this one; a tournament has fewer stages than bots. The pairings are
// in the order of boards, each with the better bot first. If the number of bots
// is odd, one of them has the bye; otherwise bye is -1. The result depends on the
// arguments alone.
//
// The rules are those of the Dutch system, FIDE Handbook C.04.3, as far as they
// make sense when two bots meet in two matches with the seats swapped. The most
// important rules come first:
//
//   - No two bots meet twice. No bot has two byes. All bots are paired.
//   - The bye goes to the lowest possible score. Among the bots with that score,
//     it goes to the one that leaves the fewest floaters, counted from the top,
//     and among those to the last.
//   - Then, for each bracket from the top: as many pairs as possible; as many of
//     the bots moved down as possible, those with the highest scores first;
//     floaters that leave as many pairs as possible in the next bracket and can
//     be paired there themselves.
//   - Of the pairings that are equal by these rules, the first in the order of
//     the handbook: the bots moved down against the best residents, then the
//     upper half of the rest against the lower half, then transpositions of the
//     lower half, then exchanges between the halves.
//
// Rules on colours do not apply. Two more rules are left out: those on bots that
// float in two stages in a row, and the scores of floaters in the next bracket.
//
// One rule is added: the later stages must be possible too. They always are if
// the number of stages is at most half the number of bots. With more stages, the
// remaining pairings could split into parts with odd numbers of bots.
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

// unmet returns the graph that joins the bots that have not met. If their number
// is odd, one more node stands for the bye.
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
	ranked []int // bots by score, the best first
	unmet  graph
	left   int // stages to play, with this one
}

// byes returns the bots that can have the bye, grouped by score: the lowest score
// first, and within a score the last bot first. If no bye is needed, it returns
// -1 alone.
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
	floats   []float64 // difference in score on each board, from the first
}

// options returns the pairing of the Dutch system for each bot that may have the
// bye, sorted by floats, the least first.
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

// pair returns a pairing after which the later stages are possible. For each bye
// it tries the pairing of the Dutch system, and then the pairings that result if
// one of its pairs is forbidden, from the last pair up. After a limited number of
// tries it uses the fallback.
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

// fallback finds pairings for all later stages at once. It returns the one with
// the best bye, and then the least differences in score, that leaves the later
// stages possible. The first one found always does, because the same search finds
// the others again. The result is nil and -1 if there are none; that cannot happen
// when all earlier stages looked ahead.
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

// faults measures how bad a pairing is: the points of the bot with the bye, then
// the sum of the squared differences in points.
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

// split separates the bye from the pairings of a perfect matching.
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

// lasts reports whether the later stages are possible after a pairing. A graph in
// which each node is joined to at least half of the nodes has a perfect matching
// (G. A. Dirac, Some theorems on abstract graphs, Proc. London Math. Soc. 2,
// 1952), and a stage takes one edge from each node. So no search is needed while
// each node has enough edges.
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
