package stats

import (
	"math"
	"math/cmplx"
)

// superiority returns the probability that the true mean of the units is greater than 1/2, if the shares of the
// classes have the sample's Dirichlet distribution as prior. It is greater for every unit that ends better, and a
// level unit does not change it. Without a unit it is 1/2. Its error is less than 1e-9.
func (s sample) superiority() float64 {
	var gains, shapes []float64
	mean, even := 0.0, true
	for i, value := range s.values {
		if gain := value - 0.5; gain != 0 {
			gains, shapes = append(gains, gain), append(shapes, s.counts[i]+s.prior[i])
			mean += gain * shapes[len(shapes)-1]
			even = even && s.counts[i] == s.counts[len(s.counts)-1-i]
		}
	}
	switch {
	case even:
		return 0.5
	case mean <= 0:
		return exceeding(gains, shapes)
	}
	for i := range gains {
		gains[i] = -gains[i]
	}
	return 1 - exceeding(gains, shapes)
}

// exceeding returns the probability that a sum of independent gamma variables with the given shapes, each times
// its gain, is greater than 0. The shares of a Dirichlet distribution are gamma variables divided by their sum, so
// this is also the probability that their weighted mean is. Some gains are greater than 0 and some less.
//
// With the logarithm K of the moment generating function, it is the integral of exp(K(s))/s over a vertical line
// in the complex plane, divided by 2πi. The line goes through the saddle point on the real axis, where the
// integrand hardly oscillates. The trapezoidal rule in x, with s = saddle + i width sinh(x), then converges very
// fast. Source: R. Lugannani, S. Rice, Saddle point approximation for the distribution of the sum of independent
// random variables (1980), section 2, for the integral.
func exceeding(gains, shapes []float64) float64 {
	pole := math.Inf(1)
	for _, gain := range gains {
		if gain > 0 {
			pole = min(pole, 1/gain)
		}
	}
	falling := func(s float64) (y, slope float64) { // the negative derivatives of the logarithm of the integrand
		y, slope = 1/s, -1/(s*s)
		for i, gain := range gains {
			term := gain / (1 - gain*s)
			y -= shapes[i] * term
			slope -= shapes[i] * term * term
		}
		return y, slope
	}
	saddle := root(falling, 0, pole*(1-1e-12))
	logarithm := func(s complex128) complex128 {
		sum := -cmplx.Log(s)
		for i, gain := range gains {
			sum -= complex(shapes[i], 0) * cmplx.Log(1-complex(gain, 0)*s)
		}
		return sum
	}
	peak := logarithm(complex(saddle, 0))
	_, slope := falling(saddle)
	width := 1 / math.Sqrt(-slope)
	const step = 1.0 / 8
	integral := step * width / 2 // at x = 0
	for x := step; x < 100; x += step {
		term := cmplx.Exp(logarithm(complex(saddle, width*math.Sinh(x)))-peak) * complex(width*math.Cosh(x)*step, 0)
		integral += real(term)
		if cmplx.Abs(term) < 1e-12*width {
			break
		}
	}
	return min(max(math.Exp(real(peak))*integral/math.Pi, 0), 1)
}
