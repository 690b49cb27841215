package stats

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readOrdo reads the games of a case, each as a unit, and its players in order of appearance.
func readOrdo(t *testing.T, name string) (games []Game, players []string) {
	t.Helper()
	player := func(name string) int {
		if !slices.Contains(players, name) {
			players = append(players, name)
		}
		return slices.Index(players, name)
	}
	scores := map[string]float64{"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}
	for i, row := range readTable(t, filepath.Join("testdata/ordo", name, "games.csv")) {
		score, ok := scores[row["result"]]
		if !ok {
			t.Fatalf("%s: a result of %q", name, row["result"])
		}
		games = append(games, Game{player(row["white"]), player(row["black"]), score, i})
	}
	return games, players
}

// All that does not come from a simulation agrees to the printed digits. For perfect scores, Ordo has ratings
// by rules of its own, from the draws; here they have bounds.
//
// When Ordo fits the advantage of moving first, it ends its search a little early. The test finds the end
// of that search from a rating. It is within 0.03 Elo of the maximum, and explains all other digits.
func TestRateAgainstOrdo(t *testing.T) {
	t.Parallel()
	zero, thirtyFive := 0.0, 35.0
	ended := map[string]float64{"tri60": 96.9955, "two-4to1": 0, "perfect": 139.17555}
	for _, test := range []struct {
		tag   string
		given *float64 // nil: fitted
	}{
		{"avg0-elo", &zero},
		{"avg0-elo-w35", &thirtyFive},
		{"avg0-elo-W", nil},
		{"avg0-elo-WD", nil},
		{"anchor-elo-WD", nil},
	} {
		for name, anchor := range map[string]string{"tri60": "Ash", "two-4to1": "X", "perfect": "Low2"} {
			games, players := readOrdo(t, name)
			at := Anchor{Player: -1}
			if strings.HasPrefix(test.tag, "anchor") {
				at = Anchor{Player: slices.Index(players, anchor), At: 1500}
			}
			given := test.given
			if given == nil {
				fitted, err := Rate(games, len(players), at)
				must(t, err)
				end := ended[name]
				if w := fitted.FirstMover; !w.Fitted || !near(w.Elo, end, 0, 0.03) {
					t.Errorf("%s, %s: the advantage of moving first is %+v, not about %v", name, test.tag, w, end)
				}
				given = &end
			}
			field, err := rate(games, len(players), at, 0, given)
			must(t, err)
			if field.Groups != 1 || field.Anchored != (at.Player >= 0) {
				t.Errorf("%s, %s: %d groups, anchored: %v", name, test.tag, field.Groups, field.Anchored)
			}
			rows := readTable(t, filepath.Join("testdata/ordo", name, "out-"+test.tag+".csv"))
			if len(rows) != len(players) {
				t.Errorf("%s, %s: %d rows", name, test.tag, len(rows))
			}
			for _, row := range rows {
				compareOrdo(t, name+", "+test.tag, row, games, players, field)
			}
		}
	}
}

func compareOrdo(t *testing.T, name string, row map[string]string, games []Game, players []string, field Field) {
	t.Helper()
	player := slices.Index(players, row["PLAYER"])
	r := field.Players[player]
	counts := Trinomial{}
	opponents := map[int]int{}
	for _, g := range games {
		score, other := g.Score, g.Second
		if g.Second == player {
			score, other = 1-g.Score, g.First
		} else if g.First != player {
			continue
		}
		opponents[other]++
		switch score {
		case 1:
			counts.Wins++
		case 0:
			counts.Losses++
		default:
			counts.Draws++
		}
	}
	f := counts.Figures()
	played, points := whole(t, row["PLAYED"]), decimal(t, row["POINTS"])
	same := f.Games == played && near(*f.Score*float64(f.Games), points, 0, 1e-9) &&
		counts == Trinomial{whole(t, row["W"]), whole(t, row["D"]), whole(t, row["L"])} &&
		near(*f.Score*100, decimal(t, row["(%)"]), 0, 0.005001) &&
		near(*f.DrawRatio*100, decimal(t, row["D(%)"]), 0, 0.05001) &&
		len(opponents) == whole(t, row["OppN"])
	if !same {
		t.Errorf("%s: %v, not %v", name, counts, row)
	}
	if row["PLAYER"] == "Ace" {
		if r.Rating != nil || r.Error != nil || r.Low == nil || r.High != nil || r.Group != 1 || r.Games != 30 {
			t.Errorf("%s: a player that won all has %+v", name, r)
		}
		return
	}
	if !near(show(r.Rating), decimal(t, row["RATING"]), 0, 0.0000501) {
		t.Errorf("%s: %s has %.5f, not %s", name, row["PLAYER"], show(r.Rating), row["RATING"])
	}
	if name[:7] == "perfect" {
		return // its average opponent is rated by the rule for perfect scores
	}
	average := 0.0
	for other, n := range opponents {
		average += float64(n) * *field.Players[other].Rating / float64(f.Games)
	}
	if !near(average, decimal(t, row["OppAvg"]), 0, 0.0000501) {
		t.Errorf("%s: the opponents of %s have %.5f, not %s", name, row["PLAYER"], average, row["OppAvg"])
	}
}

// The errors agree within 15 % with those of Ordo, which simulates a thousand fields with the same share of
// draws. (Without -D it simulates draws that nobody played.)
func TestErrorsAgainstOrdo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, tag string
		anchor    int
	}{
		{"tri60", "sim-avg0-elo-WD", -1},
		{"tri60", "sim-anchor-elo-WD", 0},
		{"two-4to1", "sim-avg0-elo-WD", -1},
		{"two-4to1", "sim-anchor-elo-WD", 0},
	} {
		games, players := readOrdo(t, test.name)
		field, err := Rate(games, len(players), Anchor{Player: test.anchor})
		must(t, err)
		for _, row := range readTable(t, filepath.Join("testdata/ordo", test.name, "out-"+test.tag+".csv")) {
			got := field.Players[slices.Index(players, row["PLAYER"])].Error
			if row["ERROR"] == "-" {
				if got != nil {
					t.Errorf("%s, %s: the anchor has an error of %v", test.name, test.tag, *got)
				}
				continue
			}
			if want := decimal(t, row["ERROR"]); !near(show(got), want, 0.15, 0) {
				t.Errorf("%s, %s: %s has an error of %.2f, not %.2f", test.name, test.tag, row["PLAYER"], show(got), want)
			}
		}
	}
}

