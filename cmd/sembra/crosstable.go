package main

import (
	"github.com/urfave/cli/v2"

	"sembra/results/report"
)

func crosstableCommand() *cli.Command {
	return &cli.Command{
		Name: "crosstable", Usage: sayCrosstable, UsageText: exampleCrosstable, ArgsUsage: " ",
		Flags: append(bookFlags(), formatFlag(report.Table, report.Markdown, report.CSV, report.JSON)),
		Action: func(c *cli.Context) error {
			k, err := readBook(c)
			if err != nil {
				return err
			}
			defer k.Store().Close()
			standings, err := standingsOf(k)
			if err != nil {
				return err
			}
			return printReport(c, report.Crosstable(standings, k.Schedule.Total()))
		},
	}
}
