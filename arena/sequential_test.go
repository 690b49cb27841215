package arena

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
	"sembra/results/schedule"
	"sembra/results/stats"
)

// duel is a sequential test of a bot that varies against one that errs now and
// then.
func duel(t *testing.T) *Tournament {
	t.Helper()
	tour := tournament(t, 300, unclocked(), varied(), faulty())
	openings, err := RandomOpenings(tour.Rules, tour.Seed, 4, tour.Pairs)
	if err != nil {
		t.Fatal(err)
	}
	tour.Openings = openings
	tour.Format = results.Sequential
	tour.Test = &stats.Test{Elo0: 0, Elo1: 70, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}
	return tour
}

// tested is what came of a sequential test: what it tells, and the records that
// count for it.
type tested struct {
	Decision  stats.Decision
	StoppedAt int
	Counts    results.PairCounts
	LLR       float64
	Records   []results.Record
	past      int
}

// testedBy folds the records of a test.
func testedBy(t *testing.T, tour *Tournament, kept *log) tested {
	t.Helper()
	s := tour.Schedule()
	kept.done(s)
	test := s.Test()
	if !test.Over() || !s.Over() {
		t.Fatalf("the run has ended, and the test has not: %+v", test.Counts)
	}
	records := new(log)
	for slot := 1; slot <= test.StoppedAt; slot++ {
		if r, ok := kept.records[s.Key(slot)]; ok {
			if err := records.Put([]results.Record{r}); err != nil {
				t.Fatal(err)
			}
		}
	}
	all := tour.Plan()
	all.Pairs = test.StoppedAt / 2
	return tested{
		test.Decision, test.StoppedAt, test.Counts, test.LLR,
		records.timeless(t, schedule.New(all)), len(kept.records) - test.StoppedAt,
	}
}

// isPast is the number of matches past the stop, which depends on how many are
// played at once.
func isPast(p cmp.Path) bool { return p.String() == "past" }

// TestSequential: a test comes to the same, by the same matches, however many are played at once and however often it is
// stopped. One that is decided plays nothing more, also with more pairs.
func TestSequential(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := duel(t)
		whole, _ := tableRun(t, tour)
		want := testedBy(t, tour, whole)
		if want.Decision != stats.AcceptH1 || want.past != 0 || want.Counts.Counted() < 10 || want.Counts.Faults[1] < 5 {
			t.Errorf("the test is too plain: %v after slot %d, %+v, %d matches past it", want.Decision, want.StoppedAt, want.Counts, want.past)
		}
		for _, concurrency := range []int{1, 2, 8} {
			tour.Concurrency = concurrency
			kept, stops := stopped(t, tour, 400*ms)
			got := testedBy(t, tour, kept)
			if diff := cmp.Diff(want, got, cmp.FilterPath(isPast, cmp.Ignore())); diff != "" {
				t.Errorf("concurrency %d, stopped %d times (-undisturbed +resumed)\n%s", concurrency, stops, diff)
			}
			if got.past > 10*concurrency { // a long match holds up the count, and the others go on
				t.Errorf("concurrency %d: %d matches are past the stop", concurrency, got.past)
			}
			played := len(kept.records)
			tour.Pairs++
			if err := tour.Run(t.Context(), kept.done(tour.Schedule()), kept, func(Event) {}); err != nil || len(kept.records) != played {
				t.Errorf("a decided test played %d matches more, error %v", len(kept.records)-played, err)
			}
			tour.Pairs--
		}
	})
}
