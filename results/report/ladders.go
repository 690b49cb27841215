package report

import (
	"sembra/engine/show"
	"sembra/results"
)

// Ladders reports each bot's rating over all tournaments. It has the formats Table, Markdown, CSV and JSON.
func Ladders(l results.Ladders) Report {
	rulesets := l.Rulesets()
	rows := rowsOf(l.Lines(), func(l results.LadderLine) Row {
		return Row{
			{Name: "ruleset", Value: l.Ruleset},
			{Name: "rank", Title: "#", Value: l.Rank},
			{Name: "bot", Title: "bot", Kind: Name, Value: l.Bot},
			{Title: "ruleset", Kind: Name, Value: l.Ruleset},
			{Name: "elo", Title: "Elo", Value: l.Elo, Text: whole(l.Elo)},
			{Name: "matches", Title: "matches", Group: "matches", Value: l.Matches},
		}
	})
	part := Part{Rows: rows, Groups: []string{"matches"}}
	for _, ruleset := range rulesets {
		repeats := show.Count(ruleset.Repeats, "match repeats an earlier one and is", "matches repeat earlier ones and are")
		part.Notes.when(ruleset.Repeats > 0, "%s: %s not rated (%s)", ruleset.Ruleset, repeats, repeatHint)
	}
	return Report{Parts: []Part{part}, CSV: rows, JSON: object("rulesets", rulesets, "ratings", rows)}
}
