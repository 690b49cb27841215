package main

import (
	"iter"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

func matchesCommand() *cli.Command {
	flags := append([]cli.Flag{formatFlag(report.Table, report.CSV, report.JSONL), wideFlag()}, filterFlags("list")...)
	return tableCommand("matches", 0, tabulateMatches, flags...)
}

// filterFlags returns the flags that select matches. do is what the command does with them.
func filterFlags(do string) []cli.Flag {
	return []cli.Flag{
		textFlag("bot", do+" only matches of `BOT`", ""),
		textFlag("south", do+" only matches with `BOT` as South", ""),
		textFlag("north", do+" only matches with `BOT` as North", ""),
		textFlag("lost", do+" only matches that `BOT` lost, as South or as North", ""),
		textFlag("result", do+" only matches with this `RESULT`: south, north or draw", ""),
		textFlag("ending", do+" only matches with this `ENDING`, such as normal or time", ""),
		textFlag("fault", do+" only matches with `BOT` at fault; any for either bot, both for both", ""),
		wholeFlag("match", do+" only match number `N`", "", 1, math.MaxInt32),
		switchFlag("void", do+" the matches without a result: both bots were at fault, or Sembra itself failed"),
	}
}

func tabulateMatches(c *cli.Context, b *store.Records, _ []string) (r report.Report, err error) {
	filter, err := readFilter(c, b.Tournament.Bots)
	if err != nil {
		return r, err
	}
	list, err := matchesOf(b, filter)
	if err != nil {
		return r, err
	}
	switch {
	case some(list.Matches) || len(list.Voids) > 0:
	case filter.Void:
		say(c.App.ErrWriter, noMatchFits)
	default:
		err = sayNoMatch(c, b, filter)
	}
	return report.Matches(list), err
}

// readFilter reads the flags that select matches.
func readFilter(c *cli.Context, bots []string) (f results.Filter, err error) {
	names := []*string{&f.Bot, &f.South, &f.North, &f.Lost, &f.Fault}
	for i, flag := range []string{"bot", "south", "north", "lost", "fault"} {
		name := c.String(flag)
		*names[i] = name
		if !c.IsSet(flag) {
			continue
		}
		known := bots
		if flag == "fault" {
			known = append(slices.Clone(bots), "any", "both")
		}
		if *names[i], err = knownBot(known, name, " in --"+flag); err != nil {
			return f, err
		}
	}
	if c.IsSet("result") {
		if f.Result, err = results.ParseResult(c.String("result")); err != nil {
			return f, asUsage(err)
		}
		if f.Result == results.Void {
			return f, usage("--result void lists nothing (--void lists the matches without a result)")
		}
	}
	if c.IsSet("ending") {
		if f.Ending, err = results.ParseEnding(c.String("ending")); err != nil {
			return f, asUsage(err)
		}
	}
	if c.IsSet("match") {
		f.Numbers = map[int]bool{whole(c, "match", 0): true}
	}
	f.Void = c.Bool("void") || f.Fault == "both"
	return f, err
}

// sayNoMatch says that a filter for matches with a result selects none, and whether there are others without one.
func sayNoMatch(c *cli.Context, b *store.Records, filter results.Filter) error {
	filter.Void = true
	list, err := matchesOf(b, filter)
	if err != nil {
		return err
	}
	if some(list.Matches) || len(list.Voids) > 0 {
		say(c.App.ErrWriter, "note: no match with a result fits (hint: --void lists those without one)")
	} else {
		say(c.App.ErrWriter, noMatchFits)
	}
	return nil
}

// noMatchFits says that no match is selected.
const noMatchFits = "note: no match fits"

// some reports whether there is a match.
func some(matches iter.Seq2[results.Noted, error]) bool {
	for range matches {
		return true
	}
	return false
}

// matchesOf returns the matches that pass a filter.
func matchesOf(b *store.Records, filter results.Filter) (list report.MatchList, err error) {
	matches := b.Select(filter)
	list = report.MatchList{Tournament: b.Tournament, Places: b.Schedule, Matches: matches, Whole: b.Bodies(matches)}
	if filter.Void {
		list.Voids, err = b.SelectVoids(filter)
	}
	return list, err
}
