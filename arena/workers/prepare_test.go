package workers

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"sembra/arena"
	"sembra/results"
)

// TestMeasurementStopped: a run that ends while a worker measures its machine is no reason to refuse the next run.
func TestMeasurementStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	w := &worker{o: WorkerOptions{Measure: func(context.Context, arena.Isolation) (Charge, error) {
		cancel()
		return Charge{}, nil
	}}}
	if err := w.measure(ctx, &Plan{Time: arena.TimeControl{Move: time.Second}}, arena.Isolation{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestBotStartsNowhere: a bot that does not start keeps a worker from the matches of other bots with the same need, unless
// the tournament forfeits the matches of such a bot.
func TestBotStartsNowhere(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		forfeit bool
		fail    []int // numbers of the bots that do not start
		want    []string
	}{
		{false, nil, nil},
		{false, []int{1}, []string{"python3"}},
		{true, []int{1}, nil},
		{true, []int{1, 2}, []string{"python3"}},
	} {
		tour := cup(t, 1)
		tour.Isolation.Mode = arena.NoIsolation
		for i := range tour.Entries {
			tour.Entries[i].Builtin = ""
			if slices.Contains(test.fail, i) {
				tour.Entries[i].Launcher = arena.Command{Args: []string{os.Args[0], "-no-such-flag"}, Dir: t.TempDir()}
			}
		}
		plan := newPlan(tour, "test")
		plan.Forfeit = test.forfeit
		for i, e := range tour.Entries {
			plan.Bots = append(plan.Bots, Bot{Name: e.Name, Need: []string{"java", "python3", "python3"}[i]})
		}
		hall, lacks, err := openHall(t.Context(), tour, &plan)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(lacks)); !slices.Equal(got, test.want) {
			t.Errorf("forfeit %t, bots %v do not start: the worker lacks %v, want %v", test.forfeit, test.fail, lacks, test.want)
		}
		tables := hall.Tables(1)
		for _, i := range test.fail { // its match is no loss of the bot
			key := results.Key{South: tour.Entries[i].Name, North: tour.Entries[0].Name, Pair: 1}
			if _, err := tables.Play(t.Context(), 0, arena.Job{Slot: 1, Key: key}); !errors.As(err, new(*arena.StartError)) {
				t.Errorf("a match of a bot that did not start: error %v", err)
			}
		}
		tables.Close()
		hall.Close()
	}
}
