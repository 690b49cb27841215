package main

import (
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
		Name: "clock", Usage: sayClock, UsageText: exampleClock,
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
	folder, err := clockFolder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	t, err := clockTournament(c, folder)
	if err != nil {
		return err
	}
	warnCrowded(c.App.ErrWriter, t.Concurrency)
	charges := results.NewCharges(results.ChargeSetup{
		Ruleset: t.Rules.Info().Name, Bot: t.Entries[0].Builtin, Concurrency: t.Concurrency,
		Processors: runtime.GOMAXPROCS(0), Isolation: string(t.Isolation.Mode), Total: t.Schedule().Len(),
	})
	if t.Isolation.Mode == arena.NoIsolation {
		t.Isolation.Mode = "" // no warning: the bots are Sembra's own
	}
	return measure(c, t, charges, func() report.Report { return report.Charges(charges.Result()) })
}

// clockFolder makes an empty folder for the bots. Every user may enter it.
func clockFolder() (string, error) {
	folder, err := os.MkdirTemp("", "sembra-clock-")
	if err != nil {
		return "", err
	}
	return folder, os.Chmod(folder, 0o755)
}

// clockTournament returns the tournament whose moves are measured.
func clockTournament(c *cli.Context, folder string) (t arena.Tournament, err error) {
	t = arena.Tournament{
		Tournament: results.Tournament{Name: "clock"}, Seed: 1, Concurrency: whole(c, "concurrency", runtime.GOMAXPROCS(0)),
		Processors: arena.AutoProcessors,
		Time:       arena.TimeControl{Watchdog: time.Minute, Startup: 10 * time.Second, Pause: arena.AutomaticPause},
	}
	if t.Rules, err = engine.Lookup("awale"); err != nil {
		return t, err
	}
	t.Pairs = whole(c, "matches", 0) / 2
	t.Openings = make([]string, t.Pairs)
	switch mode := arena.IsolationMode(c.String("isolation")); mode {
	case arena.AutoIsolation:
		t.Isolation = configs.DefaultIsolation()
	case arena.NoIsolation:
		t.Isolation.Mode = mode
	default:
		return t, usage("unknown isolation %q (known: %s, %s)", mode, arena.AutoIsolation, arena.NoIsolation)
	}
	t.Entries, err = builtinEntries([2]string{"random", "random"}, folder)
	return t, err
}
