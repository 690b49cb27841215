package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"sembra/results"
)

// Points writes points as all tables have them: "6", "5.5".
func Points(points float64) string { return exact(points) }

// SeatTable returns the results of a bot as South and as North.
func SeatTable(p results.Profile) Part {
	return tallyTable("seat", []tallied{{"South", p.Seats[0]}, {"North", p.Seats[1]}})
}

// EndingTable returns the results of a bot by how its matches ended, the most frequent ending first.
func EndingTable(p results.Profile) Part {
	endings := slices.SortedFunc(maps.Keys(p.Endings), func(a, b results.Ending) int {
		return cmp.Or(cmp.Compare(p.Endings[b].Matches, p.Endings[a].Matches), cmp.Compare(a, b))
	})
	var lines []tallied
	for _, ending := range endings {
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
	return tableOf(each(lines), []Column[tallied]{
		{Title: title, Kind: Text, Value: func(l tallied) any { return l.what }},
		{Title: "points", Value: func(l tallied) any { return l.Points }},
		{Title: "matches", Value: func(l tallied) any { return l.Matches }},
		{Title: "won", Value: func(l tallied) any { return l.Wins }},
		{Title: "drawn", Value: func(l tallied) any { return l.Draws }},
		{Title: "lost", Value: func(l tallied) any { return l.Losses }},
		{Title: "void", Rare: true, Value: func(l tallied) any { return l.Void() }},
		{Title: "score", Value: func(l tallied) any { return shareCell(l.Points/float64(l.Matches), l.Matches > 0) }},
	})
}

// ThinkingTable returns how long a bot thought about its moves, by their number in the match.
func ThinkingTable(steps []results.ThinkingStep) Part {
	type step = results.ThinkingStep
	return tableOf(each(steps), []Column[step]{
		{Title: "move", Kind: Text, Value: func(s step) any {
			if s.Last == s.First {
				return strconv.Itoa(s.First)
			}
			return fmt.Sprintf("%d–%d", s.First, s.Last)
		}},
		{Title: "moves", Value: func(s step) any { return s.Moves }},
		{Title: "median", Value: func(s step) any { return ShortTime(s.Median) }},
		{Title: "9 of 10 within", Value: func(s step) any { return ShortTime(s.Most) }},
		{Title: "longest", Value: func(s step) any { return ShortTime(s.Longest) }},
	})
}

// ShortTime writes a time with at most three digits that count: "1.23ms", "4m10s".
func ShortTime(d time.Duration) string {
	unit := time.Duration(1)
	if d > 0 {
		unit = time.Duration(math.Pow10(max(0, int(math.Log10(float64(d)))-2)))
	}
	return d.Round(unit).String()
}
