package stats

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rows reads games between players with names of one letter: "ab1" means that a moved first against b and won,
// 0 means lost and = drawn. The games in "ab1,ba0" are a pair.
func rows(t testing.TB, text string) (games []Game) {
	t.Helper()
	for unit, word := range strings.Fields(text) {
		for game := range strings.SplitSeq(word, ",") {
			score := map[byte]float64{'1': 1, '0': 0, '=': 0.5}[game[2]]
			games = append(games, Game{int(game[0] - 'a'), int(game[1] - 'a'), score, unit})
		}
	}
	return games
}

// The criterion decides: a and b win when they move first, so a greater advantage never hurts, and so on.
func TestFirstMoverIsTold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, games string
		told        bool
		elo         float64
	}{
		{"one win and one loss of each seat", "ab1 ab0 ba1 ba0", true, 0},
		{"first wins three of four", "ab1 ab1 ab1 ab0 ba1 ba1 ba1 ba0", true, 400 * math.Log10(3)},
		{"first wins always", "ab1,ba1 ab1,ba1", false, 0},
		{"second wins always", "ab0,ba0 ab0,ba0", false, 0},
		{"a wins as first and half as second", "ab1 ab1 ba1 ba0", false, 0},
		{"a moves first always", "ab1 ab0", false, 0},
		{"all drawn", "ab= ba=", true, 0},
		{"a circle, all won by the first", "ab1 bc1 ca1", false, 0},
		{"a circle each way", "ab1 bc1 ca1 ba0 cb0 ac0", true, 0},
		{"told by the second group alone", "ab1 ba1 cd1 cd0 dc1 dc0", true, -1},
	} {
		field := must2(Rate(rows(t, test.games), 4, Anchor{Player: -1}, 0))
		got := field.FirstMover
		if got.Fitted != test.told {
			t.Errorf("%s: told: %v", test.name, got.Fitted)
		}
		if test.elo >= 0 && !near(got.Elo, test.elo, 0, 1e-7) {
			t.Errorf("%s: %v Elo, not %v", test.name, got.Elo, test.elo)
		}
		for _, r := range field.Players[:2] {
			if r.Rating == nil {
				t.Errorf("%s: no rating: %+v", test.name, r)
			}
		}
	}
}

// Two players who are a group have the interval of their match, for every result.
func TestDuelsAgreeWithMatches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		games string
		match Direct
	}{
		{"ab1,ba1 ab1,ba1 ab1,ba1", Direct{Pairs: Pentanomial{0, 0, 3}}},
		{"ab=,ba=", Direct{Pairs: Pentanomial{0, 0, 1}}},
		{"ab1,ba0 ab1,ba0 ab=,ba1 ab1,ba=", Direct{Pairs: Pentanomial{0, 1, 0, 1, 2}}},
		{"ab1 ab0 ab1", Direct{Singles: Trinomial{2, 0, 1}}},
		{"ab1 ba0 ab= ba1 ba0 ab0 ba1 ab1 ba0 ab=", Direct{Singles: Trinomial{5, 2, 3}}},
	} {
		games := rows(t, test.games)
		if diff := cmp.Diff(map[[2]int]Direct{{0, 1}: test.match}, DirectResults(games)); diff != "" {
			t.Fatalf("%s: %s", test.games, diff)
		}
		figures, _ := test.match.Figures()
		field := must2(Rate(games, 2, Anchor{Player: -1}, 0))
		if w := field.FirstMover.Elo; math.Abs(w) > 1e-9 {
			continue // then the model's difference is not that of the match
		}
		want := Difference{figures.Elo, nil, figures.EloLow, figures.EloHigh, figures.Superiority}
		got := field.Difference(0, 1)
		want.Error = number((*want.High - *want.Low) / 2)
		equal(t, test.games, want, got, approximately)
		equal(t, test.games+", from the other side", got.swap(), field.Difference(1, 0), approximately)
		half := Rating{Group: 1, Games: len(games), Rating: number(*want.Elo / 2), Error: number(*want.Error / 2), Low: number(*want.Low / 2), High: number(*want.High / 2)}
		equal(t, test.games, half, field.Players[0], approximately)
		anchored := must2(Rate(games, 2, Anchor{Player: 1, At: 1000}, 0))
		if r := anchored.Players[0]; !near(*r.Low, 1000+*want.Low, 1e-9, 0) || !near(*r.High, 1000+*want.High, 1e-9, 0) {
			t.Errorf("%s, anchored: %v to %v", test.games, *r.Low, *r.High)
		}
	}
	// With an advantage of moving first, the ends are where the model expects the ends of the score interval.
	field := must2(Rate(rows(t, "ab1,ba0 ab1,ba1 ab1,ba= ab=,ba1 ab0,ba1"), 2, Anchor{Player: -1}, 0))
	w, d := field.FirstMover.Elo, field.Difference(0, 1)
	figures := Pentanomial{1, 1, 1, 1, 1}.Figures()
	for elo, score := range map[*float64]*float64{d.Low: figures.ScoreLow, d.High: figures.ScoreHigh} {
		if got := (Score(*elo+w) + Score(*elo-w)) / 2; w < 50 || !near(got, *score, 0, 1e-9) {
			t.Errorf("%v Elo, with %v for moving first, is a score of %v, not %v", *elo, w, got, *score)
		}
	}
}

