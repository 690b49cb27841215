package stats

import "math"

// Z95 is the 97.5 % quantile of the normal distribution: 95 % of it is within Z95 standard errors.
const Z95 = 1.959963984540054

// NormalCDF returns the probability that a standard normal variable is at most x.
func NormalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
