package report

import (
	"cmp"
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
	return Part{
		Columns: []Column{
			left(title), right("points"), right("matches"), right("won"), right("drawn"), right("lost"), rare(right("void")),
			right("score"),
		},
		Rows: rowsOf(lines, func(l tallied) []string {
			score := "-"
			if l.Matches > 0 {
				score = scoreCell(l.Points / float64(l.Matches))
			}
			return []string{
				l.what, exact(l.Points), strconv.Itoa(l.Matches), strconv.Itoa(l.Wins), strconv.Itoa(l.Draws),
				strconv.Itoa(l.Losses), strconv.Itoa(l.Void()), score,
			}
		}),
	}
}

// ThinkingTable returns how long a bot thought about its moves, by their number in the match.
func ThinkingTable(steps []results.ThinkingStep) Part {
	return Part{
		Columns: []Column{left("move"), right("moves"), right("median"), right("9 of 10 within"), right("longest")},
		Rows: rowsOf(steps, func(s results.ThinkingStep) []string {
			numbers := strconv.Itoa(s.First)
			if s.Last > s.First {
				numbers += "–" + strconv.Itoa(s.Last)
			}
			return []string{numbers, strconv.Itoa(s.Moves), ShortTime(s.Median), ShortTime(s.Most), ShortTime(s.Longest)}
		}),
	}
}

// ShortTime writes a time with at most three digits that count: "1.23ms", "4m10s".
func ShortTime(d time.Duration) string {
	unit := time.Duration(1)
	if d > 0 {
		unit = time.Duration(math.Pow10(max(0, int(math.Log10(float64(d)))-2)))
	}
	return d.Round(unit).String()
}