// A player whose own pairs are all alike has the error of the pooled scatter. It is unknown only if there are no
// more units than parameters, or if all results are exactly as expected.
func TestErrorsFromPooledScatter(t *testing.T) {
	t.Parallel()
	const others = "ab1,ba0 ab=,ba1 ab0,ba1 ab1,ba1 ac1,ca1 ac0,ca0 ac=,ca= ac1,ca0 "
	for _, test := range []struct {
		games string
		known bool
	}{
		{others + "ad1,da1 ad1,da1 ad1,da1", true},
		{others + "ad=,da0 ad=,da0 ad=,da0", true},
		{"ab1,ba0 bc1,cb0 cd1,dc0 da1,ad=", false},
		{"ab=,ba= bc=,cb= cd=,dc= da=,ad= ab=,ba= cd=,dc= ac=,ca=", false},
	} {
		for _, anchor := range []int{-1, 0} {
			field := must2(Rate(rows(t, test.games), 4, Anchor{Player: anchor}, 0))
			if d := field.Players[3]; d.Rating == nil || (d.Error != nil) != test.known || (d.Low != nil) != test.known {
				t.Errorf("%s, anchor %d: %s", test.games, anchor, cmp.Diff(Rating{}, d))
			}
		}
	}
}

// With a prior, everybody who is connected has a rating. Two players with n pairs, all won by the first, and p draws:
// the score is (2n + p/2)/(2n + p). Errors are those of the model: with I = (2n + p) s(1-s), half of the interval is
// z/√I. In a round robin each two players have the prior of the whole.
func TestPrior(t *testing.T) {
	t.Parallel()
	for _, prior := range []float64{0.5, 2, 10} {
		field := must2(Rate(rows(t, "ab1,ba0 ab1,ba0 ab1,ba0"), 3, Anchor{Player: -1}, prior))
		score := (6 + prior/2) / (6 + prior)
		d := field.Difference(0, 1)
		if want := *Elo(score); field.Groups != 1 || !near(show(d.Elo), want, 1e-9, 0) {
			t.Errorf("%v virtual draws: %v, not %v", prior, show(d.Elo), want)
		}
		if want := Z95 / math.Sqrt((6+prior)*score*(1-score)) / logit; !near(show(d.Error), want, 1e-9, 0) {
			t.Errorf("%v virtual draws: an error of %v, not %v", prior, show(d.Error), want)
		}
		if got := field.Players[0]; !near(show(got.Error), *d.Error/2, 1e-9, 0) || got.Games != 6 {
			t.Errorf("%v virtual draws: %s", prior, cmp.Diff(Rating{}, got))
		}
		if field.Players[2].Rating != nil {
			t.Errorf("a player without a game has %v", *field.Players[2].Rating)
		}
	}
	sweep := must2(Rate(rows(t, "ab1,ba0 ac1,ca0 bc1,cb0"), 3, Anchor{Player: 1, At: 1500}, 2))
	if a, b, c := *sweep.Players[0].Rating, *sweep.Players[1].Rating, *sweep.Players[2].Rating; !near(a-b, b-c, 1e-9, 0) || a <= b || b != 1500 {
		t.Errorf("ratings of a clean sweep: %v, %v, %v", a, b, c)
	}
	for _, prior := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := Rate(nil, 2, Anchor{Player: -1}, prior); err == nil {
			t.Errorf("a prior of %v is taken", prior)
		}
	}
}

