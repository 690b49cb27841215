package stats

import (
	"math"
	"testing"
)

func TestPairsAgainstFastchess(t *testing.T) {
	t.Parallel()
	for _, row := range readTable(t, "testdata/fastchess/sprt-penta.csv") {
		test := Test{decimal(t, row["elo0"]), decimal(t, row["elo1"]), 0.05, 0.05, Model(row["model"])}
		got, want := test.LLRPairs(pairsOf(t, row)), decimal(t, row["llr_tight_tolerance"])
		if !near(got, want, 1e-7, 1e-9) {
			t.Errorf("%v: %.12v, not %v", row, got, want)
		}
	}
}

func TestGamesAgainstFastchess(t *testing.T) {
	t.Parallel()
	for _, row := range readTable(t, "testdata/fastchess/sprt-tri.csv") {
		if row["model"] == "bayesian" {
			continue // not one of ours
		}
		test := Test{decimal(t, row["elo0"]), decimal(t, row["elo1"]), 0.05, 0.05, Model(row["model"])}
		games := Trinomial{whole(t, row["wins"]), whole(t, row["draws"]), whole(t, row["losses"])}
		got, want := test.LLRGames(games), decimal(t, row["llr_tight_tolerance"])
		if !near(got, want, 1e-7, 1e-9) {
			t.Errorf("%v: %.12v, not %v", row, got, want)
		}
	}
}

func TestNothingIsNoEvidence(t *testing.T) {
	t.Parallel()
	for _, model := range Models() {
		test := Test{0, 30, 0.05, 0.05, model}
		if test.LLRPairs(Pentanomial{}) != 0 || test.LLRGames(Trinomial{}) != 0 {
			t.Errorf("%s: nothing speaks for a hypothesis", model)
		}
	}
}

// Only one distribution of three results has a mean m and a deviation s: the share of wins is m - d/2, of
// losses 1 - m - d/2, of draws d, with m - m^2 - d/4 = s^2. So the test can try all distributions of a
// normalized Elo, and none may be likelier than the one that was found.
func TestFitIsTheLikeliest(t *testing.T) {
	t.Parallel()
	for _, seen := range [][]float64{{0.3, 0.4, 0.3}, {0.1, 0.2, 0.7}, {0.00001, 0.99998, 0.00001}, {0.7, 0.00001, 0.29999}} {
		for _, elo := range []float64{-1500, -400, -30, 5, 50, 200, 600, 2000} {
			x := elo / normalizedElo
			best, found := math.Inf(-1), likelihood(seen, fitNormalized([]float64{0, 0.5, 1}, seen, x))
			const steps = 200000
			for i := 1; i < steps; i++ {
				s := 0.5 * float64(i) / steps / max(1, math.Abs(x))
				m := 0.5 + x*s
				d := 4 * (m - m*m - s*s)
				p := []float64{1 - m - d/2, d, m - d/2}
				if min(p[0], p[1], p[2]) > 0 {
					best = max(best, likelihood(seen, p))
				}
			}
			if !near(found, best, 1e-4, 1e-6) || found < best-1e-9 {
				t.Errorf("%v at %v: a likelihood of %v, not %v", seen, elo, found, best)
			}
		}
	}
}

func likelihood(seen, p []float64) float64 {
	sum := 0.0
	for i, share := range seen {
		sum += share * math.Log(p[i])
	}
	return sum
}
