package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/configs"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results/report"
	"sembra/results/safe"
)

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

func completeRulesets(c *cli.Context) {
	if c.NArg() > 0 {
		return
	}
	printLine(c.App.Writer, strings.Join(engine.RulesetNames(), "\n"))
}

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

func rulesetsCommand() *cli.Command {
	return &cli.Command{
		Name: "rulesets", ArgsUsage: " ",
		Action: func(c *cli.Context) error {
			if _, err := arguments(c, 0, 0); err != nil {
				return err
			}
			return report.Rulesets(engine.Rulesets()).Write(c.App.Writer, report.Table, 0)
		},
	}
}

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

// maxDepth is deeper than any count that ends in a lifetime.
const maxDepth = 1000

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

func openingsCommand() *cli.Command {
	return gameCommand("openings", "", 0, 0, func(c *cli.Context, g gameArguments, _ []string) error {
		if c.IsSet("check") {
			return checkOpenings(c, g.rules)
		}
		return printOpenings(c, g.rules)
	},
		wholeFlag("plies", "make each opening from `N` random plies", "4", 0, 1000),
		wholeFlag("count", "print `N` openings (default: 100, or all if there are fewer)", "", 1, 1_000_000),
		seedFlag(),
		textFlag("check", "check the list in `FILE`, and print no openings", ""),
		roundsFlag(""),
	)
}

func printOpenings(c *cli.Context, rules engine.Ruleset) error {
	name, plies, seed := rules.Info().Name, whole(c, "plies", 0), whole(c, "seed", 0)
	var list []string
	if c.IsSet("count") {
		count := whole(c, "count", 0)
		var err error
		if list, err = arena.RandomOpenings(rules, uint64(seed), plies, count); err != nil {
			return fmt.Errorf("--count is %d: %w", count, err)
		}
	} else {
		const usual = 100
		list = arena.RandomOpeningsUpTo(rules, uint64(seed), plies, usual)
	}
	if len(list) == 0 {
		return fmt.Errorf("%s has no opening of %s (hint: a smaller --plies)", name, plural(plies, "ply", "plies"))
	}
	say(c.App.Writer, "# %s for %s, %s from the start",
		plural(len(list), "opening", "openings"), name, plural(plies, "random ply", "random plies"))
	say(c.App.Writer, "# sembra openings %s --plies %d --count %d --seed %d", name, plies, len(list), seed)
	for _, opening := range list {
		printLine(c.App.Writer, opening)
	}
	return nil
}

// checkOpenings prints each mistake of a list in a line. If there is none, it
// prints how many openings the list has.
func checkOpenings(c *cli.Context, rules engine.Ruleset) error {
	if err := refuseFlags(c, "with --check", "plies", "count", "seed"); err != nil {
		return err
	}
	path, name := c.String("check"), rules.Info().Name
	list, problems, err := configs.CheckOpenings(path, rules)
	if err != nil {
		return usage("--check: cannot read the list %s: %w", path, withoutPath(err))
	}
	for _, p := range problems {
		printText(c.App.Writer, safe.Line(fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Problem)))
	}
	switch {
	case len(problems) > 0:
		return fmt.Errorf("%s: %s, and %s for %s", path,
			plural(len(problems), "wrong line", "wrong lines"), plural(len(list), "opening", "openings"), name)
	case len(list) == 0:
		return fmt.Errorf("%s: the list has no opening", path)
	}
	say(c.App.Writer,
		"%s: %s for %s, all different and none decided", path, plural(len(list), "opening", "openings"), name)
	return nil
}
