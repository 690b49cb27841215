package main

import (
	"github.com/urfave/cli/v2"

	"sembra/engine"
)

func applyCommand() *cli.Command {
	return gameCommand("apply", "[TOKEN…]", 0, -1, func(c *cli.Context, g gameArguments, tokens []string) error {
		match := engine.NewMatch(g.rules, g.position)
		if err := match.PlayTokens(tokens); err != nil {
			return err
		}
		printLine(c.App.Writer, engine.Text(g.rules, match.Position()))
		if o, over := match.Outcome(); over {
			say(c.App.Writer, "result %s %d-%d %s", o.Result, o.South, o.North, o.End)
		}
		return nil
	}, gameFlags()...)
}
