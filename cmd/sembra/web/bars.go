package web

import (
	"math"

	"sembra/results"
)

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
