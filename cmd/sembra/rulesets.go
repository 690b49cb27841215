package main

import (
	"github.com/urfave/cli/v2"

	"sembra/engine"
	"sembra/results/report"
)

func rulesetsCommand() *cli.Command {
	return &cli.Command{
		Name: "rulesets", ArgsUsage: " ",
		Action: func(c *cli.Context) error {
			if _, err := arguments(c, 0, 0); err != nil {
				return err
			}
			return report.Rulesets(engine.Rulesets()).Write(c.App.Writer, report.Table, 0)
		},
	}
}
