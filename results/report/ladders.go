package report

import (
	"cmp"
	"slices"
	"strconv"

	"sembra/results"
	"sembra/results/stats"
)

// ladders is the report of ratings in JSON.
type ladders struct {
	Rulesets []results.LadderRuleset `json:"rulesets"`
	Ratings  []results.LadderLine    `json:"ratings"`
}

// Ladders reports each bot's rating over all tournaments. It has all formats but JSONL; the chart has the Glicko-2
// ratings, as the online Elo has no intervals.
func Ladders(l *results.Ladders) Report {
	lines := l.Lines()
	object := ladders{l.Rulesets(), lines}
	part := Part{
		Columns: []Column{
			right("#"), name("bot"), name("ruleset"), right("Elo"), drop(3, right("matches")),
			right("Glicko"), drop(2, right("deviation")), drop(1, right("volatility")),
		},
		Rows: rowsOf(lines, func(line results.LadderLine) []string {
			return []string{
				strconv.Itoa(line.Rank), line.Bot, line.Ruleset, whole(line.Elo), strconv.Itoa(line.Matches),
				whole(line.Glicko.Rating),
				strconv.FormatFloat(line.Glicko.Deviation, 'f', 1, 64), strconv.FormatFloat(line.Glicko.Volatility, 'f', 4, 64),
			}
		}),
	}
	charts := []Part{}
	for _, ruleset := range object.Rulesets {
		charts = append(charts, ladderChart(ruleset.Ruleset, lines))
		if ruleset.Repeats > 0 {
			repeats := counted(ruleset.Repeats, "match repeats an earlier one and is", "matches repeat earlier ones and are")
			part.Notes = append(part.Notes, ruleset.Ruleset+": "+repeats+" not rated ("+repeatHint+")")
		}
	}
	if last := len(charts) - 1; last >= 0 {
		charts[last].Notes = part.Notes
	}
	return Report{Parts: []Part{part}, Chart: charts, CSV: linesOf(each(lines)), JSON: object}
}

// ladderChart draws the Glicko-2 ratings of a ruleset, best first.
func ladderChart(ruleset string, lines []results.LadderLine) Part {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l results.LadderLine) bool { return l.Ruleset != ruleset })
	slices.SortStableFunc(lines, func(a, b results.LadderLine) int {
		return cmp.Compare(b.Glicko.Rating, a.Glicko.Rating)
	})
	part := Part{Title: []string{ruleset, "Glicko-2 with 95 % intervals"}}
	for _, line := range lines {
		bar := Bar{Name: line.Bot}
		if line.Matches > 0 {
			margin := stats.Z95 * line.Glicko.Deviation
			bar.Value, bar.Low, bar.High = &line.Glicko.Rating, new(line.Glicko.Rating-margin), new(line.Glicko.Rating+margin)
		}
		part.Bars = append(part.Bars, bar)
	}
	return part
}
