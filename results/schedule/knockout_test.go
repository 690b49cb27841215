package schedule

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKnockoutFirst(t *testing.T) {
	t.Parallel()
	tests := map[int][][2]int{
		2:  {{0, 1}},
		3:  {{0, -1}, {1, 2}},
		4:  {{0, 3}, {1, 2}},
		5:  {{0, -1}, {3, 4}, {1, -1}, {2, -1}},
		6:  {{0, -1}, {3, 4}, {1, -1}, {2, 5}},
		8:  {{0, 7}, {3, 4}, {1, 6}, {2, 5}},
		16: {{0, 15}, {7, 8}, {3, 12}, {4, 11}, {1, 14}, {6, 9}, {2, 13}, {5, 10}},
	}
	for n, want := range tests {
		if diff := cmp.Diff(want, knockoutFirst(n)); diff != "" {
			t.Errorf("knockoutFirst(%d) (-want +got):\n%s", n, diff)
		}
	}
}

// TestKnockoutBySeed plays brackets in which the better seed always wins. Then the
// last 2, 4, 8 … bots are the first 2, 4, 8 … seeds. In each stage the best seed meets
// the worst one left. A bot has at most one bye, in the first stage.
func TestKnockoutBySeed(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 70; n++ {
		ties := knockoutFirst(n)
		byes := 2*len(ties) - n
		seen := make(map[int]bool)
		for first := true; len(ties) > 0; first = false {
			var winners []int
			for _, tie := range ties {
				if tie[0] < 0 || tie[1] >= n || tie[1] < 0 && (!first || tie[0] >= byes) {
					t.Fatalf("%d bots: tie %v", n, tie)
				}
				if tie[1] >= 0 && tie[0]+tie[1] != 2*len(ties)-1 {
					t.Errorf("%d bots, %d ties: tie %v", n, len(ties), tie)
				}
				seen[tie[0]], seen[tie[1]] = true, true
				winners = append(winners, knockoutWinner(tie, [2]float64{1, 1}))
			}
			ties = knockoutNext(winners)
		}
		delete(seen, -1)
		if len(seen) != n {
			t.Errorf("%d bots: %d in the bracket", n, len(seen))
		}
	}
}
