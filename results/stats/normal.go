package stats

import "math"

// z95 is the 97.5 % quantile of the normal distribution: 95 % of it lie within z95 standard errors.
const z95 = 1.959963984540054

// NormalCDF is the chance that a standard normal variable is at most x.
func NormalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// NormalQuantile is the x at which NormalCDF is p; p lies between 0 and 1, both excluded.
func NormalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }
