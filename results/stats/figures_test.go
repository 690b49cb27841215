package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// agrees compares a figure with a printed one; nil stands for the program's nan and inf.
func agrees(t *testing.T, name string, got *float64, printed string) {
	t.Helper()
	want, unknown := ratio(t, strings.Replace(printed, "-nan", "nan", 1))
	switch {
	case unknown && got != nil:
		t.Errorf("%s is %v where %s is printed", name, *got, printed)
	case !unknown && !near(show(got), want, 1e-10, 1e-9):
		t.Errorf("%s is %v, not %s", name, show(got), printed)
	}
}

// percent returns a "%" column as a share.
func percent(t *testing.T, text string) float64 {
	t.Helper()
	return decimal(t, strings.TrimSuffix(text, " %")) / 100
}

func agreeFigures(t *testing.T, f Figures, row map[string]string) {
	t.Helper()
	agrees(t, "score", f.Score, row["score"])
	agrees(t, "elo", f.Elo, row["elo"])
	agrees(t, "draw ratio", number(*f.DrawRatio*100), row["draw_ratio_pct"])
	if f.ScoreError == nil {
		// All units are alike: the program prints an interval without width, or nan.
		got := []*float64{f.EloError, f.NElo, f.NEloError}
		equal(t, "units that are all alike", make([]*float64, 3), got)
		agreeLOS(t, f, row["los"])
		return
	}
	agrees(t, "error", f.EloError, row["elo_err95"])
	agrees(t, "nelo", f.NElo, row["nelo"])
	agrees(t, "nelo's error", f.NEloError, row["nelo_err95"])
	agreeLOS(t, f, row["los"])
}

func agreeLOS(t *testing.T, f Figures, printed string) {
	t.Helper()
	switch {
	case strings.Contains(printed, "nan"):
		if f.LOS != nil {
			t.Errorf("los is %v, and nothing is known", *f.LOS)
		}
	case !near(show(f.LOS), percent(t, printed), 0, 0.00005+1e-12):
		t.Errorf("los is %v, not %s", show(f.LOS), printed)
	}
}

func TestFiguresOfGamesAgainstFastchess(t *testing.T) {
	t.Parallel()
	rows := readTable(t, "testdata/fastchess/elo-tri.csv")
	for _, row := range rows {
		games := Trinomial{whole(t, row["wins"]), whole(t, row["draws"]), whole(t, row["losses"])}
		agreeFigures(t, games.Figures(), row)
	}
	if len(rows) != 7 {
		t.Errorf("%d rows, not 7", len(rows))
	}
}

func TestFiguresOfPairsAgainstFastchess(t *testing.T) {
	t.Parallel()
	rows := readTable(t, "testdata/fastchess/elo-penta.csv")
	for _, row := range rows {
		f := pairsOf(t, row).Figures()
		agreeFigures(t, f, row)
		lost := whole(t, row["LL"]) + whole(t, row["LD"])
		if lost == 0 && f.PairsRatio != nil {
			t.Errorf("a pairs ratio of %v without a pair lost", *f.PairsRatio)
		}
		if lost > 0 {
			agrees(t, "pairs ratio", f.PairsRatio, row["pairs_ratio"])
		}
	}
	if len(rows) != 7 {
		t.Errorf("%d rows, not 7", len(rows))
	}
}

// pairsOf reads the six classes of the program, which counts one won and one lost apart from both drawn.
func pairsOf(t *testing.T, row map[string]string) Pentanomial {
	t.Helper()
	return Pentanomial{
		whole(t, row["LL"]), whole(t, row["LD"]), whole(t, row["WL"]) + whole(t, row["DD"]),
		whole(t, row["WD"]), whole(t, row["WW"]),
	}
}

