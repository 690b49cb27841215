package arena

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
	"sembra/results/schedule"
)

// formatted is a tournament of bots that vary, in a format.
func formatted(t *testing.T, format string) *Tournament {
	t.Helper()
	tour := cup(t)
	tour.Format = format
	switch format {
	case results.Gauntlet:
		tour.Challengers = []string{"b", "d"}
	case results.Swiss:
		tour.Stages = 4
	case results.Knockout:
		tour.ExtraPairs = 2
		tour.DisqualifyAfter = 3
		openings, err := RandomOpenings(tour.Rules, tour.Seed, 3, tour.Pairs+tour.ExtraPairs)
		if err != nil {
			t.Fatal(err)
		}
		tour.Openings = openings
	}
	return tour
}

// scheduleOf is a schedule with all that is kept.
func scheduleOf(tour *Tournament, kept *log) *schedule.Schedule {
	s := tour.Schedule()
	s.Follow(func(key results.Key) (results.Summary, bool) {
		record, ok := kept.records[key]
		return record.Summary, ok
	})
	return s
}

// TestFormatsSameRecords: the same matches are played at any concurrency, and
// however often the run was stopped.
func TestFormatsSameRecords(t *testing.T) {
	t.Parallel()
	for _, format := range []string{results.RoundRobin, results.Gauntlet, results.Swiss, results.Knockout} {
		t.Run(format, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tour := formatted(t, format)
				first, _ := tableRun(t, tour)
				want := first.timeless(t, scheduleOf(tour, first))
				if len(want) != len(first.records) {
					t.Fatalf("%d records, %d of them in the schedule", len(first.records), len(want))
				}
				for _, concurrency := range []int{1, 2, 8} {
					tour.Concurrency = concurrency
					kept, stops := stopped(t, tour, 150*ms)
					if diff := cmp.Diff(want, kept.timeless(t, scheduleOf(tour, kept)), cmp.Transformer("who", who)); diff != "" {
						t.Errorf("concurrency %d, stopped %d times (-undisturbed +resumed)\n%s", concurrency, stops, diff)
					}
					if len(kept.voids) > 0 {
						t.Errorf("void: %v", kept.voids)
					}
				}
			})
		})
	}
}
