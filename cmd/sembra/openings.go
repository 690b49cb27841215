package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/configs"
	"sembra/engine"
)

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

// usualOpenings is the default number of openings.
const usualOpenings = 100

// printOpenings prints a list of random openings.
func printOpenings(c *cli.Context, rules engine.Ruleset) error {
	name, plies, seed := rules.Info().Name, whole(c, "plies", 0), whole(c, "seed", 0)
	var list []string
	if c.IsSet("count") {
		count := whole(c, "count", 0)
		var err error
		if list, err = arena.RandomOpenings(rules, uint64(seed), plies, count); err != nil {
			return fmt.Errorf("--count is %d: %w", count, err)
		}
	} else if list = arena.FewerOpenings(rules, uint64(seed), plies, usualOpenings); len(list) == 0 {
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
		say(c.App.Writer, "%s:%d:%d: %s", p.File, p.Line, p.Column, p.Problem)
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
