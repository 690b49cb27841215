package results

// TestPoint is the state of a sequential test after some of its pairs.
type TestPoint struct {
	Pairs int // complete ones
	LLR   float64
}

// TestPath returns the LLR of the sequential test of a tournament as it changes during its pairs: before the first pair,
// and then after at most most evenly spaced matches, the last of which is the last match. The error is that of
// [Tournament.SequentialTest].
func TestPath(t Tournament, summaries []Slotted, most int) ([]TestPoint, error) {
	if _, err := t.SequentialTest(nil); err != nil {
		return nil, err
	}
	test := NewSequentialTest(t)
	path := []TestPoint{{}}
	for i, match := range summaries {
		test.Add(match.Slot, match.Summary)
		point := TestPoint{test.PairCounts().Complete(), test.LLR()}
		if last := path[len(path)-1]; isStep(i, len(summaries), most) && point.Pairs > last.Pairs {
			path = append(path, point)
		}
	}
	return path, nil
}

// isStep reports whether a path with at most most steps through n matches has a step after match i, from 0.
func isStep(i, n, most int) bool {
	steps := min(n, most)
	return (i+1)*steps/n > i*steps/n
}
