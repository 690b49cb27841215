package schedule

import "sembra/results"

// sequential is two bots who play one pair after another until a test is
// decided.
type sequential struct {
	whole
	test *results.SequentialTest
}

func (q *sequential) next(s *Schedule) (stage, bool) {
	if len(s.stages) > 0 {
		return stage{}, false
	}
	return q.single(s, []int32{s.meet(0, 1)})
}

func (q *sequential) add(_ *Schedule, slot int, m results.Summary) { q.test.Add(slot, m) }
func (q *sequential) over() bool                                   { return q.test.Over() }

// Test returns a sequential test as it stands with the records that were added;
// nil of other formats.
func (s *Schedule) Test() *results.SequentialTest {
	if q, ok := s.format.(*sequential); ok {
		return q.test
	}
	return nil
}