// Two groups of three players never met: Ordo reports the same in groups.txt.
func TestGroupsAgainstOrdo(t *testing.T) {
	t.Parallel()
	games, players := readOrdo(t, "disconnected")
	field, err := Rate(games, len(players), Anchor{Player: -1, At: 100})
	must(t, err)
	sums := map[int]float64{}
	for i, name := range players {
		r := field.Players[i]
		if want := map[byte]int{'A': 1, 'B': 2}[name[0]]; r.Group != want || r.Games != 40 && r.Games != len(games)/3 {
			t.Errorf("%s: %+v", name, r)
		}
		sums[r.Group] += *r.Rating
	}
	if field.Groups != 2 || !near(sums[1], 300, 0, 1e-9) || !near(sums[2], 300, 0, 1e-9) {
		t.Errorf("%d groups, with sums %v", field.Groups, sums)
	}
	if elo, err := difference(field, 0, slices.Index(players, "B1")); elo != nil || err != nil {
		t.Errorf("players of two groups are %v apart", *elo)
	}
}

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
		field, err := Rate(rows(t, test.games), 4, Anchor{Player: -1})
		must(t, err)
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
		zero := 0.0
		for _, given := range []*float64{nil, &zero} {
			field, err := rate(games, 2, Anchor{Player: -1}, 0, given)
			must(t, err)
			if w := field.FirstMover.Elo; math.Abs(w) > 1e-9 {
				continue // then the model's difference is not that of the match
			}
			want := Difference{figures.Elo, nil, figures.EloLow, figures.EloHigh, figures.Superiority}
			got := field.Difference(0, 1)
			want.Error = number((*want.High - *want.Low) / 2)
			if diff := cmp.Diff(want, got, approximately); diff != "" {
				t.Errorf("%s: %s", test.games, diff)
			}
			if diff := cmp.Diff(got.swap(), field.Difference(1, 0), approximately); diff != "" {
				t.Errorf("%s, from the other side: %s", test.games, diff)
			}
			half := Rating{Group: 1, Games: len(games), Rating: number(*want.Elo / 2), Error: number(*want.Error / 2), Low: number(*want.Low / 2), High: number(*want.High / 2)}
			if diff := cmp.Diff(half, field.Players[0], approximately); diff != "" {
				t.Errorf("%s: %s", test.games, diff)
			}
			anchored, err := rate(games, 2, Anchor{Player: 1, At: 1000}, 0, given)
			must(t, err)
			if r := anchored.Players[0]; !near(*r.Low, 1000+*want.Low, 1e-9, 0) || !near(*r.High, 1000+*want.High, 1e-9, 0) {
				t.Errorf("%s, anchored: %v to %v", test.games, *r.Low, *r.High)
			}
		}
	}
	// With an advantage of moving first, the ends are where the model expects the ends of the score interval.
	field, err := Rate(rows(t, "ab1,ba0 ab1,ba1 ab1,ba= ab=,ba1 ab0,ba1"), 2, Anchor{Player: -1})
	must(t, err)
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
			field, err := Rate(rows(t, test.games), 4, Anchor{Player: anchor})
			must(t, err)
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
		field, err := RateWithPrior(rows(t, "ab1,ba0 ab1,ba0 ab1,ba0"), 3, Anchor{Player: -1}, prior)
		must(t, err)
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
	sweep, err := RateWithPrior(rows(t, "ab1,ba0 ac1,ca0 bc1,cb0"), 3, Anchor{Player: 1, At: 1500}, 2)
	must(t, err)
	if a, b, c := *sweep.Players[0].Rating, *sweep.Players[1].Rating, *sweep.Players[2].Rating; !near(a-b, b-c, 1e-9, 0) || a <= b || b != 1500 {
		t.Errorf("ratings of a clean sweep: %v, %v, %v", a, b, c)
	}
	for _, prior := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := RateWithPrior(nil, 2, Anchor{Player: -1}, prior); err == nil {
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
		field, err := Rate(rows(t, test.games), 4, Anchor{Player: -1})
		must(t, err)
		got := [2]Rating{field.Players[2], field.Players[3]}
		if diff := cmp.Diff(test.want, got, approximately); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	// A known advantage of 100 Elo: who wins as first has proved less by it, as second more.
	hundred := 100.0
	for text, want := range map[string]float64{"ca1": one - 100, "ac0": one + 100, "ca1,ac0": one + 100} {
		field, err := rate(rows(t, text+even), 3, Anchor{Player: -1}, 0, &hundred)
		must(t, err)
		if got := field.Players[2].Low; !near(show(got), want, 0, 1e-7) {
			t.Errorf("%s: a bound of %v, not %v", text, show(got), want)
		}
	}
	for text, want := range map[string]float64{"ca0": -one - 100, "ac1": -one + 100, "ca0,ac1": -one - 100} {
		field, err := rate(rows(t, text+even), 3, Anchor{Player: -1}, 0, &hundred)
		must(t, err)
		if got := field.Players[2].High; !near(show(got), want, 0, 1e-7) {
			t.Errorf("%s: a bound of %v, not %v", text, show(got), want)
		}
	}
}

