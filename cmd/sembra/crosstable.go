package main

import (
	"github.com/urfave/cli/v2"

	"sembra/results/report"
)

func crosstableCommand() *cli.Command {
	return &cli.Command{
		Name: "crosstable", ArgsUsage: "[FILE]",
		Flags: append(bookFlags(), formatFlag(report.Table, report.Markdown, report.CSV, report.JSON), wideFlag()),
		Action: func(c *cli.Context) error {
			k, _, err := readBook(c, 0, 0)
			if err != nil {
				return err
			}
			defer k.Store().Close()
			standings, err := k.Standings()
			if err != nil {
				return err
			}
			return printReport(c, report.Crosstable(standings, k.Schedule.Total()))
		},
	}
}
