package main

import (
	"fmt"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
	"github.com/urfave/cli/v2"

	"sembra/engine"
)

// textWidth keeps the table within 80 columns.
const textWidth = 24

func rulesetsCommand() *cli.Command {
	return &cli.Command{
		Name: "rulesets", Usage: sayRulesets, UsageText: exampleRulesets, ArgsUsage: " ",
		Action: func(c *cli.Context) error {
			if _, err := arguments(c, 0, 0); err != nil {
				return err
			}
			table := tablewriter.NewTable(c.App.Writer,
				tablewriter.WithHeaderAutoFormat(tw.Off),
				tablewriter.WithRendition(tw.Rendition{
					Borders: tw.BorderNone,
					Symbols: tw.NewSymbols(tw.StyleASCII),
					Settings: tw.Settings{
						Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
						Lines:      tw.Lines{ShowHeaderLine: tw.On},
					},
				}),
				tablewriter.WithPadding(tw.Padding{Right: "  ", Overwrite: true}),
				tablewriter.WithHeaderAlignment(tw.AlignLeft),
				tablewriter.WithRowMaxWidth(textWidth),
			)
			table.Header("name", "board", "rounds", "source", "what it is")
			for _, r := range engine.Rulesets() {
				info := r.Info()
				board := fmt.Sprintf("2x%d", info.Holes)
				if err := table.Append(info.Name, board, fmt.Sprint(info.Rounds), info.Source, info.Summary); err != nil {
					return err
				}
			}
			return table.Render()
		},
	}
}
