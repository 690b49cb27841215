package stats

import "math"

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
