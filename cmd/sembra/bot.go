package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/bots"
	"sembra/bots/early"
)

func botCommand() *cli.Command {
	return &cli.Command{
		Name: "bot", Usage: sayBot, UsageText: exampleBot(), ArgsUsage: "[NAME]",
		BashComplete: completeBots,
		Action: func(c *cli.Context) error {
			args, err := arguments(c, 0, 1)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				var list strings.Builder
				writeBots(&list)
				_, err := io.WriteString(c.App.Writer, list.String())
				return err
			}
			builtin, err := bots.Lookup(args[0])
			if err != nil {
				return asUsage(err)
			}
			err = early.Failed()
			if err == nil { // it has not played yet
				err = bots.Serve(c.App.Reader, c.App.Writer, builtin.New())
			}
			if err != nil {
				return fmt.Errorf("bot %s: %w", builtin.Name, err)
			}
			return nil
		},
	}
}
