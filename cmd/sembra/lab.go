package main

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/bots"
	"sembra/configs"
	"sembra/results"
	"sembra/results/measure"
	"sembra/results/report"
)

func labCommand() *cli.Command {
	even := func(given string) bool {
		n, err := strconv.Atoi(given)
		return err == nil && 2 <= n && n <= 1_000_000 && n%2 == 0
	}
	return gameCommand("lab", "", 0, 0, lab, append([]cli.Flag{
		checkedFlag("matches", "play `N` matches, an even number", "1000", "an even number from 2 to 1000000", even),
		textFlag("bots", "`A,B`: the built-in bots that play; a single bot plays itself", "random"),
		wholeFlag("opening-plies", "begin each pair of matches with `N` random plies", "0", 0, 1000),
		seedFlag(),
		roundsFlag(""),
		concurrencyFlag("(default: one for each processor)"),
	}, tableFlags()...)...)
}

// lab plays the matches whose balance it measures.
func lab(c *cli.Context, g gameArguments, _ []string) error {
	pair, err := labBots(c.String("bots"))
	if err != nil {
		return err
	}
	setup := measure.Setup{
		Rules: g.rules, Bots: pair, Total: whole(c, "matches", 0), OpeningPlies: whole(c, "opening-plies", 0),
		Seed: uint64(whole(c, "seed", 0)),
	}
	openings := arena.StartOpenings(setup.Rules, setup.Total/2)
	if setup.OpeningPlies > 0 {
		openings, err = arena.RandomOpenings(setup.Rules, setup.Seed, setup.OpeningPlies, setup.Total/2)
		if err != nil {
			return usage("--opening-plies is %d, --matches %d: %w", setup.OpeningPlies, setup.Total, err)
		}
	}
	return runLab(c, measured(setup, openings, whole(c, "concurrency", runtime.GOMAXPROCS(0))), setup)
}

// labBots reads the names of two built-in bots. A single one plays itself.
func labBots(text string) ([2]string, error) {
	names := strings.Split(text, ",")
	if len(names) > 2 {
		return [2]string{}, usage("--bots must be one bot or two, not %q (known: %s)", text, strings.Join(namesOfBuiltins(), ", "))
	}
	for _, name := range names {
		if _, err := bots.Lookup(name); err != nil {
			return [2]string{}, usage("--bots is %q: %w", text, asUsage(err))
		}
	}
	return [2]string{names[0], names[len(names)-1]}, nil
}

// measured returns the tournament of two built-in bots that is measured. The bots may be the same.
func measured(setup measure.Setup, openings []string, concurrency int) *arena.Run {
	var names []string
	var entries []guest.Entry
	for i, name := range setup.Bots {
		entry := configs.Bot{Name: name, Builtin: name, Args: builtinCommand(name)}.Entry("")
		if i == 1 && name == setup.Bots[0] {
			entry.Name += "-2"
		}
		names, entries = append(names, entry.Name), append(entries, entry)
	}
	info := setup.Rules.Info()
	name := "lab " + info.Name
	return &arena.Run{
		Tournament: results.Tournament{Plan: results.Plan{
			Name: name, Format: results.RoundRobin, Bots: names,
			Pairs: setup.Total / 2, Openings: openings, Seed: setup.Seed,
			Conditions: results.Conditions{
				Ruleset: info.Name, Rounds: info.Rounds,
				Time: results.TimeControl{Watchdog: time.Minute, Startup: 10 * time.Second},
			},
		}, Family: name},
		Rules: setup.Rules, Entries: entries, Machine: arena.Machine{Concurrency: concurrency, Processors: 1},
	}
}

// runLab plays the matches and prints the balance. If a signal stops it, the report is about the matches that have
// ended.
func runLab(c *cli.Context, run *arena.Run, setup measure.Setup) error {
	ctx, total := c.Context, setup.Total
	balance := measure.NewBalance(setup)
	progress := newProgress(c.App.ErrWriter, results.Tournament{Plan: results.Plan{Name: run.Name}}, nil, total)
	err := run.Play(ctx, nil, balance, progress.print)
	progress.end(true)
	if err != nil && !interrupted(ctx, err) {
		return err
	}
	stopped := ctx.Err() != nil && progress.played < total
	if !stopped || progress.played > 0 {
		if err := printReport(c, report.Balance(balance.Result())); err != nil {
			return err
		}
	}
	if repeats, misleading := balance.Repeats(); misleading {
		say(c.App.ErrWriter,
			"note: these bots always play the same moves from the same position, so many matches are the "+
				"same and the errors are too small (hint: --opening-plies 6, or another number)")
	} else if repeats > 0 {
		say(c.App.ErrWriter,
			"note: some matches are the same: a bot without randomness that plays itself repeats the first "+
				"match of each pair in the second")
	}
	if stopped {
		return fmt.Errorf("%w after %d of %d matches", errInterrupted, progress.played, total)
	}
	return nil
}
