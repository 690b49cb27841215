package schedule

import (
	"cmp"
	"slices"
)

// swiss is stages in which bots with similar points meet; see [swissStage]. If
// the number of bots is odd, one of them has a bye in each stage. A bye is worth
// the points of as many won matches as the others play.
type swiss struct {
	untested
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
//     100,000 steps of backtracking find no pairing without.
//   - The bye goes to the lowest of the bots with the fewest byes.
//   - From the top, each score group pairs as many of its bots as possible. The
//     others, the lowest if possible, move down into the next group.
//   - Bots that have moved down meet the best of the group. Of the rest, the
//     upper half meets the lower half.
//
// At last, two pairings exchange bots where that makes the squares of the
// differences in points smaller.
func swissStage(bots []swissBot) (pairings [][2]int, bye int) {
	p := newPairer(bots)
	byes := []int{-1}
	if len(bots)%2 == 1 {
		least := slices.MinFunc(bots, func(a, b swissBot) int { return cmp.Compare(a.byes, b.byes) }).byes
		byes = slices.DeleteFunc(slices.Clone(p.ranked), func(bot int) bool { return bots[bot].byes > least })
		slices.Reverse(byes)
	}
	var best *matching
	for _, bot := range byes {
		m := p.match(without(p.ranked, bot), true)
		if best == nil || len(m.free) < len(best.free) {
			best, bye = m, bot
		}
	}
	pairings = p.pair(best)
	p.exchange(pairings)
	p.sortBoards(pairings)
	return pairings, bye
}

// without returns a list of bots without some of them.
func without(bots []int, some ...int) []int {
	return slices.DeleteFunc(slices.Clone(bots), func(bot int) bool { return slices.Contains(some, bot) })
}

// pairer pairs the bots of a stage. Lists of bots are in order of rank.
type pairer struct {
	bots   []swissBot
	ranked []int    // all
	met    [][]bool // by two bots; a bot has met itself
	steps  int      // of backtracking that are left
}

func newPairer(bots []swissBot) *pairer {
	p := &pairer{bots: bots, steps: 100_000}
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

// pair pairs the bots of a matching, one score group after another. It takes no
// pairing that would lead to more repeats, or to fewer pairings in the group.
func (p *pairer) pair(all *matching) (pairings [][2]int) {
	for moved := 0; len(all.bots) > 0; {
		size := moved
		for size < len(all.bots) && p.bots[all.bots[size]].points == p.bots[all.bots[moved]].points {
			size++
		}
		group := p.match(all.bots[:size], false)
		for moved = 0; len(group.bots) > 0; {
			u, found := group.bots[0], false
			for _, v := range p.candidates(group.bots) {
				inAll, inGroup := all.without(u, v), group.without(u, v)
				if found = inAll != nil && inGroup != nil; found {
					all, group = inAll, inGroup
					pairings = append(pairings, [2]int{u, v})
					break
				}
			}
			if !found {
				moved++
				group = p.match(group.bots[1:], false)
			}
		}
	}
	return pairings
}

// candidates returns the opponents of the first of some bots in the order in which
// they are tried, those that it has met last. The best with a lower score is the
// first. If there is none, the first of the lower half is. Those after it follow,
// and then those before it, backwards.
func (p *pairer) candidates(bots []int) []int {
	u := bots[0]
	half := slices.IndexFunc(bots, func(bot int) bool { return p.bots[bot].points < p.bots[u].points })
	if half < 0 {
		half = max(1, len(bots)/2)
	}
	before := slices.Clone(bots[1:half])
	slices.Reverse(before)
	order := slices.Concat(bots[half:], before)
	again := slices.DeleteFunc(slices.Clone(order), func(bot int) bool { return !p.met[u][bot] })
	return append(without(order, again...), again...)
}

// exchange exchanges the bots of two pairings as long as this leads to fewer repeats
// or, with as many, to smaller differences in points.
func (p *pairer) exchange(pairings [][2]int) {
	faults := func(one, other [2]int) (f [2]float64) {
		for _, two := range [][2]int{one, other} {
			difference := p.bots[two[0]].points - p.bots[two[1]].points
			f[1] += difference * difference
			if p.met[two[0]][two[1]] {
				f[0]++
			}
		}
		return f
	}
	for changed := true; changed; {
		changed = false
		for i := range pairings {
			for j := range i {
				a, b := &pairings[i], &pairings[j]
				now := faults(*a, *b)
				for _, swap := range [][2][2]int{{{a[0], b[0]}, {a[1], b[1]}}, {{a[0], b[1]}, {a[1], b[0]}}} {
					if f := faults(swap[0], swap[1]); slices.Compare(f[:], now[:]) < 0 {
						*a, *b, now, changed = swap[0], swap[1], f, true
					}
				}
			}
		}
	}
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

// matching shows how some bots can be paired without repeats.
type matching struct {
	*pairer
	bots []int
	mate []int // by bot: its opponent; -1: none
	free []int // bots without an opponent; two of them make a repeat
}

// match matches bots. If some are left without an opponent, a thorough search goes
// through all possibilities, as far as the steps allow.
func (p *pairer) match(bots []int, thorough bool) *matching {
	m := &matching{pairer: p, bots: bots, mate: slices.Repeat([]int{-1}, len(p.bots))}
	m.extend(false)
	if thorough {
		m.extend(true)
	}
	return m
}

// extend looks for opponents of the free bots.
func (m *matching) extend(thorough bool) {
	for _, u := range m.bots {
		if m.mate[u] < 0 {
			m.find(u, nil, make([]bool, len(m.mate)), thorough)
		}
	}
	m.free = slices.DeleteFunc(slices.Clone(m.bots), func(bot int) bool { return m.mate[bot] >= 0 })
}

// find gives a bot an opponent that is free, or that has another one who finds a new
// opponent in turn. The path is the bots that have looked for one so far. The search
// tries each opponent once or, if it is thorough, on each path.
func (m *matching) find(u int, path []int, tried []bool, thorough bool) bool {
	for _, free := range []bool{true, false} {
		for _, v := range m.bots {
			if other := m.mate[v]; m.met[u][v] || tried[v] || other < 0 != free || slices.Contains(path, v) {
				continue
			} else if !free {
				if m.steps--; m.steps < 0 && thorough {
					return false
				}
				tried[v] = true
				if !m.find(other, append(path, u), tried, thorough) {
					tried[v] = !thorough
					continue
				}
			}
			m.mate[u], m.mate[v] = v, u
			return true
		}
	}
	return false
}

// without returns the matching without two bots that meet; nil if the others would
// then have more repeats.
func (m *matching) without(u, v int) *matching {
	c := &matching{pairer: m.pairer, bots: without(m.bots, u, v), mate: slices.Clone(m.mate)}
	for _, bot := range []int{u, v} {
		if mate := c.mate[bot]; mate >= 0 {
			c.mate[bot], c.mate[mate] = -1, -1
		}
	}
	c.extend(false)
	allowed := len(m.free)
	if m.met[u][v] {
		allowed -= 2
	}
	if len(c.free) > allowed {
		return nil
	}
	return c
}
