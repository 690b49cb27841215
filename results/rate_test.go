package results

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sembra/results/stats"
)

// ordoGames is a list of games that Ordo has rated (see stats/testdata/README.txt), with the header that ReadGames
// knows.
func ordoGames(t testing.TB, name string) GameList {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("stats/testdata/ordo", name, "games.csv"))
	must(t, err)
	rest, ok := strings.CutPrefix(string(text), "white,black,result\n")
	if !ok {
		t.Fatalf("%s has another header", name)
	}
	list, err := ReadGames(strings.NewReader("first,second,result\n"+rest), name)
	must(t, err)
	return list
}

// rated rates a list of games with no anchor and no prior. text is the list below its header.
func rated(t *testing.T, header, text string) (GameList, GameRatings) {
	t.Helper()
	list := must2(ReadGames(strings.NewReader(header+"\n"+text), "games.csv"))
	return list, must2(RateGames(list, "", 1500, 0))
}

func TestRateGamesAnchor(t *testing.T) {
	t.Parallel()
	list := ordoGames(t, "tri60")
	ratings, err := RateGames(list, "Ash", 2000, 0)
	must(t, err)
	want := map[string]float64{"Ash": 2000, "Birch": 1859.2344, "Cedar": 1649.9345} // Ordo's, with -A Ash -a 1500
	for _, line := range ratings.Lines {
		if math.Abs(*line.Rating.Rating-want[line.Player]) > 0.006 || (line.Error == nil) != (line.Player == "Ash") {
			t.Errorf("%+v: %v, want %v", line, *line.Rating.Rating, want[line.Player])
		}
	}
	for _, test := range []struct {
		list   GameList
		anchor string
		want   string
	}{
		{list, "Oak", `unknown player "Oak" to anchor ratings on (known: Ash, Birch, Cedar)`},
		{ordoGames(t, "perfect"), "Ace", `ratings cannot be anchored on "Ace", because the games do not rate it (hint: `},
	} {
		if _, err := RateGames(test.list, test.anchor, 1500, 0); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// TestRateRanks: players with equal ratings share a rank, also in having no bound.
// Players with the same results share a rank, although their ratings differ in the last bit, as some of these do.
func TestRateTwins(t *testing.T) {
	t.Parallel()
	differ := 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		outcome := func() string { return []string{"1-0", "0-1", "1/2-1/2"}[random.IntN(3)] }
		text := ""
		for range 12 {
			rival, result := random.IntN(4), outcome()
			text += fmt.Sprintf("a,r%d,%s\n", rival, result)
			text += fmt.Sprintf("r%d,r%d,%s\n", rival, (rival+1)%4, outcome())
			text += fmt.Sprintf("b,r%d,%s\n", rival, result)
		}
		_, ratings := rated(t, "first,second,result", text)
		lines := make(map[string]FieldLine)
		for _, line := range ratings.Lines {
			lines[line.Player] = line
		}
		a, b := lines["a"], lines["b"]
		if a.Rank != b.Rank {
			t.Errorf("seed %d: ranks %d and %d", seed, a.Rank, b.Rank)
		}
		if a.Rating.Rating != nil && *a.Rating.Rating != *b.Rating.Rating {
			differ++
		}
	}
	if differ == 0 {
		t.Error("no twins differ in the last bit: the test shows nothing")
	}
}

func TestRateRanks(t *testing.T) {
	t.Parallel()
	const text = "a,b,1/2-1/2\nb,a,1/2-1/2\nx,a,1-0\ny,b,1-0\nz,a,0-1\n"
	_, ratings := rated(t, "first,second,result", text)
	var got []string
	for _, line := range ratings.Lines {
		got = append(got, fmt.Sprint(line.Rank, line.Player))
	}
	if diff := cmp.Diff([]string{"1x", "1y", "3a", "3b", "5z"}, got); diff != "" {
		t.Error(diff)
	}
}

// In a field of clean sweeps the results give an order. Who did not meet may share a line.
func TestOrder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][][]string{
		"a,b,1-0\nb,c,1-0\na,c,1-0\n":                   {{"a"}, {"b"}, {"c"}},
		"c,a,1-0\nb,c,1-0\n":                            {{"b"}, {"c"}, {"a"}},
		"a,b,1-0\na,c,1-0\nd,e,0-1\n":                   {{"a", "e"}, {"b", "c", "d"}},
		"a,b,1-0\nb,c,1-0\nd,c,1-0\n":                   {{"a", "d"}, {"b"}, {"c"}},
		"a,b,=\n":                                       nil,
		"a,b,1-0\nb,c,1-0\nc,a,1-0\nd,a,1-0\ne,d,1-0\n": nil,
	} {
		list, ratings := rated(t, "first,second,result", text)
		var got [][]string
		for _, line := range ratings.Field.Order() {
			var names []string
			for _, player := range line {
				names = append(names, list.Players[player])
			}
			got = append(got, names)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
		var lines []string
		for _, line := range ratings.Lines {
			lines = append(lines, line.Player)
		}
		if want != nil {
			if diff := cmp.Diff(slices.Concat(want...), lines); diff != "" {
				t.Errorf("%s:\n%s", text, diff)
			}
		}
		// With a prior, everybody who is connected has a rating, in the same order.
		ratings = must2(RateGames(list, "", 1500, 2))
		for _, line := range ratings.Lines {
			if line.Rating.Rating == nil || line.Error == nil {
				t.Errorf("%s: with a prior, %s has %+v", text, line.Player, line.Rating)
			}
		}
	}
}

// Differences inside a group are those of the ratings, and others are the bounds of the games between the two.
func TestDifferences(t *testing.T) {
	t.Parallel()
	const text = "a,b,1-0,1\nb,a,1-0,1\na,b,=,2\nb,a,0-1,2\na,c,1-0,1\nc,a,0-1,1\nd,e,1-0,1\n"
	_, ratings := rated(t, "first,second,result,pair", text)
	all := map[string]stats.Difference{}
	for _, d := range ratings.Field.Differences([]int{0, 1, 2, 3, 4}) {
		all[d.Player+d.Opponent] = d.Difference
	}
	pair := stats.Pentanomial{4: 1}.Figures()
	match := stats.Pentanomial{2: 1, 3: 1}.Figures()
	game := stats.Trinomial{Wins: 1}.Figures()
	for players, want := range map[string]stats.Difference{
		"ab": {Elo: all["ab"].Elo, Error: all["ab"].Error, Low: all["ab"].Low, High: all["ab"].High, Superiority: match.Superiority},
		"ac": {Low: pair.EloLow, Superiority: pair.Superiority},
		"ca": {High: new(-*pair.EloLow), Superiority: new(1 - *pair.Superiority)},
		"de": {Low: game.EloLow, Superiority: game.Superiority},
		"bc": {},
		"ad": {},
	} {
		if diff := cmp.Diff(want, all[players], cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Errorf("%s:\n%s", players, diff)
		}
	}
	if all["ab"].Elo == nil || all["ab"].Low == nil || len(all) != 20 {
		t.Errorf("%d differences; a and b: %+v", len(all), all["ab"])
	}
}
