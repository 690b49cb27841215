package arena

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"sembra/results"
)

// TestNothingLeft: no bot is started if nothing is left to play.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	bot := &counted{Launcher: scripted{}}
	tour := tournament(t, 1, unclocked(), bot, bot)
	schedule := tour.Schedule()
	err := tour.Play(t.Context(), []results.Numbered{summaryOf(schedule, 1, results.NoFault), summaryOf(schedule, 2, results.SouthFault)}, nil, nil)
	if err != nil || bot.starts.Load() != 0 {
		t.Errorf("error %v after %d starts", err, bot.starts.Load())
	}
}

// TestStoppedByAnEvent: a run that is stopped in an event loses no match that it has told.
func TestStoppedByAnEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := cup(t)
		tour.Concurrency = 3
		ctx, cancel := context.WithCancel(t.Context())
		kept := new(log)
		var told events
		err := tour.Play(ctx, nil, kept, func(e Event) {
			told.tell(e)
			if len(of[MatchEnded](told)) == 5 {
				cancel()
			}
		})
		settle()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want a cancelled context", err)
		}
		sameAsTold(t, kept, told)
	})
}

// sameAsTold checks that exactly the kept matches were told as ended.
func sameAsTold(t *testing.T, kept *log, told events) {
	t.Helper()
	records := make(map[results.Key]results.Record)
	for _, e := range of[MatchEnded](told) {
		if _, twice := records[e.Record.Key]; twice {
			t.Errorf("%v was told twice", e.Record.Key)
		}
		records[e.Record.Key] = e.Record
	}
	equal(t, "kept and told", kept.records, records)
}
