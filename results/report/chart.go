package report

import (
	"fmt"
	"math"
	"strings"
)

// Bar is a number of a chart with its interval. A number that is unknown is nil; none is NaN or infinite. A Low
// alone is a lower bound, and a High alone is an upper bound.
type Bar struct {
	Name             string
	Value, Low, High *float64
	Given            bool // the Value is not an estimate, so it needs no interval
	Apart            bool // an empty line is above it, because it does not compare with the bar before
}

// The parts of a bar.
const (
	chartPoint = 'o' // the number
	chartAlone = '?' // a number without an interval
	chartEnd   = '|' // of the interval
	chartLine  = '-'
	chartLower = '<' // the interval is unbounded on that side
	chartUpper = '>'

	minBarWidth = 20
	barMargin   = 3 // columns on each side of the axis, for unbounded bars
)

// chart draws numbers with their intervals on one scale. It uses ASCII alone, so it looks the same everywhere. Each
// bar has a line. Below them is an axis, unless no bar has a number. The chart has the given number of columns (0:
// 80), or more if names and numbers would leave less than minBarWidth.
func chart(bars []Bar, columns int) string {
	if columns == 0 {
		columns = 80
	}
	nameWidth, numberWidth := 0, 0
	for _, bar := range bars {
		nameWidth = max(nameWidth, width(printable(bar.Name)))
		numberWidth = max(numberWidth, len(bar.number()))
	}
	scale, ok := newScale(bars, max(minBarWidth, columns-nameWidth-numberWidth-4))
	var out strings.Builder
	line := func(name, number, drawn string) {
		text := fmt.Sprintf("%s%*s  %*s  %s", name, nameWidth-width(name), "", numberWidth, number, drawn)
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	for _, bar := range bars {
		if bar.Apart {
			out.WriteString("\n")
		}
		drawn := ""
		if ok {
			drawn = bar.draw(scale)
		}
		line(printable(bar.Name), bar.number(), drawn)
	}
	if ok {
		ticks, labels := scale.axis()
		line("", "", ticks)
		line("", "", labels)
	}
	return out.String()
}

// number returns the number as text.
func (b Bar) number() string { return boundCell(b.Value, b.Low, b.High, whole) }

// draw draws the interval.
func (b Bar) draw(s chartScale) string {
	bar := []rune(strings.Repeat(" ", s.width))
	if b.Low != nil || b.High != nil {
		first, last := 0, s.width-1
		firstSign, lastSign := chartLower, chartUpper
		if b.Low != nil {
			first, firstSign = s.column(*b.Low), chartEnd
		}
		if b.High != nil {
			last, lastSign = s.column(*b.High), chartEnd
		}
		for i := first; i <= last; i++ {
			bar[i] = chartLine
		}
		bar[first], bar[last] = firstSign, lastSign
	}
	if b.Value != nil {
		point := chartPoint
		if b.Low == nil && b.High == nil && !b.Given {
			point = chartAlone
		}
		bar[s.column(*b.Value)] = point
	}
	return string(bar)
}

// chartScale maps numbers to the columns of a bar.
type chartScale struct {
	low, step float64 // of the axis, both whole numbers
	steps     int
	width     int // columns
}

// newScale finds an axis for all numbers of the chart; ok is false if there is no number.
func newScale(bars []Bar, width int) (s chartScale, ok bool) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, bar := range bars {
		for _, number := range []*float64{bar.Value, bar.Low, bar.High} {
			if number != nil {
				low, high = min(low, *number), max(high, *number)
			}
		}
	}
	if low > high {
		return chartScale{}, false
	}
	const markWidth = 7                       // columns between two marks
	most := (width - 2*barMargin) / markWidth // at least 2, so a large enough step fits any numbers
	for step := range roundSteps {
		s = chartScale{low: math.Floor(low/step) * step, step: step, width: width}
		s.steps = max(1, int(math.Ceil((high-s.low)/step)))
		if s.steps <= most {
			break
		}
	}
	return s, true
}

// roundSteps yields 10, 20, 50, 100, 200, 500 and so on.
func roundSteps(yield func(float64) bool) {
	for decade := 10.0; ; decade *= 10 {
		for _, step := range []float64{1, 2, 5} {
			if !yield(step * decade) {
				return
			}
		}
	}
}

// column returns the column of a number in a bar.
func (s chartScale) column(number float64) int {
	share := (number - s.low) / (s.step * float64(s.steps))
	return barMargin + int(math.Round(share*float64(s.width-1-2*barMargin)))
}

// axis draws the axis and its numbers. It leaves out a number that would touch the one before it.
func (s chartScale) axis() (ticks, labels string) {
	line, text := []rune(strings.Repeat(" ", s.width)), ""
	for i := s.column(s.low); i <= s.column(s.low+s.step*float64(s.steps)); i++ {
		line[i] = chartLine
	}
	for i := range s.steps + 1 {
		number := s.low + s.step*float64(i)
		at, label := s.column(number), whole(number)
		line[at] = '+'
		if start := max(0, at-len(label)/2); start > len(text) || text == "" {
			text += strings.Repeat(" ", start-len(text)) + label
		}
	}
	return string(line), text
}