// Values that are exact, or that can be computed by hand. All n units won: the mean is 1 and the dispersion that of
// the model, so the lower end is 1/(1 + t²/2n) for pairs and 1/(1 + t²/n) for games. 2.178813 is the quantile of the
// t distribution with 12 degrees of freedom in any handbook. A posterior with wins alone has the odds of
// I(1/2; 10.5, 0.5), computed with mpmath.
func TestFiguresAtTheEdge(t *testing.T) {
	t.Parallel()
	elo := func(x float64) *float64 { return &x }
	half, one, zero, quarter := elo(0.5), elo(1), elo(0), elo(0.25)
	const square = 2.178812829667228 * 2.178812829667228
	games, pairs := 1/(1+square/10), 1/(1+square/20)
	for _, test := range []struct {
		name string
		got  Figures
		want Figures
	}{
		{"nothing", Trinomial{}.Figures(), Figures{}},
		{"no pair", Pentanomial{}.Figures(), Figures{}},
		{
			"ten wins", Trinomial{10, 0, 0}.Figures(),
			Figures{
				Games: 10, Units: 10, Score: one, ScoreLow: &games, ScoreHigh: one, EloLow: Elo(games),
				LOS: elo(2047.0 / 2048), Superiority: elo(0.9998385398711228), DrawRatio: zero,
			},
		},
		{
			"ten pairs lost", Pentanomial{10}.Figures(),
			Figures{
				Games: 20, Units: 10, Score: zero, ScoreLow: zero, ScoreHigh: elo(1 - pairs), EloHigh: Elo(1 - pairs),
				LOS: elo(1.0 / 2048), Superiority: elo(0.00012669446405964014), DrawRatio: zero, PairsRatio: zero,
			},
		},
		{
			"all pairs split", Pentanomial{0, 0, 30}.Figures(),
			Figures{
				Games: 60, Units: 30, Score: half, ScoreLow: elo(0.46048026458364144), ScoreHigh: elo(0.5395197354163586),
				Elo: zero, EloLow: elo(-27.518525533509955), EloHigh: elo(27.518525533509955),
				Superiority: half, DrawRatio: one,
			},
		},
	} {
		equal(t, test.name, test.want, test.got, cmpopts.EquateApprox(1e-9, 1e-9))
	}
	lost := Pentanomial{0, 4}.Figures()
	equal(t, "all pairs lost by half",
		[]*float64{quarter, nil, nil}, []*float64{lost.Score, lost.ScoreError, lost.NElo})
	if !(*lost.EloLow < *lost.Elo && *lost.Elo < *lost.EloHigh && *lost.EloHigh > 0 && *lost.Superiority < 0.05) {
		t.Errorf("all pairs lost by half: %s", cmp.Diff(Figures{}, lost))
	}
}

// With a mean of 1/2, 2 pairs won and 2 lost, the formula gives ρ = (4·1 + 3/2)/7, q = t²(6) ρ/4 with t = 2.446912,
// and ends of ½ ± √(q/4 + q²/4)/(1 + q). Normalized Elo has the margin of fastchess at 0, and a wider one elsewhere.
func TestIntervalsByHand(t *testing.T) {
	t.Parallel()
	even := Pentanomial{2, 0, 0, 0, 2}.Figures()
	q := 2.4469118511449692 * 2.4469118511449692 * 5.5 / 7 / 4
	if want := 0.5 - math.Sqrt(q/4+q*q/4)/(1+q); !near(*even.ScoreLow, want, 1e-12, 0) || !near(*even.ScoreHigh, 1-want, 1e-12, 0) {
		t.Errorf("%v to %v, not %v to %v", *even.ScoreLow, *even.ScoreHigh, want, 1-want)
	}
	if !near(*even.NEloHigh, *even.NEloError, 1e-12, 0) {
		t.Errorf("nElo is up to %v, not %v", *even.NEloHigh, *even.NEloError)
	}
	// Half a deviation of a pair above 1/2: √(1 + 1/8) times wider. The mean of 3, 0, 0, 0, 5 is 5/8.
	ahead := Pentanomial{3, 0, 0, 0, 5}.Figures()
	effect := 0.125 / math.Sqrt(15.0/64)
	want := *ahead.NEloError * math.Sqrt(1+effect*effect/2)
	if got := (*ahead.NEloHigh - *ahead.NEloLow) / 2; !near(got, want, 1e-12, 0) {
		t.Errorf("nElo ± %v, not %v", got, want)
	}
}

// everyMatch calls found with each result of n more pairs, of the given class or a better one.
func everyMatch(n, class int, p Pentanomial, found func(Pentanomial)) {
	if class == 4 {
		p[4] = n
		found(p)
		return
	}
	for p[class] = range n + 1 {
		everyMatch(n-p[class], class+1, p, found)
	}
}

