package report

import (
	"strconv"

	"sembra/results"
)

// ladders is the report of ratings in JSON.
type ladders struct {
	Rulesets []results.LadderRuleset `json:"rulesets"`
	Ratings  []results.LadderLine    `json:"ratings"`
}

// Ladders reports each bot's rating over all tournaments. It has the formats Table, Markdown, CSV and JSON.
func Ladders(l *results.Ladders) Report {
	lines := l.Lines()
	object := ladders{l.Rulesets(), lines}
	part := Part{
		Columns: []Column{
			right("#"), name("bot"), name("ruleset"), right("Elo"), drop(1, right("matches")),
		},
		Rows: rowsOf(lines, func(line results.LadderLine) []string {
			return []string{strconv.Itoa(line.Rank), line.Bot, line.Ruleset, whole(line.Elo), strconv.Itoa(line.Matches)}
		}),
	}
	for _, ruleset := range object.Rulesets {
		if ruleset.Repeats > 0 {
			repeats := counted(ruleset.Repeats, "match repeats an earlier one and is", "matches repeat earlier ones and are")
			part.Notes = append(part.Notes, ruleset.Ruleset+": "+repeats+" not rated ("+repeatHint+")")
		}
	}
	return Report{Parts: []Part{part}, CSV: linesOf(each(lines)), JSON: object}
}
