package results

import (
	"math"
	"testing"

	"sembra/results/stats"
)

func TestTestPath(t *testing.T) {
	t.Parallel()
	if _, err := TestPath(spring(1, "a", "b"), nil, 5); err == nil {
		t.Error("a tournament without a test is no error")
	}
	tournament := sequential(8, stats.Normalized)
	var all []Slotted
	for i, match := range pairsOf("WW WL WW DD") {
		all = append(all, Slotted{i + 1, match})
	}
	path, err := TestPath(tournament, all, 100)
	if err != nil {
		t.Fatal(err)
	}
	test, err := tournament.SequentialTest(all)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(path); n != 5 || path[0] != (TestPoint{}) || path[4].Pairs != 4 || math.Abs(path[4].LLR-test.LLR()) > 1e-12 {
		t.Errorf("path %v, LLR %v at the end", path, test.LLR())
	}
	if path, err = TestPath(tournament, all, 2); err != nil || len(path) != 3 || path[2].Pairs != 4 {
		t.Errorf("path %v in two steps (%v)", path, err)
	}
}