func TestScoreAgainstFastchess(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, row := range readTable(t, "testdata/fastchess/elo-to-score.csv") {
		if row["function"] != "logistic" {
			continue
		}
		seen++
		elo, score := decimal(t, row["elo"]), decimal(t, row["score"])
		if got := Score(elo); !near(got, score, 0, 1e-15) {
			t.Errorf("the score of %v Elo is %v, not %v", elo, got, score)
		}
		if got := Elo(score); !near(show(got), elo, 0, 1e-10) {
			t.Errorf("%v is %v Elo, not %v", score, show(got), elo)
		}
	}
	if seen != 8 {
		t.Errorf("%d rows, not 8", seen)
	}
	for _, score := range []float64{0, 1, -0.1, 1.1, math.NaN()} {
		if got := Elo(score); got != nil {
			t.Errorf("a score of %v is %v Elo", score, *got)
		}
	}
}

// Any handbook has these values: 97.5% below 1.96, 95% below 1.6449, half below 0.
func TestNormal(t *testing.T) {
	t.Parallel()
	for x, p := range map[float64]float64{0: 0.5, Z95: 0.975, -1.6448536269514722: 0.05, 1: 0.8413447460685429} {
		if got := NormalCDF(x); !near(got, p, 0, 1e-15) {
			t.Errorf("%v of the distribution lie below %v, not %v", got, x, p)
		}
	}
}

// With games, only wins and losses matter, and the answer is the regularised incomplete beta function.
func TestSuperiorityOfGames(t *testing.T) {
	t.Parallel()
	for _, games := range []Trinomial{
		{}, {Draws: 5}, {Wins: 1}, {1, 0, 1}, {7, 2, 1}, {0, 0, 30}, {76, 123, 89}, {5100, 0, 4900}, {400_000, 1, 401_000},
	} {
		want := 1 - mathext.RegIncBeta(float64(games.Wins)+0.5, float64(games.Losses)+0.5, 0.5)
		if got := games.sample().superiority(); !near(got, want, 0, 1e-9) {
			t.Errorf("%v: %v, not %v", games, got, want)
		}
	}
}

// With pairs, the posterior can be drawn from: 100000 draws, with five standard errors of tolerance.
func TestSuperiorityOfPairs(t *testing.T) {
	t.Parallel()
	for _, pairs := range []Pentanomial{
		{}, {0, 1}, {0, 0, 0, 1, 3}, {1, 0, 0, 3, 0}, {2, 5, 9, 6, 3}, {34, 54, 63, 64, 75}, {10, 0, 0, 20, 0}, {100, 900, 0, 1, 500},
	} {
		var gammas [5]distuv.Gamma
		s := pairs.sample()
		for i := range gammas {
			gammas[i] = distuv.Gamma{Alpha: s.counts[i] + s.prior[i], Beta: 1, Src: rand.NewPCG(1, uint64(i))}
		}
		const draws = 100_000
		above := 0
		for range draws {
			sum := 0.0
			for i := range gammas {
				sum += (s.values[i] - 0.5) * gammas[i].Rand()
			}
			if sum > 0 {
				above++
			}
		}
		want := float64(above) / draws
		got := s.superiority()
		if !near(got, want, 0, 5*math.Sqrt(max(got*(1-got), 1e-6)/draws)) {
			t.Errorf("%v: %v, and %v of the draws", pairs, got, want)
		}
	}
}

// A pair that ends better makes the player more likely to be the stronger one, and a level pair changes nothing.
// Both views of a match agree. This holds for all matches of up to five pairs, and for a long one.
func TestSuperiorityIsMonotone(t *testing.T) {
	t.Parallel()
	matches := []Pentanomial{{34, 54, 63, 64, 75}, {0, 0, 0, 0, 200}, {900, 5, 0, 0, 1000}}
	for n := range 6 {
		everyMatch(n, 0, Pentanomial{}, func(p Pentanomial) { matches = append(matches, p) })
	}
	for _, match := range matches {
		own := match.sample().superiority()
		if turned := match.Swap().sample().superiority(); !near(own, 1-turned, 0, 1e-9) {
			t.Errorf("%v: %v, and from the other side %v", match, own, turned)
		}
		level := match
		level[2]++
		if got := level.sample().superiority(); got != own {
			t.Errorf("%v: %v, and with one more level pair %v", match, own, got)
		}
		for class, count := range match[:4] {
			if count == 0 {
				continue
			}
			better := match
			better[class]--
			better[class+1]++
			if got := better.sample().superiority(); got < own || got == own && own < 1-1e-9 {
				t.Errorf("%v: %v, but %v: %v", match, own, better, got)
			}
		}
	}
}
