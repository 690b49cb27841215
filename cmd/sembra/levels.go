package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/bots"
	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
)

func levelsCommand() *cli.Command {
	return &cli.Command{
		Name: "levels", ArgsUsage: "[RULESET…]",
		Flags: []cli.Flag{
			wholeFlag("pairs", "play `N` pairs of matches between every two bots that meet", "40", 1, 10_000),
			seedFlag(),
			concurrencyFlag("(default: the number of processors)"),
			formatFlag(report.Table, report.Markdown, report.CSV, report.JSON), wideFlag(),
		},
		BashComplete: func(c *cli.Context) { printLine(c.App.Writer, strings.Join(engine.RulesetNames(), "\n")) },
		Action:       measureLevels,
	}
}

// levelsPlies is the number of random plies at the beginning of each pair.
const levelsPlies = 6

// measureLevels measures the built-in bots in one ruleset after another. If a signal stops it, it prints the rulesets
// that it has finished.
func measureLevels(c *cli.Context) error {
	rulesets, err := readRulesets(c)
	if err != nil {
		return err
	}
	var names []string
	for _, contender := range bots.Contenders() {
		names = append(names, contender.Name)
	}
	var all []results.RulesetRatings
	for _, rules := range rulesets {
		rated := results.RulesetRatings{Rules: rules, Pairs: whole(c, "pairs", 0), Seed: uint64(whole(c, "seed", 0))}
		if rated.GameRatings, err = rateContenders(c, rated, names); err != nil {
			break
		}
		all = append(all, rated)
	}
	if err != nil && !errors.Is(err, errInterrupted) || len(all) == 0 {
		return err
	}
	return errors.Join(printReport(c, report.Levels(all, names, bots.Anchor)), err)
}

// readRulesets returns the rulesets that the arguments name, or all of them.
func readRulesets(c *cli.Context) ([]engine.Ruleset, error) {
	args, err := arguments(c, 0, -1)
	if err != nil || len(args) == 0 {
		return engine.Rulesets(), err
	}
	var chosen []engine.Ruleset
	for i, name := range args {
		rules, err := engine.Lookup(name)
		if err != nil {
			return nil, asUsage(err)
		}
		if slices.Contains(args[:i], name) {
			return nil, usage("ruleset %s is there twice", name)
		}
		chosen = append(chosen, rules)
	}
	return chosen, nil
}

// rateContenders plays the meetings of a ruleset and rates the bots.
func rateContenders(c *cli.Context, r results.RulesetRatings, names []string) (rated results.GameRatings, err error) {
	name := r.Rules.Info().Name
	openings, err := arena.RandomOpenings(r.Rules, r.Seed, levelsPlies, r.Pairs)
	if err != nil {
		return rated, usage("--pairs is %d: %w", r.Pairs, err)
	}
	meetings, matches := bots.Meetings(), results.NewContest(names)
	total := 2 * r.Pairs * len(meetings)
	progress := newProgress(c.App.ErrWriter, results.Tournament{Name: "levels " + name}, nil, total)
	for _, meeting := range meetings {
		t := arena.Tournament{
			Tournament: results.Tournament{Name: "levels " + name, Pairs: r.Pairs, Openings: openings},
			Rules:      r.Rules, Seed: r.Seed, Concurrency: whole(c, "concurrency", runtime.GOMAXPROCS(0)),
			Processors: arena.AutoProcessors,
			Time:       arena.TimeControl{Watchdog: 10 * time.Minute, Startup: time.Minute},
		}
		if t.Entries, err = contenderEntries(meeting); err == nil {
			err = t.Run(c.Context, nil, matches, progress.tell)
		}
		if err != nil {
			break
		}
	}
	progress.end(true)
	switch {
	case err != nil && interrupted(c.Context, err):
		return rated, fmt.Errorf("%w in %s after %d of %d matches", errInterrupted, name, progress.played, total)
	case err != nil:
		return rated, err
	}
	if rated, err = matches.Rate(bots.Anchor, bots.AnchorRating); err != nil {
		err = fmt.Errorf("%s: %w (hint: more --pairs)", name, err)
	}
	return rated, err
}

// contenderEntries returns the two bots of a meeting.
func contenderEntries(meeting [2]bots.Contender) ([]arena.Entry, error) {
	entries, err := builtinEntries([2]string{meeting[0].Builtin, meeting[1].Builtin}, "")
	if err != nil {
		return nil, err
	}
	for i, contender := range meeting {
		entries[i].Name, entries[i].Options = contender.Name, contender.Options
	}
	return entries, nil
}
