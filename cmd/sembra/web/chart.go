package web

import (
	"math"
	"slices"
	"strconv"
	"strings"
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

// chartPoint is a place in a chart, before it is drawn.
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

// across returns a horizontal line.
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
