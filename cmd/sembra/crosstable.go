package main

import (
	"github.com/urfave/cli/v2"

	"sembra/results"
)

func crosstableCommand() *cli.Command {
	return &cli.Command{
		Name: "crosstable", Usage: sayCrosstable, UsageText: exampleCrosstable, ArgsUsage: " ",
		Flags: append(bookFlags(), formatFlag(results.CrosstableFormats())),
		Action: func(c *cli.Context) error {
			k, format, err := readBook(c, results.CrosstableFormats())
			if err != nil {
				return err
			}
			defer k.Store().Close()
			report, err := standingsOf(k)
			if err != nil {
				return err
			}
			return report.WriteCrosstable(c.App.Writer, format)
		},
	}
}
