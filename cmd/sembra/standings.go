package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

func standingsCommand() *cli.Command {
	return &cli.Command{
		Name: "standings", Usage: sayStandings, UsageText: exampleStandings, ArgsUsage: " ",
		Flags: append(
			bookFlags(), formatFlag(report.Table, report.Markdown, report.CSV, report.JSON, report.Chart),
			&cli.StringFlag{Name: "tie-breaks", Usage: "`LIST`: how to order equal points, one or more of " + strings.Join(results.TieBreaks(), ",") + " (default: as in the tournament file)"},
			&cli.StringFlag{Name: "anchor", Usage: "give `BOT` the rating of --mean (default: the anchor of the tournament, or else the mean of all bots)"},
			meanFlag(" (default: rating.start of the tournament)", ""),
		),
		Action: printStandings,
	}
}

func printStandings(c *cli.Context) error {
	tieBreaks, err := readTieBreaks(c)
	if err != nil {
		return err
	}
	k, err := readBook(c)
	if err != nil {
		return err
	}
	defer k.Store().Close()
	if c.IsSet("tie-breaks") {
		k.Tournament.TieBreaks = tieBreaks
	}
	if c.IsSet("anchor") {
		k.Tournament.Anchor = c.String("anchor")
		if !slices.Contains(k.Tournament.Bots, k.Tournament.Anchor) {
			return usage("--anchor is %q, but tournament %q has no such bot (known: %s)",
				k.Tournament.Anchor, k.Tournament.Name, strings.Join(k.Tournament.Bots, ", "))
		}
	}
	standings, err := standingsOf(k)
	if err != nil {
		return err
	}
	if c.IsSet("mean") {
		standings.SetMean(real(c, "mean"))
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

// openRead opens the database of the flags for reading.
func openRead(c *cli.Context) (*store.Store, error) {
	if c.IsSet("tournament") && c.String("tournament") == "" {
		return nil, usage("--tournament is empty: give the name of a tournament")
	}
	if c.String("db") == "" {
		return nil, usage("--db is empty: give the name of a file")
	}
	store, err := store.OpenRead(c.String("db"))
	if err == nil && store.Copied() {
		printLine(c.App.ErrWriter, sayCopied)
	}
	return store, err
}

// bookFlags returns the flags of the commands that read a tournament.
func bookFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "db", Usage: "read the results from `FILE`", Value: "sembra.db"},
		&cli.StringFlag{Name: "tournament", Usage: "read the tournament `NAME` (default: the newest)"},
	}
}

// formatFlag returns the flag for the formats of a command. The flag refuses all
// other formats before the command begins.
func formatFlag(offered ...report.Format) cli.Flag {
	return &cli.StringFlag{
		Name: "format", Usage: "`FORMAT`: " + report.List(offered...), Value: string(report.Table),
		Action: func(_ *cli.Context, name string) error {
			_, err := report.ParseFormat(name, offered...)
			return asUsage(err)
		},
	}
}

// printReport prints a report in the format of the flags.
func printReport(c *cli.Context, r report.Report) error {
	return r.Write(c.App.Writer, report.Format(c.String("format")), terminalColumns(c.App.Writer))
}

// readBook opens the tournament of the flags for reading. The command takes no
// arguments.
func readBook(c *cli.Context) (*store.Book, error) {
	if _, err := arguments(c, 0, 0); err != nil {
		return nil, err
	}
	return openNamed(c)
}

// openNamed opens the tournament of the flags for reading.
func openNamed(c *cli.Context) (*store.Book, error) {
	db, err := openRead(c)
	if err != nil {
		return nil, err
	}
	b, err := db.Book(c.String("tournament"))
	if err != nil {
		db.Close()
		return nil, err
	}
	return b, nil
}
