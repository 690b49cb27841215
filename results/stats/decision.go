package stats

// Decision is the result of a test so far.
type Decision int

// The decisions.
const (
	Undecided Decision = iota // the test goes on
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
