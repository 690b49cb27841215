package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/bots"
	"sembra/configs"
)

func botCommand() *cli.Command {
	return &cli.Command{
		Name: "bot", UsageText: listOfBots(), ArgsUsage: "[NAME]",
		BashComplete: completeBots,
		Action: func(c *cli.Context) error {
			args, err := arguments(c, 0, 1)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				_, err := io.WriteString(c.App.Writer, listOfBots())
				return err
			}
			builtin, err := bots.Lookup(args[0])
			if err != nil {
				return asUsage(err)
			}
			if err := bots.Serve(c.App.Reader, c.App.Writer, builtin.New()); err != nil {
				return fmt.Errorf("bot %s: %w", builtin.Name, err)
			}
			return nil
		},
	}
}

// builtinBots returns the built-in bots and how this program starts them.
func builtinBots() (builtins []configs.Builtin) {
	for _, b := range bots.Builtins() {
		builtins = append(builtins, configs.Builtin{
			Name: b.Name, Command: builtinCommand(b.Name), Options: b.New().Identity().Options,
		})
	}
	return builtins
}

// builtinCommand returns how this program starts a built-in bot; nil: it knows none of that name.
func builtinCommand(name string) []string {
	if _, err := bots.Lookup(name); err != nil {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return []string{self, "bot", name}
}

// listOfBots returns a line for each built-in bot.
func listOfBots() string {
	var b strings.Builder
	for _, builtin := range bots.Builtins() {
		writeItem(&b, 7, builtin.Name, builtin.Summary)
	}
	return b.String()
}
