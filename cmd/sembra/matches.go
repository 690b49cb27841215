package main

import (
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/text/unicode/norm"

	"sembra/results"
	"sembra/results/report"
)

func matchesCommand() *cli.Command {
	return &cli.Command{
		Name: "matches", ArgsUsage: "[FILE]",
		Flags: append(append(bookFlags(), formatFlag(report.Table, report.CSV, report.JSONL), wideFlag()),
			filterFlags("list")...),
		Action: printMatches,
	}
}

// filterFlags returns the flags that select matches. do is what the command does with them.
func filterFlags(do string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "bot", Usage: do + " only matches of `BOT`"},
		&cli.StringFlag{Name: "south", Usage: do + " only matches with `BOT` as South"},
		&cli.StringFlag{Name: "north", Usage: do + " only matches with `BOT` as North"},
		&cli.StringFlag{Name: "lost", Usage: do + " only matches that `BOT` lost, as South or as North"},
		&cli.StringFlag{Name: "result", Usage: do + " only matches with this `RESULT`: south, north or draw"},
		&cli.StringFlag{Name: "ending", Usage: do + " only matches with this `ENDING`, such as normal or time"},
		&cli.StringFlag{Name: "fault", Usage: do + " only matches with `BOT` at fault; any for either bot, both for both"},
		wholeFlag("slot", do+" only the match in slot `N` of the schedule", "", 1, math.MaxInt32),
		&cli.BoolFlag{
			Name: "void", Usage: do + " the matches without a result: both bots were at fault, or Sembra itself failed",
		},
	}
}

func printMatches(c *cli.Context) error {
	k, _, err := readBook(c, 0, 0)
	if err != nil {
		return err
	}
	defer k.Store().Close()
	filter, err := readFilter(c, k.Tournament.Bots)
	if err != nil {
		return err
	}
	list, err := matchesOf(k, filter)
	if err != nil {
		return err
	}
	if err := printReport(c, report.Matches(list)); err != nil {
		return err
	}
	for range list.Matches {
		return nil
	}
	if len(list.Voids) == 0 {
		printLine(c.App.ErrWriter, sayNoMatch)
	}
	return nil
}

// readFilter reads the flags that select matches.
func readFilter(c *cli.Context, bots []string) (f results.Filter, err error) {
	for _, pick := range []struct {
		flag   string
		target *string
	}{{"bot", &f.Bot}, {"south", &f.South}, {"north", &f.North}, {"lost", &f.Lost}, {"fault", &f.Fault}} {
		name := norm.NFC.String(c.String(pick.flag))
		special := pick.flag == "fault" && (name == "any" || name == "both")
		if c.IsSet(pick.flag) && !special && !slices.Contains(bots, name) {
			return f, usage("unknown bot %q in --%s (known: %s)", name, pick.flag, strings.Join(bots, ", "))
		}
		*pick.target = name
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
	f.Slot = whole(c, "slot", 0)
	f.Void = c.Bool("void") || f.Fault == "both"
	return f, err
}
