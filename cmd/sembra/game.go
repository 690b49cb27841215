package main

import (
	"github.com/urfave/cli/v2"

	"sembra/engine"
)

// game is the ruleset and the position that a command is about.
type game struct {
	rules    engine.Ruleset
	position engine.Position
}

// gameFlags are the flags of the commands about a position.
func gameFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "position", Usage: "position `TEXT` to begin with, in place of the start position"},
		&cli.StringFlag{Name: "rounds", Usage: "limit of rounds in a match, `N` (rulesets of several rounds)"},
	}
}

// readGame reads the ruleset's name and the flags.
func readGame(c *cli.Context, ruleset string) (game, error) {
	rules, err := engine.Lookup(ruleset)
	if err != nil {
		return game{}, asUsage(err)
	}
	if c.IsSet("rounds") {
		rounds, err := wholeNumber("--rounds", c.String("rounds"), 1, maxRounds)
		if err == nil {
			err = rules.Info().CheckRounds(rounds)
		}
		if err != nil {
			return game{}, asUsage(err)
		}
	}
	g := game{rules: rules, position: rules.Start()}
	if c.IsSet("position") {
		g.position, err = engine.ParsePosition(rules, c.String("position"))
	}
	return g, asUsage(err)
}

// maxRounds is the largest limit of rounds.
const maxRounds = 255

// completeRulesets completes the name of a ruleset.
func completeRulesets(c *cli.Context) {
	if c.NArg() > 0 {
		return
	}
	for _, r := range engine.Rulesets() {
		printLine(c.App.Writer, r.Info().Name)
	}
}
