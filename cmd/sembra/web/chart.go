package web

import (
	"math"
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

	points []point
}

// point is a place in a chart, before it is drawn.
type point struct{ x, y float64 }

// plotHeight is the part of a chart above the numbers of its horizontal axis.
const plotHeight = 0.92

// frame is the axes of a chart.
type frame struct{ x, y axis }

// newFrame returns axes for some lines, and for more numbers on the vertical axis.
func newFrame(lines []chartLine, more []float64, x, y unit) frame {
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, number := range more {
		lowY, highY = min(lowY, number), max(highY, number)
	}
	for _, line := range lines {
		for _, at := range line.points {
			lowX, highX = min(lowX, at.x), max(highX, at.x)
			lowY, highY = min(lowY, at.y), max(highY, at.y)
		}
	}
	return frame{newAxis(lowX, highX, 6, true, x), newAxis(lowY, highY, 6, false, y)}
}

// draw adds the lines and the numbers of the axes to a chart.
func (f frame) draw(c *chartView, lines []chartLine) {
	c.X = f.x.Ticks
	for _, t := range f.y.Ticks {
		c.Y = append(c.Y, f.across(t.number, t.Text))
	}
	for _, line := range lines {
		line.Points = f.path(line.points)
		c.Lines = append(c.Lines, line)
	}
}

// across returns a horizontal line.
func (f frame) across(y float64, text string) tick {
	return tick{number: y, At: percent(plotHeight * (1 - f.y.share(y))), Text: text}
}

// path writes a line, without the points inside its level parts.
func (f frame) path(points []point) string {
	var text strings.Builder
	for i, at := range points {
		if 0 < i && i < len(points)-1 && points[i-1].y == at.y && at.y == points[i+1].y {
			continue
		}
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(strconv.Itoa(int(math.Round(1000 * f.x.share(at.x)))))
		text.WriteByte(',')
		text.WriteString(strconv.Itoa(int(math.Round(1000 * (1 - f.y.share(at.y))))))
	}
	return text.String()
}
