package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sembra/engine"
)

func showCommand() *cli.Command {
	return &cli.Command{
		Name: "show", Usage: sayShow, UsageText: exampleShow, ArgsUsage: "RULESET", Flags: gameFlags(),
		BashComplete: completeRulesets,
		Action: func(c *cli.Context) error {
			g, _, err := readGame(c, 1, 1)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.App.Writer, engine.Board(g.rules, g.position))
			return err
		},
	}
}
