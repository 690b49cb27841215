package results

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ordoGames is a list of games that Ordo has rated (see stats/testdata/README.txt), with the header that ReadGames
// knows.
func ordoGames(t testing.TB, name string) GameList {
	t.Helper()
	text := must2(os.ReadFile(filepath.Join("stats/testdata/ordo", name, "games.csv")))
	rest, ok := strings.CutPrefix(string(text), "white,black,result\n")
	if !ok {
		t.Fatalf("%s has another header", name)
	}
	return must2(ReadGames(strings.NewReader("first,second,result\n"+rest), name))
}

// rated rates a list of games with no anchor and no prior. text is the list below its header.
func rated(t *testing.T, header, text string) (GameList, GameRatings) {
	t.Helper()
	list := must2(ReadGames(strings.NewReader(header+"\n"+text), "games.csv"))
	return list, must2(list.Rate("", 1500, 0))
}

func TestRateAnchor(t *testing.T) {
	t.Parallel()
	list := ordoGames(t, "tri60")
	ratings := must2(list.Rate("Ash", 2000, 0))
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
		{list, "Oak", `unknown player "Oak" (known: Ash, Birch, Cedar)`},
		{ordoGames(t, "perfect"), "Ace", `ratings cannot be anchored on "Ace", because the games do not rate it (hint: `},
	} {
		if _, err := test.list.Rate(test.anchor, 1500, 0); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
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
	equal(t, "ranks", []string{"1x", "1y", "3a", "3b", "5z"}, got)
}

// A field of clean sweeps is in the order of its scores.
func TestOrder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a,b,1-0\nb,c,1-0\na,c,1-0\n": "a b c", "c,a,1-0\nb,c,1-0\n": "b c a", "a,b,1-0\na,c,1-0\nd,e,0-1\n": "a e b c d",
	} {
		_, ratings := rated(t, "first,second,result", text)
		var lines []string
		for _, line := range ratings.Lines {
			lines = append(lines, line.Player)
		}
		equal(t, text, want, strings.Join(lines, " "))
	}
}
