//go:build long

package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// These tests compare the constants of our own with other values and with the plain formulas, and print the figures of
// STATISTICS.md: go test -tags long -v -run Constant ./results/stats

// The exact share of 95% intervals that contain the true score, the least and the greatest of all truths, and half
// of the mean width. An interval without a width contains nothing.
func TestConstantOfScoreInterval(t *testing.T) {
	t.Parallel()
	type interval func(score, variance, n float64) (low, high float64)
	normal := func(score, variance, n float64) (low, high float64) {
		margin := Z95 * math.Sqrt(variance/n)
		return score - margin, score + margin
	}
	plain := func(score, _, n float64) (low, high float64) { return wilson(score, Z95*Z95/(2*n)) }
	weighted := func(units float64) interval {
		return func(score, variance, n float64) (low, high float64) {
			dispersion := 0.5
			if full := score * (1 - score); full > 0 {
				dispersion = (n*variance/full + units*0.5) / (n + units)
			}
			quantile := student(n + 2).quantile()
			return wilson(score, quantile*quantile*dispersion/n)
		}
	}
	ours := func(score, variance, n float64) (low, high float64) { return scoreInterval(score, variance, n, 0.5) }
	for _, pairs := range []int{4, 6, 10, 30} {
		matches := everyMatchWithOrders(pairs)
		for _, test := range []struct {
			name     string
			interval interval
		}{
			{"normal", normal},
			{"plain Wilson", plain},
			{"0 added", weighted(0)},
			{"1 added", weighted(1)},
			{"ours (3 added)", ours},
			{"10 added", weighted(10)},
		} {
			type ends struct{ low, high float64 }
			var intervals []ends
			for _, m := range matches {
				s := m.pairs.sample()
				seen := shares(s.counts)
				score := mean(s.values, seen)
				spread := deviation(s.values, seen, score)
				low, high := test.interval(score, spread*spread, float64(pairs))
				intervals = append(intervals, ends{low, high})
			}
			all := truths()
			least, most, width := 100.0, 0.0, 0.0
			for _, truth := range all {
				hit := 0.0
				score := mean(Pentanomial{}.sample().values, truth.classes[:])
				for i, m := range matches {
					probability := m.probability(truth.classes)
					width += probability * (intervals[i].high - intervals[i].low) / 2 / float64(len(all))
					if intervals[i].low < score && score < intervals[i].high {
						hit += 100 * probability
					}
				}
				least, most = min(least, hit), max(most, hit)
			}
			t.Logf("%2d pairs, %-14s: %.1f%% to %.1f%%, ±%.3f", pairs, test.name, least, most, width)
			if test.name == "ours (3 added)" && least < 94.5 {
				t.Errorf("%d pairs: only %.1f%% of the intervals contain the score", pairs, least)
			}
		}
	}
}

// The forecast of the stronger player with other parameters of the Dirichlet distribution. At equal strength, the
// greatest share of matches that it calls decided with 97.5% should be 5%. Otherwise its mean loss in bits should be
// small: the logarithm of the probability that it gave to the stronger player.
func TestConstantOfSuperiority(t *testing.T) {
	t.Parallel()
	for _, pairs := range []int{4, 6, 10, 20} {
		matches := everyMatchWithOrders(pairs)
		for _, test := range []struct {
			name  string
			prior []float64 // nil: the normal approximation
		}{
			{"los", nil},
			{"1 each", []float64{1, 1, 1, 1, 1}},
			{"0.5 each (Jeffreys)", []float64{0.5, 0.5, 0.5, 0.5, 0.5}},
			{"ours", Pentanomial{}.sample().prior},
			{"half of ours", []float64{0.2, 0.1, 0.2, 0.1, 0.2}},
			{"twice ours", []float64{0.8, 0.4, 0.8, 0.4, 0.8}},
		} {
			var forecasts []float64
			for _, m := range matches {
				s, los := m.pairs.sample(), m.pairs.Figures().LOS
				s.prior = test.prior
				switch {
				case test.prior != nil:
					forecasts = append(forecasts, s.superiority())
				case los != nil:
					forecasts = append(forecasts, *los)
				default:
					forecasts = append(forecasts, 0.5)
				}
			}
			sure, loss, unequal := 0.0, 0.0, 0.0
			for _, truth := range truths() {
				share := 0.0
				for i, m := range matches {
					p, probability := forecasts[i], m.probability(truth.classes)
					if truth.elo > 0 {
						loss -= probability * math.Log2(max(p, 1e-12)) // the approximation rounds to 0
					} else if p < 0.025 || p > 0.975 {
						share += 100 * probability
					}
				}
				sure = max(sure, share)
				if truth.elo > 0 {
					unequal++
				}
			}
			loss /= unequal
			t.Logf("%2d pairs, %-19s: decided %.1f%%, loss %.3f", pairs, test.name, sure, loss)
			if test.name == "ours" && sure > 7 {
				t.Errorf("%d pairs: at equal strength, %.1f%% of the matches are called decided", pairs, sure)
			}
		}
	}
}

