package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"sembra/arena/guest"
	"sembra/configs"
	"sembra/results"
	"sembra/results/store"
)

func runCommand() *cli.Command {
	return &cli.Command{
		Name: "run", ArgsUsage: "CONFIG",
		Flags: slices.Concat([]cli.Flag{
			databaseFlag("save the results in `FILE` instead of the configured database", ""),
			concurrencyFlag("instead of the configured number"),
		}, recordFlags(""), []cli.Flag{
			switchFlag("serve", "show the tournament in a browser, on a terminal until Ctrl-C; see --addr"),
			addressFlag(),
		}, verdictFlags(), tableFlags(), workersFlags()),
		Action: runTournament,
	}
}

// recordFlags returns the flags about the records of matches. when says on what all but the logs depend.
func recordFlags(when string) []cli.Flag {
	return []cli.Flag{
		namingFlag("log-io", "write the whole conversation of each match, and the bots' standard error, to a file in `DIR`",
			"", "the name of a folder"),
		&cli.StringSliceFlag{
			Name: "replace", Usage: when + "play all matches of `BOT` again, because it has changed; repeat it for more bots",
		},
		switchFlag("fresh", when+"begin a new tournament beside the existing one"),
	}
}

func runTournament(c *cli.Context) error {
	most := 1
	if c.IsSet("replace") { // more arguments are names after it
		most = -1
	}
	args, err := arguments(c, 1, most)
	if err != nil {
		return err
	}
	config, err := loadConfig(c, args[0])
	if err != nil {
		return err
	}
	r := running{c: c, config: config, replace: args[1:], stays: true}
	if err := r.obey(); err != nil {
		return err
	}
	return r.run()
}

// refuseBeside refuses to make a database if one of that name lies beside the
// tournament file: the user may mean that one.
func refuseBeside(c *cli.Context, database string) error {
	beside, ok := besideFile(c.Args().First(), database)
	if !ok || c.IsSet("db") {
		return nil
	}
	return usage("there is no database %s, but there is %s beside the tournament file "+
		"(hint: name the one that you mean with --db)", absolute(database), absolute(beside))
}

func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// warnCrowded warns if there are more concurrent matches than processors.
func warnCrowded(w io.Writer, concurrency int) {
	if cpus := runtime.GOMAXPROCS(0); concurrency > cpus {
		say(w, "warning: %d concurrent matches are too many for %s: bots lose time while they wait for a processor",
			concurrency, plural(cpus, "processor", "processors"))
	}
}

// warnEngines warns of what UCI engines do not know.
func warnEngines(w io.Writer, bots []guest.Entry, c results.Conditions) {
	for _, warning := range configs.Warnings(bots, c) {
		printLine(w, "warning: "+warning)
	}
}

// warnOpenings warns if a test has fewer openings than max_pairs.
func warnOpenings(w io.Writer, config *configs.Config) {
	t := config.Plan
	switch {
	case t.Test == nil:
	case t.Pairs > 1 && t.Opening(1) == t.Opening(2):
		say(w,
			"warning: all pairs begin with the start position: bots without randomness repeat the same "+
				"match, which counts only once (hint: give the test [openings])")
	case t.Pairs < config.MaxPairs:
		say(w, "note: the test has %s, so it ends after that many pairs at the latest (max_pairs is %d)",
			plural(t.Pairs, "different opening", "different openings"), config.MaxPairs)
	}
}

// loadConfig reads the tournament file. Flags override what it says.
func loadConfig(c *cli.Context, path string) (*configs.Config, error) {
	if store.IsDatabase(path) {
		return nil, usage("%s is a database and no tournament file (hint: sembra standings reads it)", path)
	}
	config, err := configs.Load(path, builtinBots())
	if err != nil {
		return nil, err
	}
	if err := override(c, config); err != nil {
		return nil, err
	}
	if file, err := filepath.Abs(path); err == nil { // with the options of the other bots
		hidden := append(store.Databases(filepath.Dir(file)), file)
		config.Machine.Hidden = append(config.Machine.Hidden, hidden...)
	}
	return config, nil
}

// override changes what a tournament file says to what the flags say.
func override(c *cli.Context, config *configs.Config) error {
	if c.IsSet("db") {
		config.Database = c.String("db")
	}
	config.Machine.Concurrency = whole(c, "concurrency", config.Machine.Concurrency)
	if c.IsSet("nodes") {
		config.Plan.Time.Nodes = uint64(whole(c, "nodes", 0))
	}
	if folder := c.String("log-io"); folder != "" {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return usage("--log-io: %w", err)
		}
		logs, err := filepath.Abs(folder)
		if err != nil {
			return err
		}
		config.Machine.LogFolder = logs
	}
	// No bot may read the results, wherever they are.
	database, err := filepath.Abs(config.Database)
	config.Machine.Hidden = store.Files(database)
	return err
}
