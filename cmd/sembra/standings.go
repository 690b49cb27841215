package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/text/unicode/norm"

	"sembra/results"
	"sembra/results/report"
)

func standingsCommand() *cli.Command {
	return &cli.Command{
		Name: "standings", ArgsUsage: "[FILE]",
		Flags: append(
			bookFlags(), formatFlag(report.Table, report.Markdown, report.CSV, report.JSON), wideFlag(),
			&cli.StringFlag{
				Name: "tie-breaks", Usage: "`LIST`: what orders bots with equal points, one or more of " +
					strings.Join(results.TieBreaks(), ",") + " (default: as in the tournament file)",
			},
			&cli.StringFlag{
				Name: "anchor", Usage: "give `BOT` the rating of --mean " +
					"(default: the anchor of the tournament, or else the mean of all bots)",
			},
			meanFlag(" (default: rating.start of the tournament)", ""),
			priorFlag(),
			differencesFlag(),
		),
		Action: printStandings,
	}
}

func printStandings(c *cli.Context) error {
	tieBreaks, err := readTieBreaks(c)
	if err != nil {
		return err
	}
	k, _, err := readBook(c, 0, 0)
	if err != nil {
		return err
	}
	defer k.Store().Close()
	if c.IsSet("tie-breaks") {
		k.Tournament.TieBreaks = tieBreaks
	}
	if c.IsSet("anchor") {
		k.Tournament.Anchor = norm.NFC.String(c.String("anchor"))
		if !slices.Contains(k.Tournament.Bots, k.Tournament.Anchor) {
			return usage("--anchor is %q, but tournament %q has no such bot (known: %s)",
				k.Tournament.Anchor, k.Tournament.Name, strings.Join(k.Tournament.Bots, ", "))
		}
	}
	standings, err := k.Standings()
	if err != nil {
		return err
	}
	if c.IsSet("prior") {
		if err := standings.SetPrior(number(c, "prior")); err != nil {
			return err
		}
	}
	if c.IsSet("mean") {
		standings.SetMean(number(c, "mean"))
	}
	if c.Bool("differences") {
		return printReport(c, report.StandingsDifferences(standings, k.Schedule.Total()))
	}
	said, err := standingsReport(k, standings)
	if err != nil {
		return err
	}
	return printReport(c, said)
}

// readTieBreaks returns the tie-breaks in the flag.
func readTieBreaks(c *cli.Context) ([]string, error) {
	if !c.IsSet("tie-breaks") {
		return nil, nil
	}
	var names []string
	for name := range strings.SplitSeq(c.String("tie-breaks"), ",") {
		names = append(names, strings.TrimSpace(name))
	}
	if err := results.CheckTieBreaks(names); err != nil {
		return nil, usage("--tie-breaks is %q: %v", c.String("tie-breaks"), err)
	}
	return names, nil
}
