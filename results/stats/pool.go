package stats

import "math"

// PoolTest is a sequential test of two players that meet the same opponents from the same openings. Its observations are the
// differences between the scores of the first and of the second, one for each opening: the mean over all opponents, as
// matches from one opening are not independent. By hypothesis H0 their mean is Low, by H1 it is High, which is more. Each
// is accepted with a probability of 5% if the other is true.
type PoolTest struct{ Low, High float64 }

// PoolFigures are the figures of a PoolTest.
type PoolFigures struct {
	Openings int      // until the decision
	Mean     float64  // difference of the scores; 0 without an opening
	MeanLow  *float64 // the ends of the 95% interval; nil with fewer than two openings
	MeanHigh *float64
	LLR      float64 // log-likelihood ratio; 0 before the test may decide
	Decision Decision
}

const (
	leastOpenings = 20   // before them, the test decides nothing
	leastSpread   = 1e-4 // variance of the differences that the LLR assumes at least
)

// Bounds returns the log-likelihood ratios at which the test accepts H0 and H1.
func (PoolTest) Bounds() (lower, upper float64) { return -math.Log(19), math.Log(19) }

// Figures returns the figures of the differences up to the one that decides the test.
func (t PoolTest) Figures(differences []float64) (f PoolFigures) {
	for n := 1; n <= len(differences) && f.Decision == Undecided; n++ {
		f = t.figures(differences[:n])
	}
	return f
}

func (t PoolTest) figures(differences []float64) PoolFigures {
	n, sum, squares := float64(len(differences)), 0.0, 0.0
	for _, d := range differences {
		sum += d
	}
	f := PoolFigures{Openings: len(differences), Mean: sum / n}
	for _, d := range differences {
		squares += (d - f.Mean) * (d - f.Mean)
	}
	if n > 1 {
		margin := student(n-1).quantile() * math.Sqrt(squares/(n-1)/n)
		f.MeanLow, f.MeanHigh = number(f.Mean-margin), number(f.Mean+margin)
	}
	if n < leastOpenings {
		return f
	}
	spread := max(squares/n, leastSpread)
	off := func(mean float64) float64 { return spread + (f.Mean-mean)*(f.Mean-mean) }
	f.LLR = n / 2 * math.Log(off(t.Low)/off(t.High))
	switch lower, upper := t.Bounds(); {
	case f.LLR >= upper:
		f.Decision = AcceptH1
	case f.LLR <= lower:
		f.Decision = AcceptH0
	}
	return f
}
