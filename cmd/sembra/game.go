package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/engine"
)

// gameArguments is the ruleset and the position of a command.
type gameArguments struct {
	rules    engine.Ruleset
	position engine.Position
}

// gameCommand returns a command about a game, which its first argument names. It takes from least to most others. usage
// says how to write them.
func gameCommand(
	name, usage string, least, most int, do func(c *cli.Context, g gameArguments, rest []string) error, flags ...cli.Flag,
) *cli.Command {
	if most >= 0 {
		most++
	}
	return &cli.Command{
		Name: name, ArgsUsage: strings.TrimSpace("RULESET " + usage), Flags: flags, BashComplete: completeRulesets,
		Action: func(c *cli.Context) error {
			g, rest, err := readGame(c, 1+least, most)
			if err != nil {
				return err
			}
			return do(c, g, rest)
		},
	}
}

// gameFlags returns the flags of the commands about a position.
func gameFlags() []cli.Flag {
	return []cli.Flag{
		textFlag("position", "begin with the position `TEXT` instead of the start position", ""),
		roundsFlag(""),
	}
}

// readGame reads the flags and the arguments, from least to most of them. The
// first argument names the ruleset; readGame returns the others.
func readGame(c *cli.Context, least, most int) (g gameArguments, rest []string, err error) {
	args, err := arguments(c, least, most)
	if err != nil {
		return gameArguments{}, nil, err
	}
	rules, err := engine.Lookup(args[0])
	if err != nil {
		return gameArguments{}, nil, asUsage(err)
	}
	if c.IsSet("rounds") {
		if rules, err = engine.WithRounds(rules, whole(c, "rounds", 0)); err != nil {
			return gameArguments{}, nil, asUsage(err)
		}
	}
	g = gameArguments{rules: rules, position: rules.Start()}
	if c.IsSet("position") {
		g.position, err = engine.ParsePosition(rules, c.String("position"))
	}
	return g, args[1:], asUsage(err)
}

// completeRulesets completes the name of a ruleset.
func completeRulesets(c *cli.Context) {
	if c.NArg() > 0 {
		return
	}
	printLine(c.App.Writer, strings.Join(engine.RulesetNames(), "\n"))
}
