package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// student is Student's t distribution with so many degrees of freedom. Its formulas are those of M. Abramowitz and I. A.
// Stegun, Handbook of Mathematical Functions (1964), 26.7.1, by way of the regularised incomplete beta function.
type student float64

// cdf returns the probability of a value below t.
func (s student) cdf(t float64) float64 {
	nu := float64(s)
	tail := mathext.RegIncBeta(nu/2, 0.5, nu/(nu+t*t)) / 2
	if t < 0 {
		return tail
	}
	return 1 - tail
}

// quantile returns the 97.5% quantile: half of a 95% interval has so many standard errors.
func (s student) quantile() float64 {
	nu := float64(s)
	x := mathext.InvRegIncBeta(nu/2, 0.5, 0.05)
	return math.Sqrt(nu * (1 - x) / x)
}
