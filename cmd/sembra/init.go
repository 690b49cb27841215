package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/friendly"
	"sembra/arena/guest"
	"sembra/configs"
	"sembra/engine"
)

func initCommand() *cli.Command {
	return &cli.Command{
		Name: "init", ArgsUsage: "[BOT…]",
		Flags: []cli.Flag{
			textFlag("ruleset", "a tournament of the ruleset `R`", friendly.DefaultRuleset),
			textFlag("output", "write `FILE`", "tournament.toml"),
		},
		BashComplete: completeBots,
		Action:       writeTournament,
	}
}

// writeTournament writes a tournament file if all its bots pass the checks.
func writeTournament(c *cli.Context) error {
	args, err := arguments(c, 0, -1)
	if err != nil {
		return err
	}
	rules, err := engine.Lookup(c.String("ruleset"))
	if err != nil {
		return asUsage(err)
	}
	if len(args) < 2 {
		for _, name := range []string{"random", "greedy", "minimax"} {
			if !slices.Contains(args, name) {
				args = append(args, name)
			}
		}
	}
	bots, err := configs.ParseBots(args, builtinBots())
	if err != nil {
		return err
	}
	path := c.String("output")
	if err := refuseNew(path); err != nil { // before the bots are checked
		return err
	}
	text, err := configs.Commented(path, rules, bots)
	if err != nil {
		return err
	}
	config, err := configs.Parse(path, text, builtinBots(), false)
	if err != nil {
		return err
	}
	if err := checkOwn(c, config.Tournament); err != nil {
		return err
	}
	if err := writeText(path, refuseNew, text); err != nil {
		return err
	}
	say(c.App.ErrWriter, "%s is written; play it with: sembra run %s", path, quoted(path))
	return nil
}

// checkOwn checks the bots that are not built in. It tells how each of them failed.
func checkOwn(c *cli.Context, t arena.Tournament) error {
	bots := t.Entries
	t.Entries = slices.DeleteFunc(slices.Clone(bots), func(e guest.Entry) bool { return e.Builtin != "" })
	if own := len(t.Entries); own > 0 {
		say(c.App.ErrWriter, "checking %s as sembra check does, which takes some seconds", plural(own, "bot", "bots"))
	}
	checks, _, err := checkAll(c, &t)
	if err != nil {
		return err
	}
	failed := 0
	for _, found := range checks {
		if found.Failed > 0 {
			failed++
			say(c.App.ErrWriter, "bot %s failed: %s", found.Bot, found.Reason)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %s failed, so nothing is written (sembra check -- COMMAND shows the whole conversation)",
			failed, plural(len(bots), "bot", "bots"))
	}
	return nil
}
