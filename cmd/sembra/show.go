package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"sembra/engine"
	"sembra/engine/show"
)

func showCommand() *cli.Command {
	return gameCommand("show", "[TOKEN…]", 0, -1, func(c *cli.Context, g gameArguments, tokens []string) error {
		drawn, err := g.drawn(tokens, boardStyle(c))
		if err != nil {
			return err
		}
		_, err = io.WriteString(c.App.Writer, drawn)
		return err
	}, append(gameFlags(), asciiFlag())...)
}

func asciiFlag() cli.Flag { return switchFlag("ascii", "draw in plain ASCII, on a terminal too") }

// boardStyle returns how to draw boards: with Unicode lines on a terminal, unless
// the user wants plain ASCII.
func boardStyle(c *cli.Context) show.Style {
	if _, ok := terminalOf(c.App.Writer); ok && !c.Bool("ascii") {
		return show.Unicode
	}
	return show.ASCII
}

// drawn returns the board after the moves, and what the last move did.
func (g gameArguments) drawn(tokens []string, style show.Style) (string, error) {
	match := engine.NewMatch(g.rules, g.position)
	if len(tokens) == 0 {
		return show.Board(g.rules, match.Position(), style).String(), nil
	}
	if err := match.PlayTokens(tokens); err != nil {
		return "", err
	}
	last := len(tokens) - 1
	before := engine.NewMatch(g.rules, g.position)
	if err := before.PlayTokens(tokens[:last]); err != nil {
		return "", err
	}
	move, err := before.Find(tokens[last])
	if err != nil {
		return "", err
	}
	ply := engine.Ply{Before: before.Position(), Move: move, After: match.Position()}
	return show.BoardAfter(g.rules, ply, style).String(), nil
}
