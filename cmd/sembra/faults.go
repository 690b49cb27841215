package main

import (
	"github.com/urfave/cli/v2"

	"sembra/results"
	"sembra/results/report"
)

func faultsCommand() *cli.Command {
	return &cli.Command{
		Name: "faults", ArgsUsage: "[FILE]",
		Flags:  append(bookFlags(), formatFlag(report.Table, report.Markdown, report.CSV, report.JSON), wideFlag()),
		Action: printFaults,
	}
}

func printFaults(c *cli.Context) error {
	k, _, err := readBook(c, 0, 0)
	if err != nil {
		return err
	}
	defer k.Store().Close()
	summaries, err := k.Recorded()
	if err != nil {
		return err
	}
	read := func(slot int) (results.Record, error) {
		record, _, err := k.Record(slot)
		return record, err
	}
	var all []results.FaultReport
	for _, f := range results.CountFaults(k.Tournament, summaries) {
		said, err := results.ReportFaults(f, read)
		if err != nil {
			return err
		}
		all = append(all, said)
	}
	return printReport(c, report.Faults(k.Tournament.Name, sourceOf(c), all))
}

// sourceOf returns the words by which another command reads the same tournament as
// this one, whose only argument is a file; "" if it was given none.
func sourceOf(c *cli.Context) string {
	words := ""
	for _, flag := range []string{"db", "tournament"} {
		if c.IsSet(flag) {
			words += "--" + flag + " " + quoted(c.String(flag)) + " "
		}
	}
	if c.Args().Present() {
		words += quoted(c.Args().First()) + " "
	}
	return words
}
