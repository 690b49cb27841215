package main

import (
	"fmt"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
	"github.com/urfave/cli/v2"

	"sembra/engine"
)

func rulesetsCommand() *cli.Command {
	return &cli.Command{
		Name: "rulesets", Usage: sayRulesets, UsageText: exampleRulesets, ArgsUsage: " ",
		Action: func(c *cli.Context) error {
			if _, err := arguments(c, 0, 0); err != nil {
				return err
			}
			table := tablewriter.NewTable(c.App.Writer,
				tablewriter.WithHeaderAutoFormat(tw.Off),
				tablewriter.WithRendition(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII)}),
				tablewriter.WithHeaderAlignment(tw.AlignLeft),
				tablewriter.WithRowMaxWidth(36),
			)
			table.Header("name", "board", "rounds", "source", "what it is")
			for _, r := range engine.Rulesets() {
				info := r.Info()
				board := fmt.Sprintf("2x%d, %d seeds", info.Holes, info.Total())
				if err := table.Append(info.Name, board, fmt.Sprint(info.Rounds), info.Source, info.Summary); err != nil {
					return err
				}
			}
			return table.Render()
		},
	}
}
