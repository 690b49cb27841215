package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Model is the unit of the two hypotheses of a sequential test.
type Model string

// The models.
const (
	Normalized Model = "normalized" // normalized Elo: the difference divided by the spread of results
	Logistic   Model = "logistic"   // logistic Elo: depends on the expected score alone
)

// Models returns all models, the usual one first.
func Models() []Model { return []Model{Normalized, Logistic} }

// Test is a sequential probability ratio test (Wald 1945) of H0, that the first player is stronger by
// Elo0, against H1, that it is stronger by Elo1.
type Test struct {
	Elo0  float64 `json:"elo0"`  // by hypothesis H0, the first is stronger than the second by this much
	Elo1  float64 `json:"elo1"`  // by hypothesis H1; more than Elo0
	Alpha float64 `json:"alpha"` // probability of accepting H1 when H0 is true
	Beta  float64 `json:"beta"`  // probability of accepting H0 when H1 is true
	Model Model   `json:"model"` // unit of Elo0 and Elo1
}

// mostElo is the largest difference of a hypothesis, in Elo. Beyond it, scores are too close to 0 and 1.
const mostElo = 2000

// Check checks that all values are finite and in their ranges, and that the model is known. The error
// names the field.
func (t Test) Check() error {
	for _, e := range []struct {
		name  string
		value float64
	}{{"elo0", t.Elo0}, {"elo1", t.Elo1}} {
		if !(math.Abs(e.value) <= mostElo) {
			return fmt.Errorf("%s = %v: it must be between -%d and %d", e.name, e.value, mostElo, mostElo)
		}
	}
	if t.Elo0 >= t.Elo1 {
		return fmt.Errorf("elo0 = %v and elo1 = %v: elo0 must be less than elo1", t.Elo0, t.Elo1)
	}
	for _, e := range []struct {
		name  string
		value float64
	}{{"alpha", t.Alpha}, {"beta", t.Beta}} {
		if !(e.value > 0 && e.value < 1) {
			return fmt.Errorf("%s = %v: a probability of error must be between 0 and 1", e.name, e.value)
		}
	}
	if t.Alpha+t.Beta >= 1 {
		return fmt.Errorf("alpha = %v and beta = %v: their sum must be less than 1", t.Alpha, t.Beta)
	}
	if !slices.Contains(Models(), t.Model) {
		return fmt.Errorf("model = %q is unknown (known: %q, %q)", t.Model, Normalized, Logistic)
	}
	return nil
}

// Bounds returns the log-likelihood ratios at which the test ends: ln(beta/(1-alpha)) for H0 and
// ln((1-beta)/alpha) for H1. Source: A. Wald, Sequential Tests of Statistical Hypotheses (1945).
func (t Test) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Decision is the result of a test so far.
type Decision int

// The decisions.
const (
	Undecided Decision = iota // the test continues
	AcceptH0
	AcceptH1
)

// String returns "H0", "H1" or "undecided".
func (d Decision) String() string {
	switch d {
	case AcceptH0:
		return "H0"
	case AcceptH1:
		return "H1"
	default:
		return "undecided"
	}
}

// Decide returns the decision for a log-likelihood ratio. A ratio equal to a bound accepts a hypothesis.
func (t Test) Decide(llr float64) Decision {
	lower, upper := t.Bounds()
	switch {
	case llr >= upper:
		return AcceptH1
	case llr <= lower:
		return AcceptH0
	default:
		return Undecided
	}
}

// LLRGames returns the log-likelihood ratio of H1 to H0 for games that are not pairs; 0 without a game. See
// Pairs.
func (t Test) LLRGames(g Trinomial) float64 { return t.llr(g.sample()) }

