package page

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
	End  string // "start" or "end" for the first and the last number, otherwise "middle"

	number float64
}

// newAxis returns an axis for numbers from low to high, with at most about most steps
// between round numbers. A tight axis ends at low and high, another one at round
// numbers. write writes a number.
func newAxis(low, high float64, most int, tight bool, write func(float64) string) axis {
	if !(low < high) {
		low, high = low-1, low+1
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/float64(most))))
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
		t := tick{number: i * step, At: a.percent(i * step), Text: write(i * step), End: "middle"}
		switch share := a.share(t.number); {
		case share < 0.05:
			t.End = "start"
		case share > 0.95:
			t.End = "end"
		}
		a.Ticks = append(a.Ticks, t)
	}
	return a
}

// share returns the place of a number on the axis, from 0 to 1.
func (a axis) share(number float64) float64 {
	return min(1, max(0, (number-a.low)/(a.high-a.low)))
}

// percent writes the place of a number on the axis, as SVG reads it.
func (a axis) percent(number float64) string { return percent(a.share(number)) }

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }

// wholeNumber writes a number of an axis.
func wholeNumber(number float64) string { return strconv.FormatFloat(math.Round(number)+0, 'f', 0, 64) }
