//go:build long

package engine_test

import (
	"testing"

	"sembra/engine"
)

// With the build tag "long" the tests take minutes: go test -tags long ./engine
const (
	deepest       = 12     // the depth to which TestPerft counts
	randomMatches = 10_000 // the random matches of each ruleset in TestSecondImplementation
	mostSolved    = 4      // the seeds in a hole of the Kalahs that TestKalahValues solves
)

// TestPerftParts counts where awale and oware differ: from the start position no
// grand slam makes a difference before the twelfth ply.
func TestPerftParts(t *testing.T) {
	t.Parallel()
	awale, oware := lookup(t, "awale"), lookup(t, "oware")
	for depth := 1; depth <= deepest; depth++ {
		a := engine.Perft(awale, awale.Start(), depth)
		o := engine.Perft(oware, oware.Start(), depth)
		if (a == o) != (depth < 12) {
			t.Errorf("depth %d: awale %d, oware %d", depth, a, o)
		}
	}
}
