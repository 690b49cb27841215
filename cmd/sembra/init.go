package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"sembra/arena/check"
	"sembra/arena/guest"
	"sembra/cmd/sembra/friendly"
	"sembra/configs"
	"sembra/engine"
)

func initCommand() *cli.Command {
	return &cli.Command{
		Name: "init", ArgsUsage: "[BOT…]",
		Flags: []cli.Flag{
			textFlag("ruleset", "a tournament of the ruleset `R`", friendly.DefaultRuleset),
			textFlag("output", "write `FILE`", "tournament.toml"),
			namingFlag("teams", "a bot for each folder in `DIR`; one that fails is written as a comment", "",
				"the name of a folder"),
			protocolFlag("the bots of --teams speak `P`"),
		},
		BashComplete: completeBots,
		Action:       writeTournament,
	}
}

// commentWidth is that of a comment in a tournament file, after its sign.
const commentWidth = 78

// writeTournament writes a tournament file if all its bots pass the checks. A team that does not is a comment in it.
func writeTournament(c *cli.Context) error {
	args, err := arguments(c, 0, -1)
	if err != nil {
		return err
	}
	rules, err := engine.Lookup(c.String("ruleset"))
	if err != nil {
		return asUsage(err)
	}
	teams, err := readTeams(c)
	if err != nil {
		return err
	}
	bots, err := enoughBots(args, teams)
	if err != nil {
		return err
	}
	path := c.String("output")
	if err := refuseNew(path); err != nil { // before the bots are checked
		return err
	}
	text, err := configs.CommentedFile(path, rules, playable(bots))
	if err != nil {
		return err
	}
	config, err := configs.Parse(path, text, builtinBots())
	if err != nil {
		return err
	}
	if err := checkOwn(c, config, bots); err != nil {
		return err
	}
	copy(teams, bots[len(bots)-len(teams):]) // with the problems that the checks found
	if bots, err = enoughBots(args, teams); err != nil {
		return err
	}
	for i := range bots {
		bots[i].Problem = folded(bots[i].Problem, commentWidth)
	}
	if text, err = configs.CommentedFile(path, rules, bots); err != nil {
		return err
	}
	if err := writeText(path, refuseNew, text); err != nil {
		return err
	}
	if out := len(bots) - len(playable(bots)); out > 0 {
		say(c.App.ErrWriter, "%d of %s cannot play: see the comments in %s", out, plural(len(teams), "team", "teams"), path)
	}
	say(c.App.ErrWriter, "%s is written; play it with: sembra run %s", path, quoted(path))
	return nil
}

// readTeams reads the folder with a bot of each team, if there is one.
func readTeams(c *cli.Context) ([]configs.Bot, error) {
	folder := c.String("teams")
	if folder == "" {
		return nil, refuseFlags(c, "without --teams", "protocol")
	}
	teams, err := configs.Teams(folder)
	if err != nil {
		return nil, usage("--teams: %w", err)
	}
	for i := range teams {
		if err := teams[i].SetProtocol(c.String("protocol")); err != nil {
			return nil, asUsage(err)
		}
	}
	return teams, nil
}

// enoughBots returns the named bots, built-in ones beside them if fewer than two can play, and then the teams.
func enoughBots(names []string, teams []configs.Bot) ([]configs.Bot, error) {
	names = slices.Clone(names)
	if len(names)+len(playable(teams)) < 2 {
		for _, name := range []string{"random", "greedy", "minimax"} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return configs.ParseBots(names, builtinBots(), teams...)
}

// playable returns the bots without a problem.
func playable(bots []configs.Bot) []configs.Bot {
	return slices.DeleteFunc(slices.Clone(bots), func(b configs.Bot) bool { return b.Problem != "" })
}

// checkOwn checks the bots that are not built in. It reports how each of them failed, and notes it as the problem of a
// team. Another bot that failed is an error.
func checkOwn(c *cli.Context, config *configs.Config, bots []configs.Bot) error {
	own := slices.DeleteFunc(slices.Clone(config.Entries), func(e guest.Entry) bool { return e.Builtin != "" })
	var checks []check.Result
	if len(own) > 0 {
		var err error
		if checks, _, err = checkAll(c, config, own); err != nil {
			return err
		}
	}
	for _, found := range checks {
		for i, b := range bots {
			if found.Failed > 0 && b.Name == found.Bot {
				bots[i].Problem = withStderr(found.Reason, found.Stderr)
			}
		}
	}
	failed := 0
	for _, b := range bots {
		if b.Problem != "" {
			say(c.App.ErrWriter, "bot %s failed: %s", b.Name, b.Problem)
		}
		if b.Problem != "" && b.Dir == "" {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%s failed, so nothing is written (sembra check -- COMMAND shows the whole conversation)",
			plural(failed, "bot", "bots"))
	}
	return nil
}
