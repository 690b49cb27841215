package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

const (
	// logit is one Elo on the natural scale of the logistic curve.
	logit = math.Ln10 / 400
	// normalizedElo is the normalized Elo of a mean that is one standard deviation above 1/2.
	normalizedElo = 800 / math.Ln10
)

// Score returns the share of the points, from 0 to 1, that is expected of a player who is stronger by elo
// Elo: 1/(1+10^(-elo/400)). Source: Arpad E. Elo, The Rating of Chessplayers, Past and Present (1978), in
// the logistic form.
func Score(elo float64) float64 { return 1 / (1 + math.Exp(-logit*elo)) }

// Elo returns the difference in Elo at which a score is expected: the inverse of Score. It is nil unless the
// score is greater than 0 and less than 1.
func Elo(score float64) *float64 {
	if !(score > 0 && score < 1) {
		return nil
	}
	return number((math.Log(score) - math.Log1p(-score)) / logit)
}

// number returns a pointer to x, or nil if x is not finite. It turns -0 into 0.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x += 0
	return &x
}

// Z95 is the 97.5% quantile of the normal distribution: 95% of it is within Z95 standard errors.
const Z95 = 1.959963984540054

// NormalCDF returns the probability that a standard normal variable is at most x.
func NormalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// root returns where a falling function crosses zero between low and high. It uses Newton's method, with
// bisection where that would leave the bracket. f returns the value and the slope. It may be infinite at
// low, where root never calls it.
func root(f func(x float64) (y, slope float64), low, high float64) float64 {
	x := high
	for range 200 {
		y, slope := f(x)
		switch {
		case y > 0:
			low = x
		case y < 0:
			high = x
		default:
			return x
		}
		next := x - y/slope
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if math.Abs(next-x) <= 1e-15*math.Abs(x) {
			return next
		}
		x = next
	}
	return x
}

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
