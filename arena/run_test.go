package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"sembra/results"
)

// varied is a bot whose moves, and the times for them, depend only on the seed.
func varied() scripted {
	return scripted{Answer: func(q *question) string {
		time.Sleep(time.Duration(q.Seed%7) * ms)
		return q.Any()
	}}
}

// faulty is varied with a fault now and then, which also depends on the seed.
func faulty() scripted {
	f := varied()
	f.Answer = func(q *question) string {
		if q.Seed%3 == 0 && q.Ply == 4 {
			return "bestmove Q"
		}
		return q.Any()
	}
	return f
}

// cup is a tournament with openings whose bots vary, for tests of what must not vary.
func cup(t *testing.T) *Run {
	t.Helper()
	tour := tournament(t, 3, unclocked(), varied(), faulty(), varied(), inMemory(func(io.Reader, io.Writer) {}), varied())
	tour.Openings = randomOpenings(t, tour.Rules, tour.Seed, 3, tour.Pairs)
	tour.Entries[2].Restart = true
	return tour
}

// undisturbed returns the records of a whole run.
func undisturbed(t *testing.T, tour *Run) []results.Record {
	t.Helper()
	kept, _ := tableRun(t, tour)
	return kept.timeless(t, tour.Schedule())
}

func TestRecorderFails(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	for _, concurrency := range []int{1, 8} {
		for _, failing := range []int{1, 4} {
			inBubble(t, fmt.Sprintf("concurrency=%d,put=%d", concurrency, failing), func(t *testing.T) {
				tour := cup(t)
				tour.Concurrency = concurrency
				kept := &log{fail: func(put int) error { return map[bool]error{true: full}[put >= failing] }}
				var told events
				err := tour.Play(t.Context(), nil, kept, told.tell)
				settle()
				if !errors.Is(err, full) {
					t.Errorf("error is %v, want %v", err, full)
				}
				if kept.puts != failing {
					t.Errorf("%d puts, want %d: nothing is kept after the one that failed", kept.puts, failing)
				}
				if failing > 1 && len(kept.records) == 0 {
					t.Error("nothing was kept before it")
				}
				if kept.records == nil {
					kept.records = make(map[results.Key]results.Record)
				}
				sameAsTold(t, kept, told)
			})
		}
	}
}

// TestVoid: the runner fails to start a process, once or twice in a row.
func TestVoid(t *testing.T) {
	t.Parallel()
	const reason = "the runner failed: fork: resource temporarily unavailable"
	for _, test := range []struct {
		name  string
		fails []int // starts of b; the first is the try
		voids int
		err   string
	}{
		{"once", []int{2}, 1, ""},
		{"for two matches", []int{2, 4}, 2, ""},
		{"for a match and the next but one", []int{2, 5}, 2, ""},
		{"twice in a row", []int{2, 3}, 2, "match 1 (a - b, pair 1) failed twice in a row: " + reason},
		{"at the try", []int{1}, 0, reason},
	} {
		inBubble(t, test.name, func(t *testing.T) {
			var heard transcript
			b := &counted{Launcher: scripted{}, fail: func(start int) bool { return slices.Contains(test.fails, start) }}
			tour := tournament(t, 2, unclocked(), scripted{Heard: &heard}, b)
			tour.Entries[1].Restart = true // so that each match starts it
			kept, told, err := run(t, tour)
			settle()
			if text := fmt.Sprint(err); test.err == "" && err != nil || test.err != "" && text != test.err {
				t.Errorf("error is %v, want %q", err, test.err)
			}
			if test.err != "" && !errors.Is(err, syscall.EAGAIN) {
				t.Errorf("error %v is not that of the system", err)
			}
			voids := of[MatchVoid](told)
			if len(voids) != test.voids || len(kept.voids) != test.voids {
				t.Errorf("void: told %v, kept %v; want %d", voids, kept.voids, test.voids)
			}
			for i, void := range voids {
				if last := i == len(voids)-1 && test.err != ""; void.Again == last {
					t.Errorf("void %d is played again: %v", i+1, void.Again)
				}
				if want := void.Job.Key.String() + ": " + reason; kept.voids[i] != want {
					t.Errorf("kept of the void: %q, want %q", kept.voids[i], want)
				}
			}
			want := 4
			if test.err != "" {
				want = 0
			}
			if len(kept.records) != want {
				t.Errorf("%d records, want %d", len(kept.records), want)
			}
			noFault(t, kept)
			// Nobody is told of the end of a match that was never announced.
			if ends := heard.Of("endmatch"); len(ends) != want {
				t.Errorf("the other was told %q, want %d ends", ends, want)
			}
		})
	}
}

// TestConcurrency: as many matches run concurrently as allowed, and no more.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	for _, concurrency := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			var now, most atomic.Int32
			bot := scripted{Answer: func(q *question) string {
				if q.Ply == 1 && q.Seat == "south" {
					most.Store(max(most.Load(), now.Add(1)))
					time.Sleep(time.Second)
					now.Add(-1)
					return "bestmove resign"
				}
				return q.First()
			}}
			tour := tournament(t, 4, unclocked(), bot, bot, bot)
			tour.Concurrency = concurrency
			begun := time.Now()
			tableRun(t, tour)
			if took, want := time.Since(begun), 24*time.Second/time.Duration(concurrency); took != want {
				t.Errorf("it took %v at concurrency %d, want %v", took, concurrency, want)
			}
			if int(most.Load()) != concurrency {
				t.Errorf("%d concurrent matches, want %d", most.Load(), concurrency)
			}
		})
	}
}

// TestNoGoroutineLeft counts goroutines after a run with faults and after one that is stopped.
func TestNoGoroutineLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	mark := t.TempDir()
	env := testMarkVariable + "=" + mark
	tour := tournament(t, 2, unclocked(), testBot("first", env), testBot("exits", env), testBot("varied", env))
	tour.Concurrency = 2
	tableRun(t, tour)
	nobodyLeft(t, mark)
	ctx, cancel := context.WithCancel(t.Context())
	err := tour.Play(ctx, nil, new(log), func(e Event) {
		if e.MatchEnded != nil {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want a cancelled context", err)
	}
	nobodyLeft(t, mark)
	for range 6000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * ms)
	}
	stacks := make([]byte, 1<<16)
	stacks = stacks[:runtime.Stack(stacks, true)]
	t.Errorf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), strings.TrimSpace(string(stacks)))
}
