package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The expected values are computed by hand from the formulas.
func TestPoolFigures(t *testing.T) {
	t.Parallel()
	repeat := func(n int, differences ...float64) (all []float64) {
		for len(all) < n {
			all = append(all, differences...)
		}
		return all
	}
	test := PoolTest{0, 0.04}
	for _, c := range []struct {
		name        string
		differences []float64
		openings    int
		mean        float64
		margin      float64 // -1: there is no interval
		llr         float64
		decision    Decision
	}{
		{"nothing", nil, 0, 0, -1, 0, Undecided},
		{"one opening", []float64{0.5}, 1, 0.5, -1, 0, Undecided},
		// t(0.975, 1) = 12.7062; s = 0.1 sqrt(2), so s/sqrt(n) = 0.1.
		{"two openings", []float64{0.1, 0.3}, 2, 0.2, 1.27062, 0, Undecided},
		{"too few openings", repeat(19, 0.1), 19, 0.1, 0, 0, Undecided},
		// No spread: S = 1e-4, LLR = 10 ln((1e-4 + 0.01) / (1e-4 + 0.0036)).
		{"all are better", repeat(50, 0.1), 20, 0.1, 0, 10.04203, AcceptH1},
		// LLR = 10 ln(1e-4 / (1e-4 + 0.0016)).
		{"all are equal", repeat(50, 0), 20, 0, 0, -28.33213, AcceptH0},
		// S = 0.01, s = sqrt(20/19) 0.1, t(0.975, 19) = 2.09302; LLR = 10 ln(0.0104/0.0104).
		{"between", repeat(20, 0.12, -0.08), 20, 0.02, 0.0480172, 0, Undecided},
		// S = 0.0025, LLR = 10 ln((0.0025 + 0.0016) / 0.0025).
		{"stronger", repeat(40, 0.09, -0.01), 20, 0.04, 0.0240086, 4.94696, AcceptH1},
	} {
		got := test.Figures(c.differences)
		same := got.Openings == c.openings && got.Decision == c.decision && near(got.Mean, c.mean, 0, 1e-12) &&
			near(got.LLR, c.llr, 0, 1e-5) && (got.MeanLow == nil) == (c.margin < 0)
		if same && got.MeanLow != nil {
			same = near(*got.MeanLow, c.mean-c.margin, 0, 1e-5) && near(*got.MeanHigh, c.mean+c.margin, 0, 1e-5)
		}
		if !same {
			t.Errorf("%s: %+v, want %+v", c.name, got, c)
		}
	}
	lower, upper := test.Bounds()
	equal(t, "bounds", [2]float64{-upper, upper}, [2]float64{lower, upper})
	if !near(upper, 2.944439, 0, 1e-6) {
		t.Errorf("the upper bound is %v", upper)
	}
}

// simulatedPool plays matches of two players whose scores differ by about gain against each of ten opponents. All
// matches from one opening share how much it favours South, and the opponents are of different strength.
func simulatedPool(random *rand.Rand, openings int, gain float64) []float64 {
	const opponents = 10
	differences := make([]float64, openings)
	for i := range differences {
		bias := 150 * random.NormFloat64()
		hard := 0.15 * random.NormFloat64() // of this opening for the second player
		for o := range opponents {
			strength := 200 * (float64(o)/(opponents-1) - 0.5)
			for _, side := range []float64{bias, -bias} {
				base := Score(side - strength)
				head := min(max(base+gain-hard*random.Float64(), 0), 1)
				differences[i] += (score(random, head) - score(random, base)) / (2 * opponents)
			}
		}
	}
	return differences
}

func score(random *rand.Rand, chance float64) float64 {
	if random.Float64() < chance {
		return 1
	}
	return 0
}

// In simulated tests, 95% of the intervals contain the true difference, and each hypothesis is rejected in at most about
// 5% of the tests where it is true.
func TestPoolErrors(t *testing.T) {
	t.Parallel()
	checkPool(t, 100)
}

func checkPool(t *testing.T, tests int) {
	t.Helper()
	random := rand.New(rand.NewPCG(47, 2))
	test := PoolTest{0, 0.04}
	slack := 3 * math.Sqrt(0.05*0.95/float64(tests))
	for _, gain := range []float64{0, 0.0415} { // what is cut off at 0 and 1 makes it 0.04
		sum := 0.0
		for range tests {
			sum += test.figures(simulatedPool(random, 100, gain)).Mean
		}
		truth := sum / float64(tests)
		covered, wrong, decided, openings := 0, 0, 0, 0
		for range tests {
			differences := simulatedPool(random, 200, gain)
			if f := test.figures(differences[:100]); *f.MeanLow <= truth && truth <= *f.MeanHigh {
				covered++
			}
			f := test.Figures(differences)
			openings += f.Openings
			if f.Decision != Undecided {
				decided++
			}
			if f.Decision == AcceptH1 && gain == 0 || f.Decision == AcceptH0 && gain > 0 {
				wrong++
			}
		}
		share := func(n int) float64 { return float64(n) / float64(tests) }
		t.Logf("gain %.4f: %.1f%% covered, %.1f%% wrong, %.0f%% decided after %d openings on average",
			truth, 100*share(covered), 100*share(wrong), 100*share(decided), openings/tests)
		if math.Abs(share(covered)-0.95) > slack+0.01 || share(wrong) > 0.05+slack {
			t.Errorf("gain %v: %.3f covered, %.3f wrong", gain, share(covered), share(wrong))
		}
	}
}
