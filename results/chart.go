package results

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Chart draws numbers with their intervals on one scale, in plain ASCII: it looks the same wherever it is
// shown.
type Chart struct {
	Rows  []ChartRow
	Width int // columns of the whole; as many more as names and numbers need beside 20 of the bars
}

// ChartRow is one number. Those of the three that are not there are nil, none is NaN
// or infinite: a Low alone is a lower bound and a High alone an upper bound.
type ChartRow struct {
	Name             string
	Value, Low, High *float64
	Given            bool // the Value is no estimate, and needs no interval
	Apart            bool // below an empty line: it does not compare with the row before it
}

// The parts of a bar.
const (
	chartPoint = 'o' // the number
	chartAlone = '?' // the number, of which no end of an interval is known
	chartEnd   = '|' // of the interval
	chartLine  = '-'
	chartLower = '<' // no end on that side
	chartUpper = '>'

	minBarWidth = 20
	barMargin   = 3 // columns beyond the axis at each side, where bars without an end go
)

// Write draws a line a row, in their order, and an axis below them; no axis where no row has a number.
func (c Chart) Write(w io.Writer) error {
	nameWidth, numberWidth := 0, 0
	for _, row := range c.Rows {
		nameWidth = max(nameWidth, displaywidth.String(row.Name))
		numberWidth = max(numberWidth, len(row.number()))
	}
	scale, ok := c.scale(max(minBarWidth, c.Width-nameWidth-numberWidth-4))
	var out strings.Builder
	line := func(name, number, bar string) {
		text := name + strings.Repeat(" ", nameWidth-displaywidth.String(name)) + fmt.Sprintf("  %*s  %s", numberWidth, number, bar)
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	for _, row := range c.Rows {
		if row.Apart {
			out.WriteString("\n")
		}
		bar := ""
		if ok {
			bar = row.bar(scale)
		}
		line(row.Name, row.number(), bar)
	}
	if ok {
		ticks, labels := scale.axis()
		line("", "", ticks)
		line("", "", labels)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// number is the row's number as text: "1523", "> 1710", "< 1290", "-".
func (r ChartRow) number() string {
	switch {
	case r.Value != nil:
		return whole(*r.Value)
	case r.Low != nil && r.High == nil:
		return "> " + whole(*r.Low)
	case r.Low == nil && r.High != nil:
		return "< " + whole(*r.High)
	}
	return "-"
}

// bar draws the row's interval.
func (r ChartRow) bar(s chartScale) string {
	bar := []rune(strings.Repeat(" ", s.width))
	if r.Low != nil || r.High != nil {
		first, last := 0, s.width-1
		firstSign, lastSign := chartLower, chartUpper
		if r.Low != nil {
			first, firstSign = s.column(*r.Low), chartEnd
		}
		if r.High != nil {
			last, lastSign = s.column(*r.High), chartEnd
		}
		for i := first; i <= last; i++ {
			bar[i] = chartLine
		}
		bar[first], bar[last] = firstSign, lastSign
	}
	if r.Value != nil {
		point := chartPoint
		if r.Low == nil && r.High == nil && !r.Given {
			point = chartAlone
		}
		bar[s.column(*r.Value)] = point
	}
	return string(bar)
}

// chartScale maps numbers to the columns of a bar.
type chartScale struct {
	low, step float64 // of the axis, both whole numbers
	steps     int
	width     int // columns
}

// scale finds an axis that has all numbers of the chart, and false where there is none.
func (c Chart) scale(width int) (s chartScale, ok bool) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range c.Rows {
		for _, number := range []*float64{row.Value, row.Low, row.High} {
			if number != nil {
				low, high = min(low, *number), max(high, *number)
			}
		}
	}
	if low > high {
		return chartScale{}, false
	}
	const markWidth = 7                       // columns from mark to mark
	most := (width - 2*barMargin) / markWidth // at least 2, which do for any numbers with a large enough step
	for step := range roundSteps {
		s = chartScale{low: math.Floor(low/step) * step, step: step, width: width}
		s.steps = max(1, int(math.Ceil((high-s.low)/step)))
		if s.steps <= most {
			break
		}
	}
	return s, true
}

// roundSteps gives 10, 20, 50, 100, 200, 500 and so on.
func roundSteps(yield func(float64) bool) {
	for decade := 10.0; ; decade *= 10 {
		for _, step := range []float64{1, 2, 5} {
			if !yield(step * decade) {
				return
			}
		}
	}
}

// column is the place of a number in a bar.
func (s chartScale) column(number float64) int {
	share := (number - s.low) / (s.step * float64(s.steps))
	return barMargin + int(math.Round(share*float64(s.width-1-2*barMargin)))
}

// axis draws the axis and its numbers. A number that would touch the one before it is left out.
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
