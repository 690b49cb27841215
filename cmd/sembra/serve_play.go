package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/bots"
	"sembra/cmd/sembra/web"
	"sembra/configs"
	"sembra/results/store"
)

// playFlags returns the flags that say whether and how people may play bots on the page.
func playFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "play", Usage: "let people play bots on the page, even if other machines can reach it"},
		&cli.StringFlag{
			Name: "isolation", Usage: "`MODE`: the isolation of these bots, " + isolationModes() +
				" (default: as the tournament file says, else auto)",
		},
	}
}

// offerPlay lets people play bots on the page: the built-in ones and, if file is a tournament file, its bots. No bot may
// read the file or the database. release ends all matches.
func offerPlay(c *cli.Context, server *web.Server, at net.Listener, file, database string) (release func(), err error) {
	isolation := configs.DefaultIsolation()
	if c.IsSet("isolation") {
		if isolation, err = readIsolation(c.String("isolation")); err != nil {
			return nil, err
		}
	}
	if !isLoopback(at) && !c.Bool("play") {
		say(c.App.ErrWriter,
			"nobody can play bots on the pages, because other machines can reach them and would start "+
				"programs here (hint: --play allows it)")
		return func() {}, nil
	}
	folder, err := emptyFolder()
	if err != nil {
		return nil, err
	}
	p := web.Play{Isolation: isolation}
	if kindOf(file) == tournamentFile {
		if config, err := loadConfig(c, file); err != nil {
			say(c.App.ErrWriter, "warning: only the built-in bots can be played on the pages: %v", err)
		} else {
			p = playOf(c, config)
		}
	}
	for _, path := range append(store.Files(database), file) {
		if hidden, err := filepath.Abs(path); path != "" && err == nil {
			p.Isolation.Hidden = append(p.Isolation.Hidden, hidden)
		}
	}
	builtins, err := builtinOpponents(folder)
	p.Opponents = append(p.Opponents, builtins...)
	end := server.Play(c.Context, p)
	return func() {
		end()
		_ = os.RemoveAll(folder)
	}, err
}

// playOf returns the bots of a tournament file. They run as in the tournament, unless a flag gives another isolation.
func playOf(c *cli.Context, config *configs.Config) web.Play {
	p := web.Play{Isolation: config.Tournament.Isolation}
	if c.IsSet("isolation") {
		p.Isolation.Mode = arena.IsolationMode(c.String("isolation"))
	}
	for _, entry := range config.Tournament.Secluded() {
		p.Opponents = append(p.Opponents, web.Opponent{Entry: entry, Group: "Bots of " + config.Tournament.Name})
	}
	return p
}

// builtinOpponents returns the built-in bots, which run in a folder. The levels come first, because newcomers want them.
func builtinOpponents(folder string) (opponents []web.Opponent, err error) {
	builtins, err := builtinBots()
	if err != nil {
		return nil, err
	}
	var others []web.Opponent
	for i, known := range bots.Builtins() {
		entry := configs.Bot{Name: known.Name, Builtin: known.Name, Args: builtins[i].Command}.Entry(folder)
		if strings.HasPrefix(known.Name, "level") {
			opponents = append(opponents, web.Opponent{Entry: entry, Group: "Levels, from the weakest to the strongest"})
		} else {
			others = append(others, web.Opponent{Entry: entry, Group: "Other built-in bots", Summary: known.Summary})
		}
	}
	return append(opponents, others...), nil
}
