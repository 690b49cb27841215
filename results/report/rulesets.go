package report

import (
	"fmt"

	"sembra/engine"
)

// Rulesets reports the games.
func Rulesets(rulesets []engine.Ruleset) Report {
	part := tableOf(each(rulesets), []Column[engine.Ruleset]{
		{Title: "name", Kind: Text, Value: func(r engine.Ruleset) any { return r.Info().Name }},
		{Title: "board", Kind: Text, Value: func(r engine.Ruleset) any { return fmt.Sprintf("2x%d", r.Info().Holes) }},
		{Title: "rounds", Kind: Text, Value: func(r engine.Ruleset) any { return r.Info().Rounds }},
		{Title: "source", Kind: Text, Value: func(r engine.Ruleset) any { return r.Info().Source }},
		{Title: "what it is", Kind: Text, Value: func(r engine.Ruleset) any { return r.Info().Summary }},
	})
	part.Wrap = 22 // keeps the table within 80 columns
	return Report{Parts: []Part{part}}
}
