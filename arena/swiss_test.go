package arena

import (
	"math/rand/v2"
	"testing"
	"time"
)

func playSwiss(t *testing.T, n, stages int, result func(a, b int) float64) {
	bots := make([]swissBot, n)
	for stage := range stages {
		pairs, bye := swissStage(bots, stages-stage)
		seen := map[int]bool{}
		if bye >= 0 {
			seen[bye] = true
			if bots[bye].bye {
				t.Fatal("second bye")
			}
			bots[bye].bye = true
			bots[bye].points += 2
		}
		for _, p := range pairs {
			a, b := p[0], p[1]
			for _, c := range bots[a].met {
				if c == b {
					t.Fatal("met")
				}
			}
			seen[a], seen[b] = true, true
			bots[a].met = append(bots[a].met, b)
			bots[b].met = append(bots[b].met, a)
			r := result(a, b)
			bots[a].points += r
			bots[b].points += 2 - r
		}
		if len(seen) != n {
			t.Fatalf("n %d stages %d stage %d: %d bots", n, stages, stage+1, len(seen))
		}
	}
}

func TestSwissLaw(t *testing.T) {
	for n := 2; n <= 16; n++ {
		start := time.Now()
		for stages := 1; stages < n; stages++ {
			playSwiss(t, n, stages, func(a, b int) float64 {
				if a < b {
					return 2
				}
				return 0
			})
			playSwiss(t, n, stages, func(a, b int) float64 { return 1 })
			for seed := range 4 {
				rng := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
				playSwiss(t, n, stages, func(a, b int) float64 { return float64(rng.IntN(5)) / 2 })
			}
		}
		t.Log(n, time.Since(start))
	}
}
