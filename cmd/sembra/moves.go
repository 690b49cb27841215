package main

import (
	"github.com/urfave/cli/v2"

	"sembra/engine"
)

func movesCommand() *cli.Command {
	return &cli.Command{
		Name: "moves", ArgsUsage: "RULESET", Flags: gameFlags(),
		BashComplete: completeRulesets,
		Action: func(c *cli.Context) error {
			g, _, err := readGame(c, 1, 1)
			if err != nil {
				return err
			}
			legal := engine.NewMatch(g.rules, g.position).Legal()
			if len(legal) == 0 {
				say(c.App.ErrWriter, "note: there is no legal move")
			}
			for _, move := range legal {
				printLine(c.App.Writer, move.Token(g.position.Side()))
			}
			return nil
		},
	}
}
