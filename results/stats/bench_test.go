package stats

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// season is a number of games in pairs, between all players in turn. The players are 20 Elo apart, and moving
// first is worth 30 Elo.
func season(random *rand.Rand, players, games int) []Game {
	all := make([]Game, 0, games)
	for a, b := 0, 0; len(all) < games; {
		if b++; b >= players {
			a = (a + 1) % (players - 1)
			b = a + 1
		}
		for _, seats := range [][2]int{{a, b}, {b, a}} {
			all = append(all, Game{seats[0], seats[1], draw(random, float64(20*(seats[0]-seats[1])+30), 0.2), len(all) / 2})
		}
	}
	return all
}

// draw returns a random score between players who are elo apart. It is a draw with the given probability, if
// the expected score allows it.
func draw(random *rand.Rand, elo, draws float64) float64 {
	win := Score(elo)
	half := min(draws, 2*win, 2*(1-win)) / 2
	switch x := random.Float64(); {
	case x < win-half:
		return 1
	case x < win+half:
		return 0.5
	default:
		return 0
	}
}

func BenchmarkRate(b *testing.B) {
	for _, size := range []struct{ players, games int }{{20, 10_000}, {200, 100_000}, {200, 1_000_000}} {
		games := season(rand.New(rand.NewPCG(1, 2)), size.players, size.games)
		b.Run(fmt.Sprintf("players=%d/games=%d", size.players, size.games), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := Rate(games, size.players, Anchor{Player: -1}, 0)
				must(b, err)
			}
		})
	}
}

func BenchmarkPairs(b *testing.B) {
	for _, model := range Models() {
		test := Test{0, 30, 0.05, 0.05, model}
		b.Run(string(model), func(b *testing.B) {
			for b.Loop() {
				test.Pairs(Pentanomial{34, 54, 63, 64, 75})
			}
		})
	}
}

func BenchmarkFigures(b *testing.B) {
	for b.Loop() {
		Pentanomial{34, 54, 63, 64, 75}.Figures()
	}
}
