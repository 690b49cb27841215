package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// mostElo is the largest difference that a hypothesis may state. Beyond it scores cannot be told from 0
// and 1.
const mostElo = 2000

// Models are all models, the usual one first.
func Models() []Model { return []Model{Normalized, Logistic} }

// Check says what is wrong with the test: a value that is not finite or out of its range, or a model
// that is not known. The error names the field.
func (t Test) Check() error {
	for _, e := range []struct {
		name  string
		value float64
	}{{"elo0", t.Elo0}, {"elo1", t.Elo1}} {
		if !(math.Abs(e.value) <= mostElo) {
			return fmt.Errorf("%s = %v: it lies between -%d and %d", e.name, e.value, mostElo, mostElo)
		}
	}
	if t.Elo0 >= t.Elo1 {
		return fmt.Errorf("elo0 = %v and elo1 = %v: elo0 is the smaller one", t.Elo0, t.Elo1)
	}
	for _, e := range []struct {
		name  string
		value float64
	}{{"alpha", t.Alpha}, {"beta", t.Beta}} {
		if !(e.value > 0 && e.value < 1) {
			return fmt.Errorf("%s = %v: it is a chance of error and lies between 0 and 1", e.name, e.value)
		}
	}
	if t.Alpha+t.Beta >= 1 {
		return fmt.Errorf("alpha = %v and beta = %v: their sum is less than 1", t.Alpha, t.Beta)
	}
	if t.Model == "" {
		return errors.New(`model is not set: it is "normalized" or "logistic"`)
	}
	if !slices.Contains(Models(), t.Model) {
		return fmt.Errorf("model = %q is not known: there are %q", t.Model, Models())
	}
	return nil
}

// Bounds are the log-likelihood ratios at which the test ends: ln(beta/(1-alpha)) for H0 and
// ln((1-beta)/alpha) for H1. Source: A. Wald, Sequential Tests of Statistical Hypotheses (1945).
func (t Test) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Decision is what a test says so far.
type Decision int

// The decisions.
const (
	Undecided Decision = iota
	AcceptH0
	AcceptH1
)

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

// Decide says which hypothesis a log-likelihood ratio accepts; one at a bound does.
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
