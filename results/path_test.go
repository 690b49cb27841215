package results

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/results/stats"
)

func TestRatingPath(t *testing.T) {
	t.Parallel()
	tournament := spring(3, "a", "b")
	var all []Slotted
	for i, result := range []Result{SouthWins, NorthWins, Draw, SouthWins, SouthWins, NorthWins} {
		key := Key{"a", "b", i/2 + 1}
		if i%2 == 1 {
			key = Key{"b", "a", i/2 + 1}
		}
		all = append(all, Slotted{i + 1, Summary{Key: key, Result: result, Ending: EndNormal, Hash: [16]byte{byte(i)}}})
	}
	for _, c := range []struct {
		name  string
		have  []Slotted
		most  int
		slots []int
	}{
		{"no match", nil, 5, []int{0}},
		{"all", all, 10, []int{0, 1, 2, 3, 4, 5, 6}},
		{"every second one", all, 3, []int{0, 2, 4, 6}},
		{"uneven", all, 4, []int{0, 2, 3, 5, 6}},
		{"up to the missing one", append(all[:3:3], all[4:]...), 10, []int{0, 1, 2, 3}},
	} {
		path, err := RatingPath(tournament, c.have, c.most)
		if err != nil {
			t.Fatal(err)
		}
		var slots []int
		for _, ratings := range path {
			slots = append(slots, ratings.Slots)
		}
		if diff := cmp.Diff(c.slots, slots); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
		fold := NewRatingFold(tournament)
		for _, match := range c.have[:slots[len(slots)-1]] {
			if err := fold.Add(match.Summary); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(fold.Ratings(), path[len(path)-1]); diff != "" {
			t.Errorf("%s: the last ratings:\n%s", c.name, diff)
		}
	}
	if _, err := RatingPath(tournament, []Slotted{{1, Summary{Key: Key{"a", "stranger", 1}, Result: Draw}}}, 5); err == nil {
		t.Error("an unknown bot is no error")
	}
}

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
