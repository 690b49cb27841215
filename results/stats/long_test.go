//go:build long

package stats

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

const long = true

// The share of intervals of ratings, and of differences between two players, that contain the truth. If players are
// paired at random, it is 95 % or a little more. In a Swiss, players with equal points meet, so those who were lucky
// meet others who were lucky. This spreads the ratings of a Swiss with few pairs too widely, and intervals do not
// know it.
func TestCoverageOfSwissFields(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name                   string
		byPoints               bool // players with equal points meet; otherwise the draw is random
		players, rounds, pairs int
		deviation              float64 // of the strengths, Elo
		draws                  float64
		low, high              float64 // % of the intervals that contain the truth
	}{
		{"Swiss, 12 players, 5 rounds of a pair", true, 12, 5, 1, 100, 0.1, 87, 96},
		{"Swiss, 12 players, 5 rounds of 2 pairs", true, 12, 5, 2, 100, 0.1, 88, 96},
		{"Swiss, 10 players, 7 rounds of 2 pairs", true, 10, 7, 2, 100, 0.1, 92, 98},
		{"Swiss, 24 players, 7 rounds of 4 pairs", true, 24, 7, 4, 150, 0.3, 90, 96},
		{"random, 12 players, 5 rounds of a pair", false, 12, 5, 1, 100, 0.1, 94, 99.5},
		{"random, 12 players, 5 rounds of 2 pairs", false, 12, 5, 2, 100, 0.1, 94, 98.5},
		{"random, 24 players, 7 rounds of a pair", false, 24, 7, 1, 150, 0.3, 94, 98.5},
		{"random, 24 players, 7 rounds of 4 pairs", false, 24, 7, 4, 150, 0.3, 94, 98.5},
	} {
		random := rand.New(rand.NewPCG(11, uint64(test.players*test.rounds)))
		ratings, differences := &intervals{}, &intervals{}
		const fields = 400
		for range fields {
			truth := make([]float64, test.players)
			for i := range truth {
				truth[i] = random.NormFloat64() * test.deviation
			}
			games := drawn(random, truth, test.byPoints, test.rounds, test.pairs, test.draws)
			field, err := Rate(games, test.players, Anchor{Player: -1}, 0)
			must(t, err)
			for group := 1; group <= field.Groups; group++ {
				countGroup(field, group, truth, ratings, differences)
			}
		}
		for name, n := range map[string]*intervals{"ratings": ratings, "differences": differences} {
			share := 100 * float64(n.hit) / float64(n.all)
			t.Logf("%s: %.1f %% of %d intervals of %s", test.name, share, n.all, name)
			if n.all < fields*test.players/2 || share < test.low || share > test.high {
				t.Errorf("%s: %.1f %% of %d intervals of %s contain the truth", test.name, share, n.all, name)
			}
		}
	}
}

// countGroup counts the intervals of a group of more than two players around their true mean, and those of the
// differences between neighbours.
func countGroup(field Field, group int, truth []float64, ratings, differences *intervals) {
	var members []int
	centre := 0.0
	for i, r := range field.Players {
		if r.Group == group && r.Rating != nil {
			members = append(members, i)
			centre += truth[i]
		}
	}
	centre /= float64(len(members))
	for n, i := range members {
		r := field.Players[i]
		ratings.add(r.Rating, r.Error, truth[i]-centre)
		if n > 0 {
			d := field.Difference(i, members[n-1])
			differences.add(d.Elo, d.Error, truth[i]-truth[members[n-1]])
		}
	}
}

// drawn plays rounds in which every player meets another one, but nobody twice if it can be avoided.
func drawn(random *rand.Rand, truth []float64, byPoints bool, rounds, pairs int, draws float64) (games []Game) {
	points, met := make([]float64, len(truth)), make(map[[2]int]bool)
	for range rounds {
		order := random.Perm(len(truth))
		if byPoints {
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(points[b], points[a]) })
		}
		for len(order) > 1 {
			a, next := order[0], 1
			for i := 1; i < len(order); i++ {
				if !met[[2]int{a, order[i]}] {
					next = i
					break
				}
			}
			b := order[next]
			order = slices.Delete(order, next, next+1)[1:]
			met[[2]int{a, b}], met[[2]int{b, a}] = true, true
			for range pairs {
				unit := len(games) / 2
				for _, seats := range [][2]int{{a, b}, {b, a}} {
					score := draw(random, truth[seats[0]]-truth[seats[1]]+30, draws)
					games = append(games, Game{seats[0], seats[1], score, unit})
					points[seats[0]] += score
					points[seats[1]] += 1 - score
				}
			}
		}
	}
	return games
}
