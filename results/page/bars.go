package page

import (
	"math"

	"sembra/results/report"
)

// barView is a number with its interval, drawn on the axis of its column.
type barView struct {
	Point    string // the places on the axis; "": the number is not known
	From, To string // of the interval; "": there is none
	Lower    bool   // the interval has no lower end
	Upper    bool   // the interval has no upper end
	Alone    bool   // the number has no interval, although it is an estimate
}

// barColumn returns the column of bars for the bots in the order of names, and its
// cells. The column has no axis if no number is known.
func barColumn(title string, bars []report.Bar, names []string) (columnView, []cellView) {
	low, high := math.Inf(1), math.Inf(-1)
	of := make(map[string]report.Bar, len(bars))
	for _, bar := range bars {
		of[bar.Name] = bar
		for _, number := range []*float64{bar.Value, bar.Low, bar.High} {
			if number != nil {
				low, high = min(low, *number), max(high, *number)
			}
		}
	}
	column := columnView{Title: title, Class: "bars"}
	cells := make([]cellView, len(names))
	if low > high {
		return column, cells
	}
	scale := newAxis(low, high, 3, false, whole())
	column.Axis = &scale
	for i, name := range names {
		bar := of[name]
		view := newBar(scale, bar)
		cells[i].Bar = &view
	}
	return column, cells
}

func newBar(a axis, bar report.Bar) barView {
	var v barView
	if bar.Value != nil {
		v.Point = a.percent(*bar.Value)
	}
	if bar.Low == nil && bar.High == nil {
		v.Alone = !bar.Given
		return v
	}
	v.From, v.To, v.Lower, v.Upper = "0%", "100%", bar.Low == nil, bar.High == nil
	if bar.Low != nil {
		v.From = a.percent(*bar.Low)
	}
	if bar.High != nil {
		v.To = a.percent(*bar.High)
	}
	return v
}
