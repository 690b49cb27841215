package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"sembra/results"
	"sembra/results/measure"
)

// Points writes points as all tables have them: "6", "5.5".
func Points(points float64) string { return exact(points) }

// SeatTable returns the results of a bot as South and as North.
func SeatTable(p results.Profile) Part {
	return tallyTable("seat", []tallied{{"South", p.Seats[0]}, {"North", p.Seats[1]}})
}

// EndingTable returns the results of a bot by how its matches ended.
func EndingTable(p results.Profile) Part {
	var lines []tallied
	for _, ending := range slices.Sorted(maps.Keys(p.Endings)) {
		lines = append(lines, tallied{ending.String(), p.Endings[ending]})
	}
	return tallyTable("ending", lines)
}

// tallied is the results of some matches with what these have in common.
type tallied struct {
	what string
	results.Tally
}

func tallyTable(title string, lines []tallied) Part {
	void := slices.ContainsFunc(lines, func(l tallied) bool { return l.Void() > 0 })
	return Part{Rows: RowsOf(lines, func(l tallied) Row {
		return slices.Concat(
			Row{
				{Title: title, Kind: Text, Value: l.what},
				{Title: "points", Value: l.Points},
				{Title: "matches", Value: l.Matches},
			},
			wonDrawnLost(l.Tally, ""),
			Row{
				{Title: titleIf(void, "void"), Value: l.Void()},
				shareColumn("", "score", "", l.Points/float64(l.Matches), l.Matches > 0),
			},
		)
	})}
}

// ThinkingTable returns how long a bot thought about its moves, by their number in the match.
func ThinkingTable(steps []measure.ThinkingStep) Part {
	return Part{Rows: RowsOf(steps, func(s measure.ThinkingStep) Row {
		move := strconv.Itoa(s.First)
		if s.Last != s.First {
			move = fmt.Sprintf("%d–%d", s.First, s.Last)
		}
		return Row{
			{Title: "move", Kind: Text, Value: move},
			{Title: "moves", Value: s.Moves},
			{Title: "median", Value: ShortTime(s.Median)},
			{Title: "9 of 10 within", Value: ShortTime(s.Most)},
			{Title: "longest", Value: ShortTime(s.Longest)},
		}
	})}
}

// ShortTime writes a time with at most three digits that count: "1.23ms", "4m10s".
func ShortTime(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
