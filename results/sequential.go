package results

import (
	"fmt"
	"slices"

	"sembra/engine"
	"sembra/results/stats"
)

// MaxUncountedPairs is the number of pairs in a row that do not count after which a test is stopped. Two bots without
// chance and without openings would repeat one match for ever, and bots that cannot start will never start.
const MaxUncountedPairs = 20

// SequentialTest is a sequential test of the two bots of a tournament. Its hypotheses are about the first of them.
// It is a fold over the matches in schedule order, because the order in which matches end would favour short
// ones. The pair of matches with the numbers 2k-1 and 2k is one observation.
//
// A pair does not count if one of its matches repeats another, or if both bots were at fault in one. A match that
// one bot lost by a fault counts like any other. Matches after the one that stopped the test are kept, but do
// not count.
type SequentialTest struct {
	tournament Tournament
	test       stats.Test
	repeats    repeats
	waiting    map[int]Summary // by number: matches after one that is still missing
	missing    int             // the first number without a record
	first      Summary         // the match before the missing one, if they are a pair
	firstAgain bool            // first is a repeat
	idle       int             // number of last pairs in a row that do not count

	Counts     pairCounts // of all pairs until the test stopped
	Decision   stats.Decision
	LLR        float64 // log-likelihood ratio, which the test compares with its bounds; 0 until a pair counts
	StoppedAt  int     // the number of the last match of the pair that stopped the test; 0 if no pair did
	PlayedPast int     // matches after that; they were under way at that time
}

// pairCounts counts the pairs of a test until it stopped.
type pairCounts struct {
	Pairs    stats.Pentanomial // that count, from the view of the first bot
	Split    int               // pairs that count in which each bot won a match
	Faults   [2]int            // matches of counting pairs that each bot lost by a fault
	Repeated int               // pairs that do not count because a match repeats another
	Void     int               // other pairs that do not count because both bots were at fault in a match
}

// Counted returns the number of pairs that count.
func (c pairCounts) Counted() int {
	n := 0
	for _, pairs := range c.Pairs {
		n += pairs
	}
	return n
}

// Complete returns the number of complete pairs.
func (c pairCounts) Complete() int { return c.Counted() + c.Repeated + c.Void }

// NewSequentialTest returns the test of a tournament without matches. It tests the first two bots. The
// tournament's Test must pass its Check.
func NewSequentialTest(t Tournament) *SequentialTest {
	s := &SequentialTest{tournament: t, repeats: make(repeats), waiting: make(map[int]Summary), missing: 1}
	if t.Test != nil {
		s.test = *t.Test
	}
	return s
}

// SequentialTest returns the test of t after some matches, which are given in schedule order. The error says that
// the tournament has no valid test, or names a match that is not between its two bots.
func (t Tournament) SequentialTest(summaries []Numbered) (*SequentialTest, error) {
	if t.Test == nil || len(t.Bots) != 2 {
		return nil, fmt.Errorf("tournament %q is not a sequential test: its format is %s", t.Name, t.Format)
	}
	if err := t.Test.Check(); err != nil {
		return nil, fmt.Errorf("tournament %q: %w", t.Name, err)
	}
	test := NewSequentialTest(t)
	for _, m := range summaries {
		if m.South == m.North || !slices.Contains(t.Bots, m.South) || !slices.Contains(t.Bots, m.North) {
			return nil, fmt.Errorf("match %v: not both are bots of this tournament", m.Key)
		}
		test.Add(m.Number, m.Summary)
	}
	return test, nil
}

// Add takes a match with its number. Matches may come in any order. A match that was added before, or is not in the
// schedule, changes nothing.
func (s *SequentialTest) Add(number int, m Summary) {
	if number < s.missing || number > 2*s.tournament.Pairs {
		return
	}
	if _, known := s.waiting[number]; known {
		return
	}
	if s.Past(number) {
		s.PlayedPast++
	}
	s.waiting[number] = m
	for {
		next, ok := s.waiting[s.missing]
		if !ok || s.Past(s.missing) {
			return
		}
		delete(s.waiting, s.missing)
		s.take(next)
	}
}

// take counts the first missing match.
func (s *SequentialTest) take(m Summary) {
	again := s.repeats.again(m)
	isFirst := s.missing%2 == 1 // of its pair
	s.missing++
	if isFirst {
		s.first, s.firstAgain = m, again
		return
	}
	s.takePair(s.first, m, s.firstAgain || again)
	s.Decision = s.test.Decide(s.LLR)
	if s.Decision != stats.Undecided || s.idle == MaxUncountedPairs {
		s.StoppedAt = s.missing - 1
		s.PlayedPast = len(s.waiting)
	}
}

// takePair counts a complete pair.
func (s *SequentialTest) takePair(first, second Summary, again bool) {
	c := &s.Counts
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
	s.LLR = s.test.LLRPairs(c.Pairs)
}

// points returns the points of the first bot.
func (s *SequentialTest) points(m Summary) float64 {
	if m.South == s.tournament.Bots[0] {
		return m.Points()[engine.South]
	}
	return m.Points()[engine.North]
}

// Past reports whether a match comes after the one that stopped the test. Then it does not count.
func (s *SequentialTest) Past(number int) bool { return s.StoppedAt > 0 && number > s.StoppedAt }

// Over reports that the test needs no more matches: it was stopped, or all pairs are complete.
func (s *SequentialTest) Over() bool { return s.StoppedAt > 0 || s.missing > 2*s.tournament.Pairs }

// StoppedBy returns why the test is over: "decision" if a hypothesis was accepted, "idle" if MaxUncountedPairs pairs in a row
// did not count, "pairs" if all pairs were played, and "" as long as the test continues.
func (s *SequentialTest) StoppedBy() string {
	switch {
	case s.Decision != stats.Undecided:
		return "decision"
	case s.StoppedAt > 0:
		return "idle"
	case s.Over():
		return "pairs"
	}
	return ""
}

// testPoint is the state of a sequential test after some of its pairs.
type testPoint struct {
	Pairs int // complete ones
	LLR   float64
}

// TestPath returns the LLR of the sequential test of a tournament as it changes during its pairs: before the first
// pair, and then after at most most evenly spaced matches, the last of which is the last match. The error is that of
// [Tournament.SequentialTest].
func (t Tournament) TestPath(summaries []Numbered, most int) ([]testPoint, error) {
	if _, err := t.SequentialTest(nil); err != nil {
		return nil, err
	}
	test, path, n := NewSequentialTest(t), []testPoint{{}}, len(summaries)
	steps := min(n, most)
	for i, match := range summaries {
		test.Add(match.Number, match.Summary)
		point := testPoint{test.Counts.Complete(), test.LLR}
		isStep := (i+1)*steps/n > i*steps/n // so that the steps lie evenly
		if isStep && point.Pairs > path[len(path)-1].Pairs {
			path = append(path, point)
		}
	}
	return path, nil
}
