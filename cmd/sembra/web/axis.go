package web

import (
	"math"
	"strconv"
)

// axis maps numbers to a length.
type axis struct {
	low, high float64
	Ticks     []tick
}

// tick is a number on an axis.
type tick struct {
	At   string // its place in percent, from the left or from the top
	Text string

	number float64
}

// axisUnit is how the numbers of an axis are written.
type axisUnit struct {
	write func(float64) string
	least float64 // distance of two numbers that are written differently: a power of 10
}

// whole is the unit of whole numbers.
func whole() axisUnit {
	return axisUnit{func(n float64) string { return strconv.FormatFloat(math.Round(n)+0, 'f', 0, 64) }, 1} // without -0
}

// newAxis returns an axis for numbers from low to high, with at most about most steps between round numbers. A tight
// axis ends at low and high, another one at round numbers. Numbers beyond farthest units are drawn at its ends.
func newAxis(low, high float64, most int, tight bool, u axisUnit) axis {
	const farthest = 1e14 // two neighbours are different floating-point numbers up to here, with any unit
	edge := farthest * u.least
	low, high = min(max(low, -edge), edge), min(max(high, -edge), edge)
	if !(low < high) {
		low, high = low-u.least, low+u.least
	}
	step := max(u.least, math.Pow(10, math.Floor(math.Log10((high-low)/float64(most)))))
	for i := 0; (high-low)/step > float64(most); i++ {
		step *= [3]float64{2, 2.5, 2}[i%3] // 1, 2, 5, 10
	}
	first, last := math.Floor(low/step), math.Ceil(high/step)
	a := axis{low: first * step, high: last * step}
	if tight {
		a.low, a.high = low, high
		first, last = math.Ceil(low/step), math.Floor(high/step)
	}
	for i := first; i <= last; i++ {
		a.Ticks = append(a.Ticks, tick{number: i * step, At: a.percent(i * step), Text: u.write(i * step)})
	}
	return a
}

// share returns the place of a number on the axis, from 0 to 1. A NaN is at 0.
func (a axis) share(number float64) float64 {
	share := min(1, max(0, (number-a.low)/(a.high-a.low)))
	if math.IsNaN(share) {
		return 0
	}
	return share
}

// percent writes the place of a number on the axis, as SVG reads it.
func (a axis) percent(number float64) string { return percent(a.share(number)) }

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }
