package results

import (
	"fmt"
	"slices"

	"sembra/results/stats"
)

// IdlePairs is after how many pairs in a row that do not count a test is over: two bots without chance
// and without openings repeat one match for ever, and bots that never start will not begin to.
const IdlePairs = 20

// SequentialTest is a sequential test of the two bots of a tournament, whose hypotheses are about the
// first of them, as a fold over the matches in schedule order: the order in which matches end would
// favour the short ones. A pair of matches, in slots 2k-1 and 2k, is one observation.
//
// A pair does not count if one of its matches repeats another (see Repeats), or if both bots were at
// fault in one. A match that one bot lost by a fault counts as any other. What was played past the slot
// that stopped the test is kept, and does not count.
type SequentialTest struct {
	tournament Tournament
	test       stats.Test
	repeats    *Repeats
	waiting    map[int]Summary // matches that came before one that is still missing, by slot
	missing    int             // the first slot that has not come
	first      Summary         // the match before the missing one, where that is the second of a pair
	firstAgain bool            // first is a repeat
	counts     PairCounts
	idle       int // pairs in a row, up to the last, that do not count
	decision   stats.Decision
	llr        float64
	stoppedAt  int
	past       int
}

// PairCounts counts the pairs of a test up to where it stopped.
type PairCounts struct {
	Pairs    stats.Pentanomial // that count, as the first bot sees them
	Split    int               // of these, both bots won a match
	Faults   [2]int            // matches in those that count that each bot lost by a fault
	Repeated int               // do not count: a match was played before
	Void     int               // do not count: both bots were at fault in a match, and none was played before
}

// Counted is the number of pairs that count.
func (c PairCounts) Counted() int {
	n := 0
	for _, pairs := range c.Pairs {
		n += pairs
	}
	return n
}

// Complete is the number of pairs of which both matches are there.
func (c PairCounts) Complete() int { return c.Counted() + c.Repeated + c.Void }

// NewSequentialTest begins the fold: nothing has been played. The tournament has two bots or more, of
// which the first two are meant, and a Test that passes its Check; Pairs is the most that are played.
func NewSequentialTest(t Tournament) *SequentialTest {
	s := &SequentialTest{tournament: t, repeats: t.Repeats(), waiting: make(map[int]Summary), missing: 1}
	if t.Test != nil {
		s.test = *t.Test
	}
	return s
}

// SequentialTest is the sequential test of t after the given matches, which are in schedule order. The error
// says that the tournament has no valid test, or names a match that is not between its two bots.
func (t Tournament) SequentialTest(summaries []Slotted) (*SequentialTest, error) {
	if t.Test == nil || len(t.Bots) != 2 {
		return nil, fmt.Errorf("tournament %q is no sequential test: its format is %s", t.Name, t.Format)
	}
	if err := t.Test.Check(); err != nil {
		return nil, fmt.Errorf("tournament %q: %w", t.Name, err)
	}
	test := NewSequentialTest(t)
	for _, m := range summaries {
		if m.South == m.North || !slices.Contains(t.Bots, m.South) || !slices.Contains(t.Bots, m.North) {
			return nil, fmt.Errorf("match %v: not both are bots of this tournament", m.Key)
		}
		test.Add(m.Slot, m.Summary)
	}
	return test, nil
}

// Add takes the match in a slot. Matches may come in any order; one that comes before others is kept
// until those are there, and one that has come before, or is not in the schedule, changes nothing.
func (s *SequentialTest) Add(slot int, m Summary) {
	if slot < s.missing || slot > 2*s.tournament.Pairs {
		return
	}
	if _, known := s.waiting[slot]; known {
		return
	}
	if s.Past(slot) {
		s.past++
	}
	s.waiting[slot] = m
	for {
		next, ok := s.waiting[s.missing]
		if !ok || s.Past(s.missing) {
			return
		}
		delete(s.waiting, s.missing)
		s.take(next)
	}
}

// take takes the match in the missing slot.
func (s *SequentialTest) take(m Summary) {
	again := s.repeats.Again(m)
	s.missing++
	if s.missing%2 == 0 {
		s.first, s.firstAgain = m, again
		return
	}
	s.takePair(s.first, m, s.firstAgain || again)
	s.decision = s.test.Decide(s.llr)
	if s.decision != stats.Undecided || s.idle == IdlePairs {
		s.stoppedAt = s.missing - 1
		s.past = len(s.waiting)
	}
}

// takePair counts the next pair.
func (s *SequentialTest) takePair(first, second Summary, again bool) {
	c := &s.counts
	switch {
	case again:
		c.Repeated++
		s.idle++
		return
	case first.Result == Void || second.Result == Void:
		c.Void++
		s.idle++
		return
	}
	s.idle = 0
	points := [2]float64{s.points(first), s.points(second)}
	c.Pairs[int(2*(points[0]+points[1]))]++
	if points[0]+points[1] == 1 && points[0] != points[1] {
		c.Split++
	}
	for i, bot := range s.tournament.Bots[:2] {
		for _, m := range []Summary{first, second} {
			if m.FaultName() == bot {
				c.Faults[i]++
			}
		}
	}
	s.llr = s.test.Pairs(c.Pairs)
}

// points are those of the first bot.
func (s *SequentialTest) points(m Summary) float64 {
	south, north := m.Points()
	if m.South == s.tournament.Bots[0] {
		return south
	}
	return north
}

// Decision is what the test has come to.
func (s *SequentialTest) Decision() stats.Decision { return s.decision }

// LLR is the logarithm of the likelihood ratio, which the test compares with its bounds; 0 before a
// pair counts.
func (s *SequentialTest) LLR() float64 { return s.llr }

// Counts are the pairs that count.
func (s *SequentialTest) Counts() stats.Pentanomial { return s.counts.Pairs }

// PairCounts are all pairs up to where the test stopped.
func (s *SequentialTest) PairCounts() PairCounts { return s.counts }

// StoppedAt is the last slot of the pair that stopped the test, because it decided it or was the last
// of IdlePairs that do not count; 0 while nothing has stopped it.
func (s *SequentialTest) StoppedAt() int { return s.stoppedAt }

// Past says of a slot that it is behind the one that stopped the test, so that its match does not
// count.
func (s *SequentialTest) Past(slot int) bool { return s.stoppedAt > 0 && slot > s.stoppedAt }

// PlayedPast is how many matches were played past the slot that stopped the test: those that were under
// way when it was decided.
func (s *SequentialTest) PlayedPast() int { return s.past }

// Over says that no more matches are wanted: something stopped the test, or all pairs are there.
func (s *SequentialTest) Over() bool { return s.stoppedAt > 0 || s.missing > 2*s.tournament.Pairs }

// StoppedBy is why no more matches of a test are wanted.
type StoppedBy string

// The reasons.
const (
	StoppedByNothing  StoppedBy = ""         // it goes on
	StoppedByDecision StoppedBy = "decision" // a hypothesis is accepted
	StoppedByIdle     StoppedBy = "idle"     // IdlePairs pairs in a row did not count
	StoppedByPairs    StoppedBy = "pairs"    // all pairs are played
)

// StoppedBy says why the test is over.
func (s *SequentialTest) StoppedBy() StoppedBy {
	switch {
	case s.decision != stats.Undecided:
		return StoppedByDecision
	case s.stoppedAt > 0:
		return StoppedByIdle
	case s.Over():
		return StoppedByPairs
	}
	return StoppedByNothing
}
