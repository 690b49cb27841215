package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// With games, only wins and losses matter, and the answer is the regularised incomplete beta function.
func TestSuperiorityOfGames(t *testing.T) {
	t.Parallel()
	for _, games := range []Trinomial{
		{}, {Draws: 5}, {Wins: 1}, {1, 0, 1}, {7, 2, 1}, {0, 0, 30}, {76, 123, 89}, {5100, 0, 4900}, {400_000, 1, 401_000},
	} {
		want := 1 - mathext.RegIncBeta(float64(games.Wins)+0.5, float64(games.Losses)+0.5, 0.5)
		if got := games.sample().superiority(); !near(got, want, 0, 1e-9) {
			t.Errorf("%v: %v, not %v", games, got, want)
		}
	}
}

// With pairs, the posterior can be drawn from: 100000 draws, with five standard errors of tolerance.
func TestSuperiorityOfPairs(t *testing.T) {
	t.Parallel()
	for _, pairs := range []Pentanomial{
		{}, {0, 1}, {0, 0, 0, 1, 3}, {1, 0, 0, 3, 0}, {2, 5, 9, 6, 3}, {34, 54, 63, 64, 75}, {10, 0, 0, 20, 0}, {100, 900, 0, 1, 500},
	} {
		var gammas [5]distuv.Gamma
		s := pairs.sample()
		for i := range gammas {
			gammas[i] = distuv.Gamma{Alpha: s.counts[i] + s.prior[i], Beta: 1, Src: rand.NewPCG(1, uint64(i))}
		}
		const draws = 100_000
		above := 0
		for range draws {
			sum := 0.0
			for i := range gammas {
				sum += (s.values[i] - 0.5) * gammas[i].Rand()
			}
			if sum > 0 {
				above++
			}
		}
		want := float64(above) / draws
		got := s.superiority()
		if !near(got, want, 0, 5*math.Sqrt(max(got*(1-got), 1e-6)/draws)) {
			t.Errorf("%v: %v, and %v of the draws", pairs, got, want)
		}
	}
}

// A pair that ends better makes the player more likely to be the stronger one, and a level pair changes nothing.
// Both views of a match agree. This holds for all matches of up to five pairs, and for a long one.
func TestSuperiorityIsMonotone(t *testing.T) {
	t.Parallel()
	matches := []Pentanomial{{34, 54, 63, 64, 75}, {0, 0, 0, 0, 200}, {900, 5, 0, 0, 1000}}
	for n := range 6 {
		everyMatch(n, 0, Pentanomial{}, func(p Pentanomial) { matches = append(matches, p) })
	}
	for _, match := range matches {
		own := match.sample().superiority()
		if turned := match.Swap().sample().superiority(); !near(own, 1-turned, 0, 1e-9) {
			t.Errorf("%v: %v, and from the other side %v", match, own, turned)
		}
		level := match
		level[2]++
		if got := level.sample().superiority(); got != own {
			t.Errorf("%v: %v, and with one more level pair %v", match, own, got)
		}
		for class, count := range match[:4] {
			if count == 0 {
				continue
			}
			better := match
			better[class]--
			better[class+1]++
			if got := better.sample().superiority(); got < own || got == own && own < 1-1e-9 {
				t.Errorf("%v: %v, but %v: %v", match, own, better, got)
			}
		}
	}
}
