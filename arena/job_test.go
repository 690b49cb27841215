package arena

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
	"sembra/results"
)

func TestSeeds(t *testing.T) {
	t.Parallel()
	seen := make(map[uint64]string)
	for _, tournament := range []uint64{0, 1, 2, 1 << 63} {
		schedule := allPlayAll([]string{"a", "b", "c"}, 30)
		for slot := 1; slot <= schedule.Len(); slot++ {
			key := schedule.Key(slot)
			for _, seat := range []engine.Seat{engine.South, engine.North} {
				seed := matchSeed(tournament, key, seat)
				where := fmt.Sprintf("seed %d, %v, %v", tournament, key, seat)
				if seed >= 1<<31 {
					t.Errorf("%s: %d has more than 31 bits", where, seed)
				}
				if other, ok := seen[seed]; ok {
					t.Errorf("%s and %s have the same seed", where, other)
				}
				seen[seed] = where
				if again := matchSeed(tournament, key, seat); again != seed {
					t.Errorf("%s: %d and then %d", where, seed, again)
				}
			}
		}
	}
	if got := matchSeed(1, results.Key{South: "a", North: "b", Pair: 1}, engine.South); got != firstSeed {
		t.Errorf("the first seed of a tournament with seed 1 is %d and was %d: matches that were played cannot be played again", got, firstSeed)
	}
}

// firstSeed must never change.
const firstSeed = 633422709

// TestJob depends on the tournament alone.
func TestJob(t *testing.T) {
	t.Parallel()
	tour := tournament(t, 2, unclocked(), nil, nil, nil)
	tour.Openings = []string{"", "second"}
	schedule := tour.Schedule()
	for slot := 1; slot <= schedule.Len(); slot++ {
		want := Job{
			Key: schedule.Key(slot), Slot: slot, Opening: tour.Openings[(slot-1)/6],
			Seeds: [2]uint64{matchSeed(1, schedule.Key(slot), engine.South), matchSeed(1, schedule.Key(slot), engine.North)},
		}
		if diff := cmp.Diff(want, tour.job(slot, schedule.Key(slot))); diff != "" {
			t.Errorf("slot %d (-want +got)\n%s", slot, diff)
		}
	}
}
