package main

import (
	"time"

	"github.com/urfave/cli/v2"

	"sembra/engine"
)

func perftCommand() *cli.Command {
	divide := switchFlag("divide", "first print the count of each move")
	return gameCommand("perft", "DEPTH", 1, 1, perft, append(gameFlags(), divide)...)
}

func perft(c *cli.Context, g gameArguments, rest []string) error {
	depth, err := wholeNumber("the depth", rest[0], 0, maxDepth)
	if err != nil {
		return err
	}
	begun := time.Now()
	var nodes uint64
	if c.Bool("divide") && depth > 0 { // each count is printed as soon as it is known
		for branch := range engine.Divide(g.rules, g.position, depth) {
			say(c.App.Writer, "%s %d", branch.Move.Token(g.position.Side()), branch.Nodes)
			nodes += branch.Nodes
		}
	} else {
		nodes = engine.Perft(g.rules, g.position, depth)
	}
	elapsed := time.Since(begun)
	say(c.App.Writer, "perft %d %d", depth, nodes)
	say(c.App.ErrWriter, "%v, %.1f million nodes/s",
		elapsed.Round(time.Microsecond), float64(nodes)/elapsed.Seconds()/1e6)
	return nil
}

// maxDepth is deeper than any count that ends in a lifetime.
const maxDepth = 1000
