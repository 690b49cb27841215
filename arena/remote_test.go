package arena

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
)

// abroad plays pairs at the tables of another [Local], as another machine does.
type abroad struct {
	*Local
	free   chan int // tables without a match
	taken  chan int // tables for the next pairs
	stored atomic.Int64
	fail   func(pair []Job) error // nil: no pair fails
	voids  atomic.Int64           // of the first pair
	absent []string               // the bots that did not start here
}

// newAbroad opens a [Local] for the tournament's bots; the caller calls the function.
func newAbroad(t *testing.T, tour *Run, tables int) (a *abroad, closeIt func()) {
	t.Helper()
	there := *tour
	there.Concurrency = tables
	local := must2(there.Open(t.Context(), func(IsolationFound) error { return nil }))
	a = &abroad{Local: local, free: make(chan int, tables), taken: make(chan int, tables)}
	for n := range tables {
		a.free <- n
	}
	return a, local.Close
}

// Reserve lets a pair wait for a table of the other one.
func (a *abroad) Reserve(ctx context.Context) error {
	select {
	case n := <-a.free:
		a.taken <- n
	case <-ctx.Done():
	}
	return ctx.Err()
}

// Begin keeps the names.
func (a *abroad) Begin(_ context.Context, absent []string) error {
	a.absent = absent
	return nil
}

// Play plays the pair.
func (a *abroad) Play(ctx context.Context, pair []Job, back func(Returned)) error {
	n := <-a.taken
	defer func() { a.free <- n }()
	if len(pair) == 0 {
		return nil
	}
	for range a.voids.Swap(0) {
		back(Returned{Job: pair[0], Failed: "the other machine is short of memory"})
	}
	if a.fail != nil {
		if err := a.fail(pair); err != nil {
			return err
		}
	}
	for _, job := range pair {
		rec, err := a.Local.Play(ctx, n, job)
		if err != nil {
			return err
		}
		back(Returned{Job: job, Record: rec, Stored: func() { a.stored.Add(1) }})
	}
	return nil
}

// TestSetAside: a run plays all it can and then names the matches that were set aside. A later run plays them.
func TestSetAside(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		format  string
		records int // of the first run
	}{
		{results.RoundRobin, 10},
		{results.Knockout, 2}, // the final waits for the match
	} {
		inBubble(t, test.format, func(t *testing.T) {
			tour := tournament(t, 1, unclocked(), scripted{}, scripted{}, scripted{}, scripted{})
			tour.Format = test.format
			away, closeAway := newAbroad(t, tour, 3)
			defer closeAway()
			once := true
			away.fail = func(pair []Job) error {
				if pair[0].Number != 1 || !once {
					return nil
				}
				once = false
				time.Sleep(time.Second) // the others are over
				return &SetAsideError{pair[0], "it ended three workers"}
			}
			tour.Concurrency, tour.Remote = 0, away
			kept, _, err := run(t, tour)
			left := new(UnplayedError)
			if !errors.As(err, &left) || len(left.Aside) != 1 || left.Aside[0].Job.Number != 1 {
				t.Fatalf("the run ends with %v", err)
			}
			if len(kept.records) != test.records {
				t.Errorf("%d records, want %d", len(kept.records), test.records)
			}
			if err := tour.Play(t.Context(), kept.done(tour.Schedule()), kept, func(Event) {}); err != nil {
				t.Error(err)
			}
			kept.timeless(t, scheduleOf(tour, kept)) // it fails if one is missing
		})
	}
}

// TestRemoteFails: a failure that belongs to no pair ends the run.
func TestRemoteFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := tournament(t, 4, unclocked(), scripted{}, scripted{})
		away, closeAway := newAbroad(t, tour, 1)
		defer closeAway()
		gone := errors.New("the server is gone")
		away.fail = func(pair []Job) error {
			if pair[0].Number > 3 {
				return gone
			}
			return nil
		}
		tour.Concurrency, tour.Remote = 0, away
		kept := new(log)
		if err := tour.Play(t.Context(), nil, kept, func(Event) {}); !errors.Is(err, gone) || len(kept.records) < 2 {
			t.Errorf("error %v, %d records", err, len(kept.records))
		}
	})
}

// TestNobodyRemote: matches that come back unplayed are played here, also when all others are over.
func TestNobodyRemote(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := cup(t)
		first, _ := tableRun(t, tour)
		other := *tour
		away, closeAway := newAbroad(t, tour, 3)
		defer closeAway()
		away.fail = func([]Job) error {
			time.Sleep(time.Minute) // the others are over
			return ErrNoMachine
		}
		other.Concurrency, other.Remote = 1, away
		kept, _ := tableRun(t, &other)
		want, got := first.timeless(t, tour.Schedule()), kept.timeless(t, tour.Schedule())
		equal(t, "here and there", want, got, cmp.Transformer("who", who))
	})
}
