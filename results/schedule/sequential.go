package schedule

import "sembra/results"

// sequential is a format in which two bots play one pair after another until a
// test is decided.
type sequential struct {
	oneStage
	test *results.SequentialTest
}

func firstTwo(s *Schedule) []meeting { return []meeting{s.meet(0, 1)} }

func (q sequential) add(slot int, m results.Summary) { q.test.Add(slot, m) }
func (q sequential) over() bool                      { return q.test.Over() }

// Test returns the state of a sequential test after the added records; nil for
// other formats.
func (s *Schedule) Test() *results.SequentialTest {
	if q, ok := s.format.(sequential); ok {
		return q.test
	}
	return nil
}
