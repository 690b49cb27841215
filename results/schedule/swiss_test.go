package schedule

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// swissPlay is a Swiss tournament being played, with two matches a meeting.
type swissPlay struct {
	bots   []swissBot
	stages int
	played int
}

// higherWins and allDrawn return the points, from 0 to 2, of the first of two bots.
func higherWins(a, b int) float64 {
	if a < b {
		return 2
	}
	return 0
}

func allDrawn(int, int) float64 { return 1 }

// drawnBy returns random results.
func drawnBy(rng *rand.Rand) func(a, b int) float64 {
	return func(int, int) float64 { return float64(rng.IntN(5)) / 2 }
}

// stage pairs a stage, checks it, and plays it.
func (s *swissPlay) stage(result func(a, b int) float64) (pairings [][2]int, bye int, err error) {
	pairings, bye = swissStage(s.bots)
	if err := s.check(pairings, bye); err != nil {
		return nil, 0, fmt.Errorf("%d bots, stage %d of %d: %v, bye %d: %w",
			len(s.bots), s.played+1, s.stages, pairings, bye, err)
	}
	if bye >= 0 {
		s.bots[bye].byes++
		s.bots[bye].points += 2
	}
	for _, p := range pairings {
		points := result(p[0], p[1])
		s.bots[p[0]].met = append(s.bots[p[0]].met, p[1])
		s.bots[p[0]].points += points
		s.bots[p[1]].points += 2 - points
	}
	s.played++
	return pairings, bye, nil
}

// check checks a stage: each bot is in it once, in the right order, none has a second bye, and as few as possible
// meet again.
func (s *swissPlay) check(pairings [][2]int, bye int) error {
	seen := make(map[int]bool)
	if bye >= 0 {
		if s.bots[bye].byes > 0 {
			return fmt.Errorf("a second bye")
		}
		seen[bye] = true
	}
	met := newPairer(s.bots).met
	repeats := 0
	for _, p := range pairings {
		if met[p[0]][p[1]] {
			repeats++
		}
		a, b := s.bots[p[0]], s.bots[p[1]]
		if a.points < b.points || a.points == b.points && p[0] > p[1] {
			return fmt.Errorf("%v: the better bot is second", p)
		}
		seen[p[0]], seen[p[1]] = true, true
	}
	if len(seen) != len(s.bots) || 2*len(pairings) != len(s.bots)-len(s.bots)%2 {
		return fmt.Errorf("%d bots, %d pairings", len(seen), len(pairings))
	}
	if repeats == 0 {
		return nil
	}
	if 2*s.played < len(s.bots) {
		return fmt.Errorf("%d repeats in the first half", repeats)
	}
	if len(s.bots) <= 10 {
		if least := s.leastRepeats(met); repeats > least {
			return fmt.Errorf("%d repeats, although %d are enough", repeats, least)
		}
	}
	return nil
}

// leastRepeats tries all pairings without a second bye, and returns the least number of repeats.
func (s *swissPlay) leastRepeats(met [][]bool) int {
	least, taken := len(s.bots), make([]bool, len(s.bots))
	var try func(from, repeats int, bye bool)
	try = func(from, repeats int, bye bool) {
		for from < len(taken) && taken[from] {
			from++
		}
		if from == len(taken) {
			least = min(least, repeats)
			return
		}
		if bye && s.bots[from].byes == 0 {
			try(from+1, repeats, false)
		}
		for v := from + 1; v < len(taken); v++ {
			if taken[v] {
				continue
			}
			again := 0
			if met[from][v] {
				again = 1
			}
			taken[v] = true
			try(from+1, repeats+again, bye)
			taken[v] = false
		}
	}
	try(0, 0, len(s.bots)%2 == 1)
	return least
}