// An anchor without a rating fixes nothing, and Anchored is false. An anchor in a group fixes that group alone.
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
		field, err := Rate(rows(t, games), 5, Anchor{test.anchor, 1500})
		must(t, err)
		if field.Anchored != test.anchored {
			t.Errorf("anchored on %d: %v", test.anchor, field.Anchored)
		}
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
	field, err := Rate(games, 2, Anchor{Player: -1})
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
	field, err = Rate(games, 40, Anchor{Player: -1})
	must(t, err)
	elo, _ = difference(field, 0, 39)
	if want := 39 * 400 * math.Log10(99); !near(show(elo), want, 1e-9, 0) {
		t.Errorf("the chain is %v long, not %v", show(elo), want)
	}
}

var approximately = cmp.Comparer(func(a, b float64) bool { return near(a, b, 1e-9, 1e-7) })

func TestRateRefuses(t *testing.T) {
	t.Parallel()
	none := Anchor{Player: -1}
	for _, test := range []struct {
		games  []Game
		anchor Anchor
		want   string
	}{
		{[]Game{{0, 3, 1, 0}}, none, "game 0: there is no player 3 among 3"},
		{[]Game{{-1, 0, 1, 0}}, none, "game 0: there is no player -1"},
		{[]Game{{0, 1, 1, 0}, {1, 1, 1, 1}}, none, "game 1: player 1 plays itself"},
		{[]Game{{0, 1, 0.25, 0}}, none, "the score is 0.25"},
		{[]Game{{0, 1, math.NaN(), 0}}, none, "the score is NaN"},
		{[]Game{{0, 1, 1, 7}, {2, 1, 1, 7}}, none, "unit 7 with the game of 0 and 1"},
		{[]Game{{0, 1, 1, 7}, {2, 1, 1, 8}, {1, 0, 1, 7}}, none, "unit 7 are not adjacent"},
		{nil, Anchor{Player: 3}, "the anchor is player 3"},
		{nil, Anchor{Player: -1, At: math.Inf(1)}, "the anchor is at +Inf"},
	} {
		if _, err := Rate(test.games, 3, test.anchor); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, not %q", test.games, err, test.want)
		}
	}
}

// In simulated fields, 95 % of the 95 % intervals contain the true value: those of ratings with the mean or an
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
	paired, err := Rate(pairs, 5, Anchor{Player: -1})
	must(t, err)
	alone, err := Rate(torn, 5, Anchor{Player: -1})
	must(t, err)
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

// The true values of the fields, in Elo.
func trueElo() []float64 { return []float64{150, 60, 0, -60, -150} }

const trueAdvantage = 40

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
	field, err := Rate(games, len(truth), Anchor{Player: -1})
	must(t, err)
	anchored, err := Rate(games, len(truth), Anchor{Player: 0})
	must(t, err)
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
