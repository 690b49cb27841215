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
	rules, err := engine.Lookup("awale")
	if err != nil {
		return 0, 0, err
	}
	t, err := measured("charge", rules, pairs, [2]string{"random", "random"}, folder)
	if err != nil {
		return 0, 0, err
	}
	t.Concurrency, t.Isolation, t.Time.Pause = concurrency, isolation, guest.AutomaticPause
	short, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	charges := new(results.Charges)
	if err := t.Run(short, nil, charges, func(arena.Event) {}); err != nil && !interrupted(short, err) {
		return 0, 0, err
	}
	median, longest = charges.Result()
	return median, longest, nil
}
