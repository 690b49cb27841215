package schedule

import (
	"fmt"
	"testing"
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
		equal(t, fmt.Sprintf("knockoutFirst(%d)", n), want, knockoutFirst(n))
	}
}

// TestKnockoutBySeed plays brackets in which the better seed always wins. Then the
// last 2, 4, 8 … bots are the first 2, 4, 8 … seeds. In each stage the best seed meets
// the worst one left. A bot has at most one bye, in the first stage.
func TestKnockoutBySeed(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 70; n++ {
		pairings := knockoutFirst(n)
		byes := 2*len(pairings) - n
		seen := make(map[int]bool)
		for first := true; len(pairings) > 0; first = false {
			var winners []int
			for _, two := range pairings {
				if two[0] < 0 || two[1] >= n || two[1] < 0 && (!first || two[0] >= byes) {
					t.Fatalf("%d bots: pairing %v", n, two)
				}
				if two[1] >= 0 && two[0]+two[1] != 2*len(pairings)-1 {
					t.Errorf("%d bots, %d pairings: pairing %v", n, len(pairings), two)
				}
				seen[two[0]], seen[two[1]] = true, true
				winners = append(winners, knockoutWinner(two, [2]float64{1, 1}))
			}
			pairings = knockoutNext(winners)
		}
		delete(seen, -1)
		if len(seen) != n {
			t.Errorf("%d bots: %d in the bracket", n, len(seen))
		}
	}
}