// play plays all stages.
func play(t *testing.T, bots, stages int, result func(a, b int) float64) {
	t.Helper()
	s := &swissPlay{bots: make([]swissBot, bots), stages: stages}
	for range stages {
		if _, _, err := s.stage(result); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSwissAllStages(t *testing.T) {
	t.Parallel()
	for bots := 2; bots <= 12; bots++ {
		for stages := 1; stages < bots; stages++ {
			play(t, bots, stages, higherWins)
			play(t, bots, stages, allDrawn)
			play(t, bots, stages, func(a, b int) float64 { return 2 - higherWins(a, b) })
			play(t, bots, stages, drawnBy(rand.New(rand.NewPCG(uint64(bots), uint64(stages)))))
		}
	}
}

func TestSwissLargeFields(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{24, 23}, {30, 9}, {51, 5}} {
		play(t, size[0], size[1], higherWins)
		play(t, size[0], size[1], drawnBy(rand.New(rand.NewPCG(7, 8))))
	}
}

// TestSwissFirstStage: the upper half meets the lower half.
func TestSwissFirstStage(t *testing.T) {
	t.Parallel()
	for bots := 2; bots <= 36; bots++ {
		half := bots / 2
		want := make([][2]int, half)
		for i := range want {
			want[i] = [2]int{i, i + half}
		}
		got, bye := swissStage(make([]swissBot, bots))
		if bots%2 == 1 && bye != bots-1 || bots%2 == 0 && bye != -1 {
			t.Errorf("%d bots: bye %d", bots, bye)
		}
		equal(t, fmt.Sprintf("%d bots", bots), want, got)
	}
}

// stageOf is a stage with its bye. As in the rules, bots count from 1; bye 0 is none.
type stageOf struct {
	Pairings [][2]int
	Bye      int
}

// TestSwissByHand has tournaments worked out by hand. The bot with the lower number wins both matches.
func TestSwissByHand(t *testing.T) {
	t.Parallel()
	tests := map[int][]stageOf{
		// Score groups after stage 1: 1-4, 5-8; after stage 2: 1 2, 3-6, 7 8.
		8: {
			{[][2]int{{1, 5}, {2, 6}, {3, 7}, {4, 8}}, 0},
			{[][2]int{{1, 3}, {2, 4}, {5, 7}, {6, 8}}, 0},
			{[][2]int{{1, 2}, {3, 5}, {4, 6}, {7, 8}}, 0},
		},
		// After stage 1: 1 2 5 (bye) have 2, 3 4 have 0. The bye goes to 4; 1 meets
		// 2 and 5 floats to 3. Then 1 has 4 and all others 2. 5 and 4 have had byes,
		// so it goes to 3; 1 floats, has met 2, meets 4.
		5: {
			{[][2]int{{1, 3}, {2, 4}}, 5},
			{[][2]int{{1, 2}, {5, 3}}, 4},
			{[][2]int{{1, 4}, {2, 5}}, 3},
		},
	}
	for bots, want := range tests {
		s := &swissPlay{bots: make([]swissBot, bots), stages: len(want)}
		var got []stageOf
		for range want {
			pairings, bye, err := s.stage(higherWins)
			must(t, err)
			got = append(got, fromOne(pairings, bye))
		}
		equal(t, fmt.Sprintf("%d bots", bots), want, got)
	}
}

// fromOne returns a stage in which bots count from 1.
func fromOne(pairings [][2]int, bye int) stageOf {
	s := stageOf{Bye: bye + 1}
	for _, p := range pairings {
		s.Pairings = append(s.Pairings, [2]int{p[0] + 1, p[1] + 1})
	}
	return s
}

// standing returns bots with points and with the opponents that they met; these count from 1.
func standing(points []float64, met ...[2]int) []swissBot {
	bots := make([]swissBot, len(points))
	for i, p := range points {
		bots[i].points = p
	}
	for _, p := range met {
		a, b := p[0]-1, p[1]-1
		bots[a].met = append(bots[a].met, b)
		bots[b].met = append(bots[b].met, a)
	}
	return bots
}

func TestSwissStage(t *testing.T) {
	t.Parallel()
	withBye := func(bots []swissBot, had ...int) []swissBot {
		for _, b := range had {
			bots[b-1].byes = 1
		}
		return bots
	}
	level := func(n int) []float64 { return make([]float64, n) }
	tests := map[string]struct {
		bots []swissBot
		want stageOf
	}{
		// 4 5 6: 1-4 has been played, 4 6 5 leaves it; 5 4 6 has 3-6; 5 6 4 is free.
		"transposition": {
			standing(level(6), [2]int{1, 4}, [2]int{2, 5}, [2]int{3, 6}),
			stageOf{[][2]int{{1, 5}, {2, 6}, {3, 4}}, 0},
		},
		// 1 has met all of the lower half: 3 changes with 4, which leaves 1 2 4
		// against 3 5 6, and 1-3 is the first.
		"exchange": {
			standing(level(6), [2]int{1, 4}, [2]int{1, 5}, [2]int{1, 6}),
			stageOf{[][2]int{{1, 3}, {2, 5}, {4, 6}}, 0},
		},
		// 1 and 2 have met. Nobody but 3 and 4 is there for them.
		"both float": {
			standing([]float64{4, 4, 2, 2, 0, 0}, [2]int{1, 2}),
			stageOf{[][2]int{{1, 3}, {2, 4}, {5, 6}}, 0},
		},
		// 5 and 6 have met too: each needs somebody from above. 1 stays in the
		// second bracket, 2 floats once more.
		"floats for those below": {
			standing([]float64{4, 4, 2, 2, 0, 0}, [2]int{1, 2}, [2]int{3, 4}, [2]int{5, 6}),
			stageOf{[][2]int{{1, 3}, {2, 5}, {4, 6}}, 0},
		},
		// 5 and 6 have met and each need somebody from above, but the bye goes to the last.
		"the last has the bye": {
			standing([]float64{2, 2, 2, 2, 0, 0, 0}, [2]int{5, 6}),
			stageOf{[][2]int{{1, 3}, {2, 5}, {4, 6}}, 7},
		},
		// Three with 4 points: 3 would float, but has met both below; so 2 does.
		"the last cannot float": {
			standing([]float64{4, 4, 4, 2, 2, 2}, [2]int{3, 4}, [2]int{3, 5}, [2]int{3, 6}),
			stageOf{[][2]int{{1, 3}, {2, 4}, {5, 6}}, 0},
		},
		// Of three floaters one can meet 4, who has the highest score goes first;
		// it has met 4, so does the next.
		"by score": {
			standing([]float64{6, 4, 2, 0}, [2]int{1, 2}, [2]int{1, 4}, [2]int{2, 3}),
			stageOf{[][2]int{{1, 3}, {2, 4}}, 0},
		},
		// 5 has had the bye; 4 would leave 2 and 3, who have met, 1 and 5, too.
		"bye to the lowest that lets others play": {
			withBye(standing([]float64{4, 2, 2, 2, 0}, [2]int{1, 5}, [2]int{2, 5}, [2]int{3, 5}), 5),
			stageOf{[][2]int{{1, 2}, {4, 5}}, 3},
		},
		// 1 has met all others: it meets the one that leaves 2, 3 and 4 a pairing.
		"repeats if it must": {
			standing(level(4), [2]int{1, 2}, [2]int{1, 3}, [2]int{1, 4}, [2]int{2, 4}),
			stageOf{[][2]int{{1, 4}, {2, 3}}, 0},
		},
	}
	for name, test := range tests {
		equal(t, name, test.want, fromOne(swissStage(test.bots)))
	}
}
