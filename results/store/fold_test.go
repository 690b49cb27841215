package store

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"sembra/results"
	"sembra/results/schedule"
)

// repeating is a tournament whose pairs all have one opening, and a record for every match: equal bots in
// equal seats play equal moves, with seven results, so most matches are repeats.
func repeating(pairs int) (results.Tournament, []results.Record) {
	t := spring(pairs, "a", "b", "c")
	t.Openings = slices.Repeat([]string{"opening"}, len(t.Openings))
	return t, someRecords(schedule.New(t))
}

// The stored ratings are those of a fold without repeats, in whatever order and portions records come, also
// after failed transactions and in a file that was opened again.
func TestStoredRatingsLeaveRepeatsOut(t *testing.T) {
	t.Parallel()
	tournament, records := repeating(12)
	random := rand.New(rand.NewPCG(3, 4))
	for range 3 {
		path := filepath.Join(t.TempDir(), "test.db")
		store := must2(Open(path))
		stored := begin(t, store, tournament)
		left := random.Perm(len(records))
		done := make([]bool, len(records)+1)
		for len(left) > 0 {
			size := min(1+random.IntN(6), len(left))
			var portion []results.Record
			for _, at := range left[:size] {
				portion = append(portion, records[at])
			}
			if bad := records[left[len(left)-1]]; random.IntN(3) == 0 && size < len(left) {
				score := math.NaN() // which no body can hold
				bad.Scores = []*float64{&score, &score, &score}
				if err := stored.Put(append(portion, bad)); err == nil {
					t.Fatal("a NaN as a score was stored")
				}
			} else {
				must(t, stored.Put(portion))
				for _, at := range left[:size] {
					done[at] = true
				}
				left = left[size:]
			}
			checkRatings(t, stored, records, done)
			if random.IntN(4) == 0 {
				must(t, store.Close())
				store = must2(Open(path))
				stored = openRecords(t, store, "spring")
			}
			if random.IntN(6) == 0 {
				must(t, restore(stored))
				checkRatings(t, stored, records, done)
			}
		}
		must(t, store.Close())
	}
}
