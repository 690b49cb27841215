package report

import (
	"fmt"

	"sembra/engine"
)

// Rulesets reports the games.
func Rulesets(rulesets []engine.Ruleset) Report {
	var infos []engine.Info
	for _, rules := range rulesets {
		infos = append(infos, rules.Info())
	}
	const enough = 22 // keeps the table within 80 columns
	return Report{Parts: []Part{{Wrap: enough, Rows: rowsOf(infos, func(i engine.Info) Row {
		return Row{
			{Title: "name", Kind: Text, Value: i.Name},
			{Title: "board", Kind: Text, Value: fmt.Sprintf("2x%d", i.Holes)},
			{Title: "rounds", Kind: Text, Value: i.Rounds},
			{Title: "source", Kind: Text, Value: i.Source},
			{Title: "what it is", Kind: Text, Value: i.Summary},
		}
	})}}}
}