// LLRPairs returns the log-likelihood ratio of H1 to H0; 0 without a pair. The test is the generalized
// sequential probability ratio test: each hypothesis is represented by the distribution of results that
// fits it and makes the observed results most likely. A class without a unit counts as a thousandth of a
// unit. The test must pass Check.
//
// Sources: M. Van den Bergh, Comparing approximations of the LLR of a generalized SPRT (2019),
// proposition 1.1, for the logistic model; the same, Comments on normalized Elo (2020), section 4.1, for
// the normalized.
func (t Test) LLRPairs(p Pentanomial) float64 { return t.llr(p.sample()) }

// unseen is the count of a class without a unit.
const unseen = 0.001

func (t Test) llr(s sample) float64 {
	if s.size() == 0 {
		return 0
	}
	counts := make([]float64, len(s.counts))
	for i, n := range s.counts {
		counts[i] = n
		if n == 0 {
			counts[i] = unseen
		}
	}
	seen := shares(counts)
	h0, h1 := t.fit(s, seen, t.Elo0), t.fit(s, seen, t.Elo1)
	sum := 0.0
	for i, n := range counts {
		sum += n * math.Log(h1[i]/h0[i])
	}
	return sum
}

// fit returns the likeliest distribution of results under which the first player is stronger by elo.
func (t Test) fit(s sample, seen []float64, elo float64) []float64 {
	if t.Model == Logistic {
		moments := make([]float64, len(s.values))
		for i, v := range s.values {
			moments[i] = v - Score(elo)
		}
		return fitMoment(moments, seen)
	}
	return fitNormalized(s.values, seen, elo/normalizedElo*math.Sqrt(s.games))
}

// fitMoment returns the likeliest distribution under which the moments have the expectation 0. Some moments
// are greater than 0 and some less. By Lagrange's rule it is seen/(1 + theta moment), with theta between
// the two poles at which a share is infinite. The root may be very close to a pole. So the search is for the
// part u of the way from the pole to 0: 1 + theta moment = 1 - r + u r, where r is the moment divided by
// that of the pole.
func fitMoment(moments, seen []float64) []float64 {
	pole := slices.Max(moments)
	if mean(moments, seen) > 0 {
		pole = slices.Min(moments)
	}
	u := root(func(u float64) (y, slope float64) {
		for i, m := range moments {
			r := m / pole
			share := r / (1 - r + u*r)
			y += seen[i] * share
			slope -= seen[i] * share * share
		}
		return y, slope
	}, 0, 1)
	fitted := make([]float64, len(seen))
	for i, m := range moments {
		r := m / pole
		fitted[i] = seen[i] / (1 - r + u*r)
	}
	return fitted
}

// fitNormalized returns the likeliest distribution whose mean is t standard deviations above 1/2. This
// condition is not linear. Each round makes it linear at the mean and deviation of the round before; the
// first uses those of the uniform distribution.
func fitNormalized(values, seen []float64, t float64) []float64 {
	fitted := make([]float64, len(values))
	for i := range fitted {
		fitted[i] = 1 / float64(len(values))
	}
	for range 1000 {
		next := fitMoment(normalizedMoments(values, fitted, t), seen)
		change := floats.Distance(next, fitted, math.Inf(1))
		fitted = next
		if change < 1e-14 {
			break
		}
	}
	return fitted
}

// normalizedMoments returns moments that have the expectation 0 when the mean is t standard deviations above
// 1/2, to first order around the given distribution. It may be that no result is good enough for this mean.
// Then the mean moves towards the best result, and the deviation to the value that t requires, until one is.
func normalizedMoments(values, about []float64, t float64) []float64 {
	centre := mean(values, about)
	spread := deviation(values, about, centre)
	moments := make([]float64, len(values))
	for {
		for i, v := range values {
			z := (v - centre) / spread
			moments[i] = v - 0.5 - t*spread/2*(1+z*z)
		}
		if slices.Min(moments) < 0 && slices.Max(moments) > 0 {
			return moments
		}
		best := 1.0
		if t < 0 {
			best = 0
		}
		centre = (centre + best) / 2
		spread = (centre - 0.5) / t
	}
}
