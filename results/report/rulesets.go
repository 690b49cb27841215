package report

import (
	"fmt"
	"strconv"

	"sembra/engine"
)

// Rulesets reports the games.
func Rulesets(rulesets []engine.Ruleset) Report {
	const wrap = 22 // keeps the table within 80 columns
	part := Part{
		Columns: []Column{left("name"), left("board"), left("rounds"), left("source"), left("what it is")},
		Wrap:    wrap,
		Rows: rowsOf(rulesets, func(r engine.Ruleset) []string {
			info := r.Info()
			return []string{info.Name, fmt.Sprintf("2x%d", info.Holes), strconv.Itoa(info.Rounds), info.Source, info.Summary}
		}),
	}
	return Report{Parts: []Part{part}}
}