// The share of the 95% intervals of ratings that contain the truth, and half of their mean width in Elo, with other
// weights of the pooled variance. Each field is a round robin of three players who never draw and three who often do.
func TestConstantOfPooledVariance(t *testing.T) {
	t.Parallel()
	type tally struct{ hit, width, all float64 }
	for _, pairs := range []int{1, 2, 4, 10} { // of each meeting
		random := rand.New(rand.NewPCG(11, uint64(pairs)))
		names := []string{"plain sandwich", "weight 0", "weight 3", "weight 10", "weight 30", "pooled alone"}
		tallies := make([][2]tally, len(names)) // of the players who never draw, and of the others
		for range 1000 {
			truth, games := unlikeField(random, pairs)
			field := must2(Rate(games, len(truth), Anchor{Player: -1}, 0))
			if field.Groups != 1 || field.spread.groups[0].units < 15*pairs {
				continue // somebody won or lost everything
			}
			s, group, centre := field.spread, field.spread.groups[0], floats.Sum(truth)/float64(len(truth))
			for i, r := range field.Players {
				n, at := float64(s.units[i]), s.place[i]
				own := s.own.at(at, at)
				pooled := (s.model.at(at, at) - group.shift) * group.dispersion
				halves := []float64{Z95 * math.Sqrt(own)}
				for _, weight := range []float64{0, 3, 10, 30, 1e9} {
					variance := (n*own*group.correction() + weight*pooled) / (n + weight)
					quantile := student(min(n+weight-1, float64(group.freedom))).quantile()
					halves = append(halves, quantile*math.Sqrt(variance))
				}
				if !near(show(r.Error), halves[3]/logit, 1e-9, 0) {
					t.Fatalf("an error of %v, not %v", show(r.Error), halves[3]/logit)
				}
				for k, half := range halves {
					n := &tallies[k][i/3]
					n.all++
					n.width += half / logit
					if math.Abs(*r.Rating-(truth[i]-centre)) <= half/logit {
						n.hit++
					}
				}
			}
		}
		for k, name := range names {
			never, often := tallies[k][0], tallies[k][1]
			a, b := 100*never.hit/never.all, 100*often.hit/often.all
			t.Logf("%2d pairs a meeting, %-14s: %.1f%% ±%.0f without draws, %.1f%% ±%.0f with draws (%v fields)",
				pairs, name, a, never.width/never.all, b, often.width/often.all, never.all/3)
			if name == "weight 10" && min(a, b) < 94 {
				t.Errorf("%d pairs a meeting: %.1f%% and %.1f%% of the intervals contain the truth", pairs, a, b)
			}
		}
	}
}

// unlikeField plays a round robin of six players. Three of them never draw among themselves, and three do in up to 80%
// of their games.
func unlikeField(random *rand.Rand, pairs int) (truth []float64, games []Game) {
	for range 6 {
		truth = append(truth, random.NormFloat64()*100)
	}
	for a := range truth {
		for b := range a {
			for range pairs {
				unit := len(games)
				for _, seats := range [][2]int{{a, b}, {b, a}} {
					score := draw(random, truth[seats[0]]-truth[seats[1]]+30, 0.4*float64(a/3+b/3))
					games = append(games, Game{seats[0], seats[1], score, unit})
				}
			}
		}
	}
	return truth, games
}

// match is the result of a match, with the natural logarithm of the number of orders of its pairs.
type match struct {
	pairs  Pentanomial
	orders float64
}

func everyMatchWithOrders(pairs int) (matches []match) {
	everyMatch(pairs, 0, Pentanomial{}, func(p Pentanomial) {
		m := match{pairs: p}
		m.orders, _ = math.Lgamma(float64(pairs) + 1)
		for _, count := range p {
			same, _ := math.Lgamma(float64(count) + 1)
			m.orders -= same
		}
		matches = append(matches, m)
	})
	return matches
}

// probability returns the probability of a match, given those of the five results of a pair.
func (m match) probability(classes [5]float64) float64 {
	p := math.Exp(m.orders)
	for i, count := range m.pairs {
		p *= math.Pow(classes[i], float64(count))
	}
	return p
}

// truth is how much stronger the first player is, with the probabilities of the five results of a pair.
type truth struct {
	elo     float64
	classes [5]float64
}

// truths are equal and unequal players, with and without draws, from openings that are worth 0, 100 or 300 Elo to the
// player who moves first. A game is a draw with a probability of 30%, if the expected score allows it.
func truths() (all []truth) {
	for _, elo := range []float64{0, 50, 100, 200} {
		for _, draws := range []float64{0, 0.3} {
			for _, unfair := range []float64{0, 100, 300} {
				var games [2][3]float64 // lost, drawn, won
				for i, win := range []float64{Score(elo + unfair), Score(elo - unfair)} {
					half := min(draws, 2*win, 2*(1-win)) / 2
					games[i] = [3]float64{1 - win - half, 2 * half, win - half}
				}
				t := truth{elo: elo}
				for a, p := range games[0] {
					for b, q := range games[1] {
						t.classes[a+b] += p * q
					}
				}
				all = append(all, t)
			}
		}
	}
	return all
}