// The bound of n wins against an opponent at 0 solves E(x)^n = 0.05: E(x) = 0.05 for one win, which is
// -511.5 Elo, and 0.05^(1/2) for two units.
func TestBounds(t *testing.T) {
	t.Parallel()
	const even = " ab1 ab0 ba1 ba0 "
	one, two := 400*math.Log10(0.05/0.95), 400*math.Log10(math.Sqrt(0.05)/(1-math.Sqrt(0.05)))
	for _, test := range []struct {
		name, games string
		want        [2]Rating // of c and d
	}{
		{"one win", "ca1" + even, [2]Rating{{Group: 1, Games: 1, Low: &one}}},
		{"a pair is one unit", "ca1,ac0" + even, [2]Rating{{Group: 1, Games: 2, Low: &one}}},
		{"two wins", "ca1 bc0" + even, [2]Rating{{Group: 1, Games: 2, Low: &two}}},
		{"two losses", "ca0 bc1" + even, [2]Rating{{Group: 1, Games: 2, High: number(-two)}}},
		{"a cascade", "ca1 dc1" + even, [2]Rating{{Group: 1, Games: 1, Low: &one}, {}}},
		{"best and worst", "ca1 da0 cd1" + even, [2]Rating{{Group: 1, Games: 1, Low: &one}, {Group: 1, Games: 1, High: number(-one)}}},
		{"nobody met a group", "cd1", [2]Rating{}},
		{"no game", even, [2]Rating{}},
	} {
		field := must2(Rate(rows(t, test.games), 4, Anchor{Player: -1}, 0))
		got := [2]Rating{field.Players[2], field.Players[3]}
		equal(t, test.name, test.want, got, approximately)
	}
	// First movers win three of four, an advantage of 190.8 Elo: who wins as first has proved less by it, as second more.
	const unfair = " ab1 ab1 ab1 ab0 ba1 ba1 ba1 ba0"
	w := 400 * math.Log10(3)
	for text, want := range map[string]Rating{
		"ca1": {Low: number(one - w)}, "ac0": {Low: number(one + w)}, "ca1,ac0": {Low: number(one + w)},
		"ca0": {High: number(-one - w)}, "ac1": {High: number(-one + w)}, "ca0,ac1": {High: number(-one - w)},
	} {
		field := must2(Rate(rows(t, text+unfair), 3, Anchor{Player: -1}, 0))
		want.Group, want.Games = 1, strings.Count(text, ",")+1
		equal(t, text, want, field.Players[2], approximately)
	}
}

// An anchor without a rating fixes nothing. An anchor in a group fixes that group alone.
func TestAnchor(t *testing.T) {
	t.Parallel()
	const games = "ab1 ab1 ab0 ba1 ba0 cd1 cd0 dc1 dc0 dc0 ea1"
	for _, test := range []struct {
		anchor   int
		anchored bool
		sums     [2]float64 // of both groups, each of two players
	}{
		{-1, false, [2]float64{3000, 3000}},
		{4, false, [2]float64{3000, 3000}},
		{2, true, [2]float64{3000, -1}},
		{0, true, [2]float64{-1, 3000}},
	} {
		field := must2(Rate(rows(t, games), 5, Anchor{test.anchor, 1500}, 0))
		if test.anchored && *field.Players[test.anchor].Rating != 1500 {
			t.Errorf("the anchor has %v", *field.Players[test.anchor].Rating)
		}
		for group, want := range test.sums {
			sum := *field.Players[2*group].Rating + *field.Players[2*group+1].Rating
			if want >= 0 && !near(sum, want, 0, 1e-9) || want < 0 && near(sum, 3000, 0, 1) {
				t.Errorf("anchored on %d: group %d has a sum of %v", test.anchor, group+1, sum)
			}
		}
	}
}

// Very uneven results also have a closed form: w wins and l losses are 400 log10(w/l) Elo.
func TestUnevenFields(t *testing.T) {
	t.Parallel()
	var games []Game
	const n = 100_000
	for i := range 2 * n {
		games = append(games, Game{i % 2, 1 - i%2, float64((i + 1) % 2), i}) // the first player wins all
	}
	games[0].Score, games[1].Score = 0, 1 // but one with each seat
	field, err := Rate(games, 2, Anchor{Player: -1}, 0)
	must(t, err)
	elo, half := difference(field, 0, 1)
	if want := 400 * math.Log10(n-1); !near(show(elo), want, 1e-7, 0) || !near(field.FirstMover.Elo, 0, 0, 1e-4) {
		t.Errorf("%v, not %v; the advantage of moving first is %v", show(elo), want, field.FirstMover)
	}
	// The score interval of k losses among very many games ends at k + z²/2 ± z√(k + z²/4) losses.
	reach := Z95 * math.Sqrt(2+Z95*Z95/4)
	if want := math.Log((2+Z95*Z95/2+reach)/(2+Z95*Z95/2-reach)) / 2 / logit; !near(show(half), want, 0.001, 0) {
		t.Errorf("an error of %v, not %v", show(half), want)
	}
	// A chain of 40 players, each of whom wins 99 of 100 against the next, is 39 times 400 log10(99) long.
	games = nil
	for player := range 39 {
		for i := range 200 {
			g := Game{player, player + 1, 1, len(games)}
			if i%100 == 0 {
				g.Score = 0
			}
			if i >= 100 {
				g = Game{g.Second, g.First, 1 - g.Score, g.Unit}
			}
			games = append(games, g)
		}
	}
	field, err = Rate(games, 40, Anchor{Player: -1}, 0)
	must(t, err)
	elo, _ = difference(field, 0, 39)
	if want := 39 * 400 * math.Log10(99); !near(show(elo), want, 1e-9, 0) {
		t.Errorf("the chain is %v long, not %v", show(elo), want)
	}
}

var approximately = cmp.Comparer(func(a, b float64) bool { return near(a, b, 1e-9, 1e-7) })

func TestRateRefuses(t *testing.T) {
	t.Parallel()
	for _, at := range []float64{math.Inf(1), math.NaN()} {
		if _, err := Rate(nil, 3, Anchor{Player: -1, At: at}, 0); err == nil {
			t.Errorf("an anchor at %v is taken", at)
		}
	}
}
