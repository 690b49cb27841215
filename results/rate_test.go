package results

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// TestRateGamesAgainstOrdo compares what Ordo 1.2.6 prints with -W and the exact Elo scale: ratings with a mean
// of 0, points, games, score, wins, draws and losses. It ends its search for the advantage of moving first up to
// 0.03 Elo away from the maximum, so the ratings are a bit off, too. Of a player who won everything it has a number of its
// own, and we a bound.
func TestRateGamesAgainstOrdo(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tri60", "two-4to1", "perfect"} {
		ratings, err := RateGames(ordoGames(t, name), "", 0)
		must(t, err)
		var got [][]string
		for _, line := range ratings.Lines {
			rating := "unbounded"
			if line.Rating.Rating != nil {
				rating = fmt.Sprintf("%.4f", *line.Rating.Rating+0)
			}
			got = append(got, []string{
				strconv.Itoa(line.Rank), line.Player, rating,
				fmt.Sprintf("%.2f", line.Points), strconv.Itoa(line.Matches), fmt.Sprintf("%.2f", 100*line.Score()),
				strconv.Itoa(line.Wins), strconv.Itoa(line.Draws), strconv.Itoa(line.Losses),
			})
		}
		file, err := os.Open(filepath.Join("stats/testdata/ordo", name, "out-avg0-elo-W.csv"))
		must(t, err)
		defer file.Close()
		rows, err := csv.NewReader(file).ReadAll()
		must(t, err)
		var want [][]string
		for _, row := range rows[1:] {
			rating := row[2]
			if row[6] == "100.00" {
				rating = "unbounded"
			}
			want = append(want, []string{row[0], row[1], rating, row[4], row[5], row[6], row[7], row[8], row[9]})
		}
		near := cmp.Comparer(func(a, b string) bool {
			x, errX := strconv.ParseFloat(a, 64)
			y, errY := strconv.ParseFloat(b, 64)
			return a == b || errX == nil && errY == nil && math.Abs(x-y) < 0.006
		})
		if name == "perfect" { // the ranks of the others come after that of the player without a bound
			if line := ratings.Lines[0]; line.Low == nil || line.High != nil || line.Group != 1 {
				t.Errorf("%+v", line)
			}
		}
		if diff := cmp.Diff(want, got, near); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestRateGamesAnchor(t *testing.T) {
	t.Parallel()
	list := ordoGames(t, "tri60")
	ratings, err := RateGames(list, "Ash", 2000)
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
		{ordoGames(t, "perfect"), "Ace", `ratings cannot be anchored on "Ace", because the games do not rate it: it won all points against rated players`},
	} {
		if _, err := RateGames(test.list, test.anchor, 1500); err == nil || !strings.HasPrefix(err.Error(), test.want) {
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
		text := "first,second,result\n"
		for range 12 {
			rival, result := random.IntN(4), outcome()
			text += fmt.Sprintf("a,r%d,%s\n", rival, result)
			text += fmt.Sprintf("r%d,r%d,%s\n", rival, (rival+1)%4, outcome())
			text += fmt.Sprintf("b,r%d,%s\n", rival, result)
		}
		list, err := ReadGames(strings.NewReader(text), "games.csv")
		must(t, err)
		ratings, err := RateGames(list, "", 1500)
		must(t, err)
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
	const text = "first,second,result\na,b,1/2-1/2\nb,a,1/2-1/2\nx,a,1-0\ny,b,1-0\nz,a,0-1\n"
	list, err := ReadGames(strings.NewReader(text), "games.csv")
	must(t, err)
	ratings, err := RateGames(list, "", 1500)
	must(t, err)
	var got []string
	for _, line := range ratings.Lines {
		got = append(got, fmt.Sprint(line.Rank, line.Player))
	}
	if diff := cmp.Diff([]string{"1x", "1y", "3a", "3b", "5z"}, got); diff != "" {
		t.Error(diff)
	}
}
