//go:build long

package engine_test

import (
	"testing"

	"sembra/engine"
)

// deepest is the depth to which the perft tables are counted.
const deepest = 12

// TestPerftParts shows where awale and oware part: from the start position no
// grand slam makes a difference before the twelfth ply.
func TestPerftParts(t *testing.T) {
	awale, oware := lookup(t, "awale"), lookup(t, "oware")
	for depth := 1; depth <= deepest; depth++ {
		a := engine.Perft(awale, awale.Start(), depth)
		o := engine.Perft(oware, oware.Start(), depth)
		if (a == o) != (depth < 12) {
			t.Errorf("depth %d: awale %d, oware %d", depth, a, o)
		}
	}
}
