package main

import (
	"context"
	"errors"
	"os"
	"time"

	"sembra/arena"
	"sembra/arena/guest"
	"sembra/engine"
	"sembra/results"
)

// chargeNow measures for a short time what the machine adds to a move now: it plays
// matches between two bots that answer immediately.
func chargeNow(ctx context.Context, concurrency int, isolation arena.Isolation) (median, longest time.Duration, err error) {
	const (
		long  = 2 * time.Second
		pairs = 500
	)
	folder, err := emptyFolder()
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	t, err := chargedTournament(pairs, concurrency, isolation, folder)
	if err != nil {
		return 0, 0, err
	}
	short, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	charges := new(results.Charges)
	if err := t.Run(short, nil, charges, func(arena.Event) {}); err != nil && !interrupted(short, err) {
		return 0, 0, err
	}
	median, longest = charges.Result()
	return median, longest, nil
}

// emptyFolder makes an empty folder for the bots. Every user may enter it.
func emptyFolder() (string, error) {
	folder, err := os.MkdirTemp("", "sembra-")
	if err != nil {
		return "", err
	}
	return folder, os.Chmod(folder, 0o755)
}

// chargedTournament returns the tournament whose moves are measured.
func chargedTournament(pairs, concurrency int, isolation arena.Isolation, folder string) (t arena.Tournament, err error) {
	t = arena.Tournament{
		Tournament: results.Tournament{Name: "charge", Pairs: pairs, Openings: make([]string, pairs)}, Seed: 1,
		Concurrency: concurrency, Processors: guest.AutoProcessors, Isolation: isolation,
		Time: arena.TimeControl{Watchdog: time.Minute, Startup: 10 * time.Second, Pause: guest.AutomaticPause},
	}
	if t.Rules, err = engine.Lookup("awale"); err != nil {
		return t, err
	}
	t.Entries, err = builtinEntries([2]string{"random", "random"}, folder)
	return t, err
}
