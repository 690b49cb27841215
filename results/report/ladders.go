package report

import (
	"sembra/engine/show"
	"sembra/results"
)

// Ladders reports each bot's rating over all tournaments. It has the formats Table, Markdown, CSV and JSON.
func Ladders(l results.Ladders) Report {
	lines, rulesets := l.Lines(), l.Rulesets()
	type line = results.LadderLine
	columns := []Column[line]{
		{Name: "ruleset", Value: func(l line) any { return l.Ruleset }},
		{Name: "rank", Title: "#", Value: func(l line) any { return l.Rank }},
		{Name: "bot", Title: "bot", Kind: Name, Value: func(l line) any { return l.Bot }},
		{Title: "ruleset", Kind: Name, Value: func(l line) any { return l.Ruleset }},
		{Name: "elo", Title: "Elo", Value: func(l line) any { return both{l.Elo, whole(l.Elo)} }},
		{Name: "matches", Title: "matches", Drop: 1, Value: func(l line) any { return l.Matches }},
	}
	part := tableOf(each(lines), columns)
	for _, ruleset := range rulesets {
		if ruleset.Repeats > 0 {
			repeats := show.Count(ruleset.Repeats, "match repeats an earlier one and is", "matches repeat earlier ones and are")
			part.Notes = append(part.Notes, ruleset.Ruleset+": "+repeats+" not rated ("+repeatHint+")")
		}
	}
	return Report{Parts: []Part{part}, CSV: csvOf(each(lines), columns), JSON: object{
		{"rulesets", rulesets},
		{"ratings", objectsOf(lines, columns)},
	}}
}
