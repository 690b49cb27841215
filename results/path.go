package results

// RatingPath returns the online Elo of the bots of a tournament as it changes during its matches: before the first match,
// and then after at most most evenly spaced matches, the last of which is the last match. The summaries are in schedule
// order. The path ends at the first match that is missing. The error names a match with an unknown bot.
func RatingPath(t Tournament, summaries []Slotted, most int) ([]Ratings, error) {
	run := 0
	for run < len(summaries) && summaries[run].Slot == run+1 {
		run++
	}
	fold := NewRatingFold(t)
	path := []Ratings{fold.Ratings()}
	for i, match := range summaries[:run] {
		if err := fold.Add(match.Summary); err != nil {
			return nil, err
		}
		if isStep(i, run, most) {
			path = append(path, fold.Ratings())
		}
	}
	return path, nil
}

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
