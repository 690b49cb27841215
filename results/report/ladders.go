package report

import (
	"sembra/engine/show"
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
	type line = results.LadderLine
	part := tableOf(each(lines), []column[line]{
		{right("#"), number(func(l line) int { return l.Rank })},
		{name("bot"), func(l line) string { return l.Bot }},
		{name("ruleset"), func(l line) string { return l.Ruleset }},
		{right("Elo"), func(l line) string { return whole(l.Elo) }},
		{drop(1, right("matches")), number(func(l line) int { return l.Matches })},
	})
	for _, ruleset := range object.Rulesets {
		if ruleset.Repeats > 0 {
			repeats := show.Count(ruleset.Repeats, "match repeats an earlier one and is", "matches repeat earlier ones and are")
			part.Notes = append(part.Notes, ruleset.Ruleset+": "+repeats+" not rated ("+repeatHint+")")
		}
	}
	return Report{Parts: []Part{part}, CSV: linesOf(each(lines)), JSON: object}
}
