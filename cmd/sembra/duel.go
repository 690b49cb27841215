package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sembra/arena/sandbox"
	"sembra/bots"
	"sembra/cmd/sembra/friendly"
	"sembra/configs"
	"sembra/engine"
)

func duelCommand() *cli.Command {
	return &cli.Command{
		Name: "duel", ArgsUsage: "BOT BOT…",
		Flags: append([]cli.Flag{
			textFlag("ruleset", "play the ruleset `R`", friendly.DefaultRuleset),
			wholeFlag("pairs", "let each pair of bots play `N` pairs of matches", "1", 1, 1_000_000),
			textFlag("time", "`TIME` for each move, or BASE+INCREMENT for the match; with --nodes, no limit by default", "100ms"),
			namingFlag("openings",
				"begin with the openings in `FILE`, or all with "+configs.Start+" (default: random ones)", "",
				"the name of a file or "+configs.Start),
			switchFlag("until-decided",
				"stop when a test (SPRT) has decided which of two bots is stronger; --pairs is the limit"),
			seedFlag(),
			databaseFlag("save the results in `FILE` (default: keep nothing)", ""),
			concurrencyFlag("(default: one for each processor)"),
			isolationFlag("the bots"),
		}, slices.Concat(verdictFlags(), recordFlags("with --db: "), tableFlags())...),
		BashComplete: completeBots,
		Action:       playDuel,
	}
}

func playDuel(c *cli.Context) error {
	r := running{c: c, stays: c.IsSet("db"), partial: true}
	if !r.stays && (c.Bool("fresh") || c.IsSet("replace")) {
		return usage("--fresh and --replace have no effect without --db: nothing is kept")
	}
	var err error
	if r.config, err = readDuel(c); err != nil {
		return err
	}
	if !r.stays {
		// On Linux, this also removes the folders of duels that were killed.
		folder, err := sandbox.MakeLockedFolder(os.TempDir(), "sembra-duel-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder.Name())
		defer folder.Close()
		r.config.Database = filepath.Join(folder.Name(), "duel.db")
	}
	if err := override(c, r.config); err != nil {
		return err
	}
	if err := r.obey(); err != nil {
		return err
	}
	return r.run()
}

func readDuel(c *cli.Context) (*configs.Config, error) {
	args, err := arguments(c, 2, -1)
	if err != nil {
		return nil, err
	}
	bots, err := configs.ParseBots(args, builtinBots())
	if err != nil {
		return nil, err
	}
	duel, err := duelOf(c, bots)
	if err != nil {
		return nil, err
	}
	if c.Bool("until-decided") {
		duel.Until = 5000 // as in a tournament file
		if c.IsSet("pairs") {
			duel.Until = duel.Pairs
		}
		if len(bots) != 2 {
			return nil, usage("--until-decided is for two bots, not for %d", len(bots))
		}
	}
	return duel.Config()
}

// duelOf returns a duel of bots as the flags describe it.
func duelOf(c *cli.Context, bots []configs.Bot) (configs.Duel, error) {
	duel := configs.Duel{
		Ruleset: c.String("ruleset"), Bots: bots, Pairs: whole(c, "pairs", 1), Seed: whole(c, "seed", 1),
		Isolation: c.String("isolation"), Time: c.String("time"), Openings: c.String("openings"),
		Nodes: whole(c, "nodes", 0),
	}
	if duel.Nodes > 0 && !c.IsSet("time") {
		duel.Time = ""
	}
	if _, err := engine.Lookup(duel.Ruleset); err != nil {
		return duel, asUsage(err)
	}
	_, err := readIsolation(duel.Isolation)
	return duel, err
}

func completeBots(c *cli.Context) { printLine(c.App.Writer, strings.Join(namesOfBuiltins(), "\n")) }

func namesOfBuiltins() []string {
	var names []string
	for _, b := range bots.Builtins() {
		names = append(names, b.Name)
	}
	return names
}
