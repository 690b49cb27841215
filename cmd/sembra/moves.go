package main

import (
	"github.com/urfave/cli/v2"

	"sembra/engine"
)

func movesCommand() *cli.Command {
	return gameCommand("moves", "", 0, 0, func(c *cli.Context, g gameArguments, _ []string) error {
		legal := engine.NewMatch(g.rules, g.position).Legal()
		if len(legal) == 0 {
			say(c.App.ErrWriter, "note: there is no legal move")
		}
		for _, move := range legal {
			printLine(c.App.Writer, move.Token(g.position.Side()))
		}
		return nil
	}, gameFlags()...)
}
