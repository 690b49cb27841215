package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
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
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`
	Alpha float64 `json:"alpha"` // probability of accepting H1 when H0 is true, between 0 and 1
	Beta  float64 `json:"beta"`  // probability of accepting H0 when H1 is true, between 0 and 1
	Model Model   `json:"model"`
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
	if t.Model == "" {
		return errors.New(`model is not set (known: "normalized", "logistic")`)
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
