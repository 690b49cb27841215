package arena

import (
	"fmt"
	"testing"
	"testing/synctest"

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

// A bot that is sent to play from an opening is told its text; the seeds that
// bots are told are those of their jobs.
func TestToldSeedsAndOpenings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var heard [2]transcript
		tour := tournament(t, 2, unclocked(), fake{heard: &heard[0], answer: says("bestmove resign")},
			fake{heard: &heard[1], answer: says("bestmove resign")})
		const opening = "0,5,5,5,5,4/4,4,4,4,4,4 0-0 N sow 1 1"
		tour.Openings[1] = opening
		kept, _ := tableRun(t, tour)
		settle()
		var want [2][]string
		for slot := 1; slot <= 4; slot++ {
			seats := [2]int{0, 1} // of a and b
			if slot%2 == 0 {
				seats = [2]int{1, 0}
			}
			for bot, seat := range seats {
				want[bot] = append(want[bot], fmt.Sprintf("newmatch awale %v seed %d", engine.Seat(seat), matchSeed(1, tour.Schedule().Key(slot), engine.Seat(seat))))
				if asked := slot > 2; asked == (seat == 1) { // from the opening North begins
					line := "position startpos"
					if asked {
						line = "position fen " + opening
					}
					want[bot] = append(want[bot], line)
				}
			}
		}
		for bot := range heard {
			if diff := cmp.Diff(want[bot], heard[bot].of("newmatch", "position")); diff != "" {
				t.Errorf("bot %d was told (-want +got)\n%s", bot+1, diff)
			}
		}
		for key, rec := range kept.records {
			if want := []string{startText, opening}[key.Pair-1]; rec.Opening != want {
				t.Errorf("%v: opening %q, want %q", key, rec.Opening, want)
			}
		}
	})
}
