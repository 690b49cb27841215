package main

import (
	"context"
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/configs"
	"sembra/engine"
	"sembra/results"
	"sembra/results/report"
)

func clockCommand() *cli.Command {
	return &cli.Command{
		Name: "clock",
		Flags: []cli.Flag{
			concurrencyFlag("(default: the number of processors)"),
			matchesFlag(100_000),
			&cli.StringFlag{
				Name: "isolation", Usage: "`MODE`: the isolation of the bots, auto or none", Value: string(arena.AutoIsolation),
			},
			formatFlag(report.Table, report.JSON),
		},
		Action: runClock,
	}
}

func runClock(c *cli.Context) (err error) {
	if _, err := arguments(c, 0, 0); err != nil {
		return err
	}
	folder, err := emptyFolder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	isolation, err := clockIsolation(c.String("isolation"))
	if err != nil {
		return err
	}
	concurrency := whole(c, "concurrency", runtime.GOMAXPROCS(0))
	t, err := clockTournament(whole(c, "matches", 0)/2, concurrency, isolation, folder)
	if err != nil {
		return err
	}
	warnCrowded(c.App.ErrWriter, t.Concurrency)
	charges := newCharges(t)
	if t.Isolation.Mode == arena.NoIsolation {
		t.Isolation.Mode = "" // no warning: the bots are Sembra's own
	}
	return measure(c, t, charges, func() report.Report { return report.Charges(charges.Result()) })
}

func newCharges(t arena.Tournament) *results.Charges {
	return results.NewCharges(results.ChargeSetup{
		Ruleset: t.Rules.Info().Name, Bot: t.Entries[0].Builtin, Concurrency: t.Concurrency,
		Processors: runtime.GOMAXPROCS(0), Isolation: string(t.Isolation.Mode), Total: t.Schedule().Len(),
	})
}

// chargeNow measures for a short time what the machine adds to a move now, as
// sembra clock does.
func chargeNow(ctx context.Context, concurrency int, isolation arena.Isolation) (r results.ChargeResult, err error) {
	const (
		long  = 2 * time.Second
		pairs = 500
	)
	folder, err := emptyFolder()
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	t, err := clockTournament(pairs, concurrency, isolation, folder)
	if err != nil {
		return r, err
	}
	short, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	charges := newCharges(t)
	if err := t.Run(short, nil, charges, func(arena.Event) {}); err != nil && !interrupted(short, err) {
		return r, err
	}
	return charges.Result(), nil
}

// emptyFolder makes an empty folder for the bots. Every user may enter it.
func emptyFolder() (string, error) {
	folder, err := os.MkdirTemp("", "sembra-")
	if err != nil {
		return "", err
	}
	return folder, os.Chmod(folder, 0o755)
}

// clockIsolation returns the isolation of that mode.
func clockIsolation(name string) (arena.Isolation, error) {
	switch mode := arena.IsolationMode(name); mode {
	case arena.AutoIsolation:
		return configs.DefaultIsolation(), nil
	case arena.NoIsolation:
		return arena.Isolation{Mode: mode}, nil
	default:
		return arena.Isolation{}, usage("unknown isolation %q (known: %s, %s)", mode, arena.AutoIsolation, arena.NoIsolation)
	}
}

// clockTournament returns the tournament whose moves are measured.
func clockTournament(pairs, concurrency int, isolation arena.Isolation, folder string) (t arena.Tournament, err error) {
	t = arena.Tournament{
		Tournament: results.Tournament{Name: "clock", Pairs: pairs, Openings: make([]string, pairs)}, Seed: 1,
		Concurrency: concurrency, Processors: arena.AutoProcessors, Isolation: isolation,
		Time: arena.TimeControl{Watchdog: time.Minute, Startup: 10 * time.Second, Pause: arena.AutomaticPause},
	}
	if t.Rules, err = engine.Lookup("awale"); err != nil {
		return t, err
	}
	t.Entries, err = builtinEntries([2]string{"random", "random"}, folder)
	return t, err
}
