package results

// testEnd tells which matches of a tournament came after its sequential test was decided. They are kept
// and count as points, but not for what the matches say of strength: what was under way at the stop
// depends on how many matches are played at once. It is a fold over matches in schedule order.
type testEnd struct{ test *SequentialTest } // nil of other tournaments

func newTestEnd(t Tournament) testEnd {
	if t.Format != Sequential {
		return testEnd{}
	}
	return testEnd{NewSequentialTest(t)}
}

// before takes the next match, and says whether the test was decided before it.
func (e testEnd) before(m Slotted) bool {
	if e.test == nil {
		return false
	}
	e.test.Add(m.Slot, m.Summary)
	return e.test.Past(m.Slot)
}
