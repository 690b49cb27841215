package stats

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
				fitted := must2(Rate(games, len(players), at, 0))
				end := ended[name]
				if w := fitted.FirstMover; !w.Fitted || !near(w.Elo, end, 0, 0.03) {
					t.Errorf("%s, %s: the advantage of moving first is %+v, not about %v", name, test.tag, w, end)
				}
				given = &end
			}
			field := must2(rate(games, len(players), at, 0, given))
			if field.Groups != 1 {
				t.Errorf("%s, %s: %d groups", name, test.tag, field.Groups)
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

// The errors agree within 15% with those of Ordo, which simulates a thousand fields with the same share of
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
		field := must2(Rate(games, len(players), Anchor{Player: test.anchor}, 0))
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
	field := must2(Rate(games, len(players), Anchor{Player: -1, At: 100}, 0))
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
