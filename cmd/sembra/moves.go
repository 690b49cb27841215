package main

import (
	"github.com/urfave/cli/v2"

	"sembra/engine"
)

func movesCommand() *cli.Command {
	return &cli.Command{
		Name: "moves", Usage: sayMoves, UsageText: exampleMoves, ArgsUsage: "RULESET", Flags: gameFlags(),
		BashComplete: completeRulesets,
		Action: func(c *cli.Context) error {
			g, _, err := readGame(c, 1, 1)
			if err != nil {
				return err
			}
			for _, move := range engine.NewMatch(g.rules, g.position).Legal() {
				printLine(c.App.Writer, move.Token(g.position.Side()))
			}
			return nil
		},
	}
}
