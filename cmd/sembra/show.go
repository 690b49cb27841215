package main

import (
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"sembra/engine"
	"sembra/engine/show"
)

func showCommand() *cli.Command {
	return &cli.Command{
		Name: "show", Usage: sayShow, UsageText: exampleShow, ArgsUsage: "RULESET [TOKEN…]",
		Flags:        append(gameFlags(), &cli.BoolFlag{Name: "ascii", Usage: "draw in plain ASCII, on a terminal too"}),
		BashComplete: completeRulesets,
		Action: func(c *cli.Context) error {
			g, tokens, err := readGame(c, 1, -1)
			if err != nil {
				return err
			}
			style := show.ASCII
			if onTerminal(c.App.Writer) && !c.Bool("ascii") {
				style = show.Lines
			}
			drawn, err := g.drawn(tokens, style)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.App.Writer, drawn)
			return err
		},
	}
}

// drawn returns the board after the moves, and what the last move did.
func (g game) drawn(tokens []string, style show.Style) (string, error) {
	match := engine.NewMatch(g.rules, g.position)
	if len(tokens) == 0 {
		return show.Board(g.rules, match.Position(), style), nil
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
	return show.After(g.rules, ply, style), nil
}

// onTerminal reports whether an output of the program is a terminal.
func onTerminal(w io.Writer) bool {
	if s, ok := w.(*sticky); ok {
		w = s.Writer
	}
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
