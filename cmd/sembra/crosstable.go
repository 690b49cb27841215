package main

import (
	"github.com/urfave/cli/v2"

	"sembra/results/report"
	"sembra/results/store"
)

func crosstableCommand() *cli.Command {
	return tableCommand("crosstable", 0, func(_ *cli.Context, b *store.Records, _ []string) (report.Report, error) {
		standings, err := b.Standings()
		if err != nil {
			return report.Report{}, err
		}
		return report.Crosstable(standings, b.Schedule.Total()), nil
	})
}
