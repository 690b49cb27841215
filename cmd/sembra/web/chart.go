package web

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
)

// chartView is lines over a common axis.
type chartView struct {
	Title       string // a few words
	Description string // a sentence for those who do not see the lines
	X, Y        []tick
	Bounds      []tick // horizontal lines with a name
	Lines       []chartLine
}

// chartLine is a line of a chart.
type chartLine struct {
	Name   string // "": the only line of its chart
	Class  string // how the line is drawn; 10-tables.css has the classes
	Last   string // the last number of the line, as text
	Points string // as SVG reads them, in a square of 1000 by 1000

	points []chartPoint
}

type chartPoint struct{ x, y float64 }

// plotHeight is the part of a chart above the numbers of its horizontal axis.
const plotHeight = 0.92

// frame is the axes of a chart.
type frame struct{ x, y axis }

// draw adds lines and the numbers of the axes to the chart. More numbers are on its vertical axis.
func (c *chartView) draw(lines []chartLine, y axisUnit, more ...float64) frame {
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), slices.Min(more), slices.Max(more)
	for _, line := range lines {
		for _, at := range line.points {
			lowX, highX, lowY, highY = min(lowX, at.x), max(highX, at.x), min(lowY, at.y), max(highY, at.y)
		}
	}
	f := frame{newAxis(lowX, highX, 6, true, whole()), newAxis(lowY, highY, 6, false, y)}
	c.X = f.x.Ticks
	for _, t := range f.y.Ticks {
		c.Y = append(c.Y, f.across(t.number, t.Text))
	}
	for _, line := range lines {
		line.Points = f.path(line.points)
		c.Lines = append(c.Lines, line)
	}
	return f
}

func (f frame) across(y float64, text string) tick {
	return tick{number: y, At: percent(plotHeight * (1 - f.y.share(y))), Text: text}
}

// path writes a line, without the points inside its level parts.
func (f frame) path(points []chartPoint) string {
	var text strings.Builder
	for i, at := range points {
		if 0 < i && i < len(points)-1 && points[i-1].y == at.y && at.y == points[i+1].y {
			continue
		}
		if i > 0 {
			text.WriteByte(' ')
		}
		x, y := math.Round(1000*f.x.share(at.x)), math.Round(1000*(1-f.y.share(at.y)))
		text.WriteString(strconv.Itoa(int(x)) + "," + strconv.Itoa(int(y)))
	}
	return text.String()
}

// axis maps numbers to a length.
type axis struct {
	low, high float64
	Ticks     []tick
}

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
	power := max(u.least, math.Pow(10, math.Floor(math.Log10((high-low)/float64(most)))))
	step := power
	for _, factor := range []float64{2, 5, 10} {
		if (high-low)/step > float64(most) {
			step = factor * power
		}
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

// barView is a number with its interval, drawn on the axis of its column.
type barView struct {
	Point    string // the places on the axis; "": the number is not known
	From, To string // of the interval; "": there is none
	Lower    bool   // the interval has no lower end
	Upper    bool   // the interval has no upper end
}

// barColumn returns the column of bars for the ratings of standings, and its cells. The column has no axis if no
// rating is known.
func barColumn(s results.Standings) (columnView, []cellView) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, line := range s.Lines {
		for _, number := range []*float64{line.Field.Rating, line.Field.Low, line.Field.High} {
			if number != nil {
				low, high = min(low, *number), max(high, *number)
			}
		}
	}
	column := columnView{Title: "rating with its 95% interval", Class: "bars"}
	cells := make([]cellView, len(s.Lines))
	if low > high {
		return column, cells
	}
	scale := newAxis(low, high, 3, false, whole())
	column.Axis = &scale
	at := func(number *float64, unknown string) string {
		if number == nil {
			return unknown
		}
		return scale.percent(*number)
	}
	for i, line := range s.Lines {
		r := line.Field
		v := &barView{Point: at(r.Rating, "")}
		if r.Low != nil || r.High != nil {
			v.From, v.To, v.Lower, v.Upper = at(r.Low, "0%"), at(r.High, "100%"), r.Low == nil, r.High == nil
		}
		cells[i].Bar = v
	}
	return column, cells
}

// curvesView shows how a number of both players went during a match.
type curvesView struct {
	Kind      string // stores, clocks or scores
	Title     string
	Low, High string // the numbers at the bottom and at the top
	Zero      string // where zero is, from the top in percent; "": at the bottom
	Plies     int
	Lines     []chartLine
}

// matchCurves returns the seeds in the stores, the clocks and the scores of a match. left is what the clocks showed,
// see [results.Match.TimeLeft]; without it, there is the time spent instead.
func matchCurves(replay results.Replay, left [][2]time.Duration) []curvesView {
	if len(replay.Plies) < 2 {
		return nil
	}
	var stores, times, scores [2][]chartPoint
	clocks := "Time left"
	isSpent := left == nil
	if isSpent {
		clocks = "Thinking time so far"
		left = make([][2]time.Duration, 1)
	}
	for seat := range stores {
		stores[seat] = []chartPoint{{0, float64(replay.Start.Store(engine.Seat(seat)))}}
	}
	for i, ply := range replay.Plies {
		x := float64(i + 1)
		for seat := range stores {
			stores[seat] = append(stores[seat], chartPoint{x, float64(ply.After.Store(engine.Seat(seat)))})
		}
		if isSpent {
			left = append(left, ply.Spent)
		}
		if mover := ply.Before.Side(); ply.Score != nil {
			score := *ply.Score
			if mover == engine.North {
				score = -score
			}
			scores[mover] = append(scores[mover], chartPoint{x, score})
		}
	}
	for i, now := range left {
		for seat := range now {
			times[seat] = append(times[seat], chartPoint{float64(i), now[seat].Seconds()})
		}
	}
	seeds := float64(replay.Rules().Info().Total())
	signed := func(number float64) string {
		if number == 0 {
			return "0"
		}
		return fmt.Sprintf("%+.3g", number)
	}
	seconds := func(number float64) string { return report.ShortTime(time.Duration(number * float64(time.Second))) }
	views := []curvesView{
		newCurves("stores", "Seeds in the stores", replay, stores, 0, seeds, whole().write),
		newCurves("clocks", clocks, replay, times, 0, math.Inf(1), seconds),
	}
	if len(scores[engine.South])+len(scores[engine.North]) > 0 {
		const title = "Scores that the bots reported, in seeds, as South sees them"
		views = append(views, newCurves("scores", title, replay, scores, -seeds, seeds, signed))
	}
	return views
}

// newCurves draws the points of both seats. Numbers beyond low and high are drawn at the edge.
func newCurves(
	kind, title string, replay results.Replay, points [2][]chartPoint, low, high float64, write func(float64) string,
) curvesView {
	least, most := 0.0, 0.0
	for _, of := range points {
		for _, at := range of {
			least, most = min(least, max(at.y, low)), max(most, min(at.y, high))
		}
	}
	if least == most {
		most = least + 1
	}
	v := curvesView{Kind: kind, Title: title, Low: write(least), High: write(most), Plies: len(replay.Plies)}
	f := frame{axis{low: 0, high: float64(v.Plies)}, axis{low: least, high: most}}
	if least < 0 && most > 0 {
		v.Zero = percent(1 - f.y.share(0))
	}
	bots := [2]string{replay.Record.South, replay.Record.North}
	for seat, of := range points {
		if len(of) > 0 {
			v.Lines = append(v.Lines, chartLine{
				Name: bots[seat], Class: engine.Seat(seat).String(), Last: write(of[len(of)-1].y), Points: f.path(of),
			})
		}
	}
	return v
}
