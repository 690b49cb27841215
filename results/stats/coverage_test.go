package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// In simulated fields, 95% of the 95% intervals contain the true value: those of ratings with the mean or an
// anchor as fixed, of differences, and of the advantage of moving first.
func TestCoverage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		unfair float64 // standard deviation of the openings, Elo
		size   int     // of a unit
	}{
		{"pairs from unfair openings", 150, 2},
		{"games alone", 0, 1},
	} {
		random := rand.New(rand.NewPCG(5, 1))
		intervals := map[string]*intervals{"mean": {}, "anchor": {}, "difference": {}, "advantage": {}}
		for range 300 {
			count(t, intervals, unfairField(random, test.unfair, test.size), flattened(test.unfair))
		}
		for name, n := range intervals {
			share := 100 * float64(n.hit) / float64(n.all)
			if n.all < 300 || share < 92 || share > 98 {
				t.Errorf("%s: %.1f %% of %d intervals of the %s hold the truth", test.name, share, n.all, name)
			}
		}
	}
}

// If openings are unfair, the two games of a pair balance each other. So a pair shows more of strength than two
// games do, and less of the advantage of moving first.
func TestPairsTellMoreOfStrength(t *testing.T) {
	t.Parallel()
	pairs := unfairField(rand.New(rand.NewPCG(5, 1)), 300, 2)
	torn := slices.Clone(pairs)
	for i := range torn {
		torn[i].Unit = i
	}
	paired := must2(Rate(pairs, 5, Anchor{Player: -1}, 0))
	alone := must2(Rate(torn, 5, Anchor{Player: -1}, 0))
	for i := range paired.Players {
		if a, b := *paired.Players[i].Error, *alone.Players[i].Error; a > 0.95*b {
			t.Errorf("player %d: an error of %v by pairs and of %v by games", i, a, b)
		}
	}
	if a, b := *paired.FirstMover.Error, *alone.FirstMover.Error; a < 1.05*b {
		t.Errorf("moving first: an error of %v by pairs and of %v by games", a, b)
	}
}

type intervals struct{ hit, all int }

func (n *intervals) add(got, err *float64, want float64) {
	if err == nil {
		return
	}
	n.all++
	if math.Abs(*got-want) <= *err {
		n.hit++
	}
}

const trueAdvantage = 40

// The true values of the fields, in Elo.
func trueElo() []float64 { return []float64{150, 60, 0, -60, -150} }

// unfairField is a round robin of 40 openings, each played with both seats.
func unfairField(random *rand.Rand, unfair float64, size int) (games []Game) {
	truth := trueElo()
	for a := range truth {
		for b := range a {
			for range 40 {
				opening := random.NormFloat64()*unfair + trueAdvantage
				for _, seats := range [][2]int{{a, b}, {b, a}} {
					score := draw(random, truth[seats[0]]-truth[seats[1]]+opening, 0.2)
					games = append(games, Game{seats[0], seats[1], score, len(games) / size})
				}
			}
		}
	}
	return games
}

// count rates a field and counts the intervals with its true values, which unfair openings make flatter.
func count(t *testing.T, intervals map[string]*intervals, games []Game, flat float64) {
	t.Helper()
	truth := trueElo()
	field := must2(Rate(games, len(truth), Anchor{Player: -1}, 0))
	anchored := must2(Rate(games, len(truth), Anchor{Player: 0}, 0))
	for i := range truth {
		intervals["mean"].add(field.Players[i].Rating, field.Players[i].Error, truth[i]*flat)
		intervals["anchor"].add(anchored.Players[i].Rating, anchored.Players[i].Error, (truth[i]-truth[0])*flat)
	}
	elo, half := difference(field, 1, 3)
	intervals["difference"].add(elo, half, (truth[1]-truth[3])*flat)
	intervals["advantage"].add(&field.FirstMover.Elo, field.FirstMover.Error, trueAdvantage*flat)
}

// flattened returns the slope of the expected score at 1/2 when the difference has a normal error of deviation
// Elo, divided by the slope without this error: the mean of 4 f (1-f).
func flattened(deviation float64) float64 {
	const steps = 1000
	sum := 0.0
	for i := range steps {
		f := Score(deviation * -math.Sqrt2 * math.Erfcinv(2*(float64(i)+0.5)/steps)) // at quantiles of the normal distribution
		sum += 4 * f * (1 - f) / steps
	}
	return sum
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
