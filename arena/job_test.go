package arena

import (
	"testing"

	"sembra/engine"
	"sembra/results"
)

// TestSeeds: a seed fits into the integers of every language, and depends on all of its parts.
func TestSeeds(t *testing.T) {
	t.Parallel()
	seen := make(map[uint64]bool)
	for _, tournament := range []uint64{0, 1, 1 << 63} {
		for pair := range 30 {
			for _, bots := range [][2]string{{"a", "b"}, {"b", "a"}, {"a", "c"}} {
				for _, seat := range []engine.Seat{engine.South, engine.North} {
					seed := matchSeed(tournament, results.Key{South: bots[0], North: bots[1], Pair: pair + 1}, seat)
					if seed >= 1<<31 || seen[seed] {
						t.Errorf("the seed %d has more than 31 bits or stands for two matches", seed)
					}
					seen[seed] = true
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
