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
		textFlag("bots", "`A,B`: the built-in bots that play, as minimax:Depth=4; a single bot plays itself", "random"),
		wholeFlag("opening-plies", "begin each pair of matches with `N` random plies", "0", 0, 1000),
		seedFlag(),
		roundsFlag(""),
		concurrencyFlag("(default: one for each processor)"),
	}, tableFlags()...)...)
}

// lab plays the matches whose balance it measures.
func lab(c *cli.Context, g gameArguments, _ []string) error {
	players, err := labBots(c.String("bots"))
	if err != nil {
		return err
	}
	setup := measure.Setup{
		Rules: g.rules, Bots: [2]string{players[0].Name, players[len(players)-1].Name},
		Total: whole(c, "matches", 0), OpeningPlies: whole(c, "opening-plies", 0), Seed: uint64(whole(c, "seed", 0)),
	}
	openings := arena.StartPositions(setup.Rules, setup.Total/2)
	if setup.OpeningPlies > 0 {
		openings, err = arena.RandomOpenings(setup.Rules, setup.Seed, setup.OpeningPlies, setup.Total/2)
		if err != nil {
			return usage("--opening-plies is %d, --matches %d: %w", setup.OpeningPlies, setup.Total, err)
		}
	}
	return runLab(c, measured(setup, players, openings, whole(c, "concurrency", runtime.GOMAXPROCS(0))), setup)
}

// labBots reads one or two built-in bots, which may have options: "random", "minimax:Depth=4,greedy".
func labBots(text string) ([]configs.Bot, error) {
	var bots []configs.Bot
	for _, given := range splitBots(text) {
		b, err := configs.ParseBot(given, builtinBots())
		if err != nil {
			return nil, usage("--bots is %q: %w", text, asUsage(err))
		}
		if b.Builtin == "" {
			return nil, usage("--bots: %q is not a built-in bot (known: %s)", given, strings.Join(namesOfBuiltins(), ", "))
		}
		bots = append(bots, b)
	}
	if len(bots) > 2 {
		return nil, usage("--bots must be one bot or two, not %q", text)
	}
	if len(bots) == 2 && bots[0].Name == bots[1].Name {
		bots = bots[:1]
	}
	return bots, nil
}

// splitBots splits a list at the commas. A part with a value and without a colon is one more option of the bot before.
func splitBots(text string) []string {
	var parts []string
	for _, part := range strings.Split(text, ",") {
		if len(parts) > 0 && strings.Contains(part, "=") && !strings.Contains(part, ":") {
			parts[len(parts)-1] += "," + part
		} else {
			parts = append(parts, part)
		}
	}
	return parts
}

// measured returns the tournament that is measured, of two built-in bots or of one that plays itself.
func measured(setup measure.Setup, players []configs.Bot, openings []string, concurrency int) *arena.Run {
	if len(players) == 1 {
		itself := players[0]
		itself.Name += "-2"
		players = append(players, itself)
	}
	var names []string
	var entries []guest.Entry
	for _, b := range players {
		names, entries = append(names, b.Name), append(entries, b.Entry(""))
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
		if err := printReport(c, report.Balance(balance.Result(), c.Bool("wide"))); err != nil {
			return err
		}
	}
	if repeats, misleading := balance.Repeats(); misleading {
		say(c.App.ErrWriter, "note: %d of %d matches equal an earlier one, so the errors are too small "+
			"(hint: --opening-plies 6, or another number)", repeats, progress.played)
	}
	if stopped {
		return fmt.Errorf("%w after %d of %d matches", errInterrupted, progress.played, total)
	}
	return nil
}
