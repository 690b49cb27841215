package arena

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"sembra/results"
	"sembra/results/schedule"
	"sembra/results/stats"
)

// formatted is a tournament of bots that vary, in a format.
func formatted(t *testing.T, format string) *Run {
	t.Helper()
	if format == results.Sequential {
		return duel(t)
	}
	tour := cup(t)
	tour.Format, tour.DisqualifyAfter = format, 2
	tour.Adjudication = &results.Adjudication{Plies: 30, By: "stores"}
	switch format {
	case results.Gauntlet:
		tour.Challengers = []string{"b", "d"}
	case results.Swiss:
		tour.Stages = 4
	case results.Knockout:
		tour.ExtraPairs = 2
		tour.Openings = randomOpenings(t, tour.Rules, tour.Seed, 3, tour.Pairs+tour.ExtraPairs)
	}
	return tour
}

// scheduleOf is a schedule with all that is kept.
func scheduleOf(tour *Run, kept *log) *schedule.Schedule {
	s := tour.Schedule()
	s.AddRecorded(func(key results.Key) (results.Summary, bool) {
		record, ok := kept.records[key]
		return record.Summary, ok
	})
	return s
}

// duel is a sequential test of a bot that varies against one that errs now and then.
func duel(t *testing.T) *Run {
	t.Helper()
	tour := tournament(t, 300, unclocked(), varied(), faulty())
	tour.Openings = randomOpenings(t, tour.Rules, tour.Seed, 4, tour.Pairs)
	tour.Format = results.Sequential
	tour.Test = &stats.Test{Elo0: 0, Elo1: 70, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}
	return tour
}

// TestFormatsSameRecords: the same matches are played at any concurrency, however often the run was stopped, and
// whoever plays them. Bots are at fault in some of them, and are disqualified.
func TestFormatsSameRecords(t *testing.T) {
	t.Parallel()
	for _, format := range []string{
		results.RoundRobin, results.Gauntlet, results.Swiss, results.Knockout, results.Sequential,
	} {
		inBubble(t, format, func(t *testing.T) {
			tour := formatted(t, format)
			first, _ := tableRun(t, tour)
			want := first.timeless(t, scheduleOf(tour, first))
			if len(want) != len(first.records) {
				t.Fatalf("%d records, %d of them in the schedule", len(first.records), len(want))
			}
			endings := make(map[results.Ending]bool)
			for _, rec := range want {
				endings[rec.Ending] = true
			}
			if len(endings) < 3 || endings[results.EndAdjudicated] != (tour.Adjudication != nil) {
				t.Errorf("the tournament is too plain: its endings are %v", endings)
			}
			for _, concurrency := range []int{1, 2, 8} {
				tour.Concurrency = concurrency
				kept, stops := stopped(t, tour, 50*ms)
				equal(t, fmt.Sprintf("concurrency %d, stopped %d times", concurrency, stops),
					want, kept.timeless(t, scheduleOf(tour, kept)))
				if len(kept.voids) > 0 {
					t.Errorf("void: %v", kept.voids)
				}
			}
			for _, tables := range [][2]int{{0, 1}, {0, 5}, {2, 3}} { // here and there
				other := *tour
				other.Concurrency = tables[0]
				away, closeAway := newAbroad(t, tour, tables[1])
				away.voids.Store(1)
				other.Remote = away
				away.fail = func(pair []Job) error {
					if slices.Contains(away.absent, pair[0].South) || slices.Contains(away.absent, pair[0].North) {
						return fmt.Errorf("%v is sent, and %q did not start here", pair, away.absent)
					}
					return nil
				}
				kept, told := tableRun(t, &other)
				closeAway()
				if absent := slices.Equal(away.absent, []string{"d"}); absent != (format != results.Sequential) {
					t.Errorf("the other machine is told that %q did not start", away.absent)
				}
				equal(t, fmt.Sprintf("%d tables here and %d there", tables[0], tables[1]),
					want, kept.timeless(t, scheduleOf(tour, kept)))
				if n := int(away.stored.Load()); tables[0] == 0 && (n == 0 || n > len(kept.records)) {
					t.Errorf("%d tables here: %d records of %d were safe in time", tables[0], n, len(kept.records))
				}
				if voids := of[MatchVoid](told); len(voids) != 1 && tables[0] == 0 {
					t.Errorf("void matches are %v, want 1", voids)
				}
			}
		})
	}
}

// TestSequential: a test ends soon after it is decided, and then plays nothing more, also with more pairs.
func TestSequential(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := duel(t)
		tour.Concurrency = 8
		kept, _ := tableRun(t, tour)
		test := scheduleOf(tour, kept).Test()
		if test.Decision != stats.AcceptH1 || test.Counts.Counted() < 10 || test.Counts.Faults[1] < 5 {
			t.Errorf("the test is too plain: %v after match %d, %+v", test.Decision, test.StoppedAt, test.Counts)
		}
		played := len(kept.records)
		if past := played - test.StoppedAt; past > 80 { // a long match holds up the count, and the others continue
			t.Errorf("%d matches are past the stop", past)
		}
		tour.Pairs++
		err := tour.Play(t.Context(), kept.done(tour.Schedule()), kept, func(Event) {})
		if err != nil || len(kept.records) != played {
			t.Errorf("a decided test played %d matches more, error %v", len(kept.records)-played, err)
		}
	})
}
