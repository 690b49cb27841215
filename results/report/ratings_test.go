package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
	"sembra/results/stats"
)

func TestFieldNotes(t *testing.T) {
	t.Parallel()
	rated := func(group int) stats.Rating {
		return stats.Rating{Group: group, Games: 2, Rating: new(1500.0), Error: new(30.0), Low: new(1470.0), High: new(1530.0)}
	}
	names := []string{"a", "b", "c", "d", "e\x1b[2J", "f", "g"}
	// Each meets the next, in pairs of two wins.
	games := []stats.Game{{First: 0, Second: 1, Score: 1, Unit: 0}, {First: 1, Second: 0, Score: 0, Unit: 0}, {First: 1, Second: 2, Score: 1, Unit: 1}, {First: 2, Second: 1, Score: 0, Unit: 1}}
	var tenPairs []stats.Game // all won by a
	for unit := 2; unit < 12; unit++ {
		tenPairs = append(tenPairs, stats.Game{First: 0, Second: 1, Score: 1, Unit: unit}, stats.Game{First: 1, Second: 0, Score: 0, Unit: unit})
	}
	for _, test := range []struct {
		name  string
		field stats.Field
		games []stats.Game
		want  []string
	}{
		{
			"first mover without an error",
			stats.Field{Players: []stats.Rating{rated(1)}, Groups: 1, FirstMover: stats.FirstMover{Fitted: true, Elo: -0.2}},
			nil,
			[]string{"moving first is worth 0 Elo; the error is not known"},
		},
		{
			"nothing to rate by",
			stats.Field{Players: []stats.Rating{{}, {}}},
			nil,
			[]string{"nobody can be rated: there is no game that counts"},
		},
		{
			"nobody of three",
			stats.Field{Players: []stats.Rating{{}, {}, {}}},
			slices.Concat(tenPairs, games[2:]),
			[]string{"no ratings: no two players took points off each other, even indirectly (hint: --prior 2 rates such a field)"},
		},
		{
			"two, and one lead",
			stats.Field{Players: []stats.Rating{{}, {}}},
			tenPairs,
			[]string{"no ratings: a took all points: a lead of more than +250 Elo (95%) (hint: --prior 2 rates such a field)"},
		},
		{
			"one who met no rated player, and one who met nobody",
			stats.Field{Players: []stats.Rating{{}, {Group: 1, High: new(1300.0)}, {}, {}, rated(1), rated(1)}, Groups: 1, FirstMover: stats.FirstMover{Fitted: true, Elo: -20, Error: new(0.2)}},
			games,
			[]string{
				"b: won no points against rated players, so only an upper bound of the rating is known",
				"a, c, d: no rating, because no chain of results leads to the rated players",
				"moving first is worth -20 ±0 Elo",
			},
		},
	} {
		if diff := cmp.Diff(notes(test.want), fieldNotes(results.RatedPlayers{Field: test.field, Names: names, Games: test.games, Anchor: -1}, "players", "--prior 2")); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

// Which ratings have no error, from games that are rated: "ab 1" is a game that a won and in which it
// moved first, and games joined by a plus are a pair.
func TestErrorNotes(t *testing.T) {
	t.Parallel()
	const unknown = ": the error is not known, because there are too few results, or they are exactly as the ratings predict"
	for _, test := range []struct {
		games  string
		anchor int
		want   []string
	}{
		{"ab 1+ba 0 ab 1+ba 1 ab 0+ba 1 ab =+ba 1", -1, nil},
		{"ab 1+ba 1", -1, nil}, // two players have the interval of their match
		{"ab =+ba 0 ab =+ba 0 ab =+ba 0", 0, nil},
		{"ab 1+ba 0 bc 1+cb 0 ca 1+ac 0", -1, []string{"a, b, c" + unknown}},
		{"ab 1+ba 0 bc 1+cb 0 ca 1+ac 0", 1, []string{"a, c" + unknown}},
		{"ab 1+ba 0 bc 1+cb 0 ca 1+ac 0 ab 1+ba 0", -1, nil},
		{"ab =+ba = bc =+cb = ca =+ac = ab =+ba =", -1, []string{"a, b, c" + unknown}},
	} {
		var games []stats.Game
		players, unit := 0, 0
		for _, text := range regexp.MustCompile(`(\+?)(\w)(\w) ([10=])`).FindAllStringSubmatch(test.games, -1) {
			if text[1] == "" {
				unit++
			}
			game := stats.Game{First: int(text[2][0] - 'a'), Second: int(text[3][0] - 'a'), Unit: unit}
			game.Score = map[string]float64{"1": 1, "=": 0.5, "0": 0}[text[4]]
			players = max(players, game.First+1, game.Second+1)
			games = append(games, game)
		}
		field := must2(stats.Rate(games, players, stats.Anchor{Player: test.anchor, At: 1500}, 0))
		rated := results.RatedPlayers{Field: field, Names: []string{"a", "b", "c"}[:players], Games: games, Anchor: test.anchor}
		got := slices.DeleteFunc(fieldNotes(rated, "players", ""), func(note string) bool { return !strings.HasSuffix(note, unknown) })
		if len(got) == 0 {
			got = nil
		}
		equal(t, test.games, notes(test.want), got)
	}
}

// A field with a player who won everything, one who met nobody of the others, and a name that is too long.
func TestDifferences(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(`first,second,result,pair
b,c,1-0,1
c,b,1-0,1
b,c,1-0,2
c,b,1/2-1/2,2
LONG,d,1-0,1
d,LONG,1-0,1
LONG,b,1-0,1
b,LONG,1/2-1/2,1
top,b,1-0,1
b,top,0-1,1
x,y,1-0,1
`, "LONG", strings.Repeat("long", 20))
	list := must2(results.ReadGames(strings.NewReader(text), "games.csv"))
	ratings := must2(list.Rate("", 1500, 0))
	goldens(t, "differences", GameDifferences(ratings), Table, Markdown, CSV, JSON)
	ratings = must2(list.Rate("d", 1500, 2))
	goldens(t, "differences-prior", GameDifferences(ratings), Table)
	goldens(t, "rate-prior", GameRatings(ratings), Table)
	tournament, summaries := handCounted()
	s := standingsOf(t, tournament, summaries, nil)
	goldens(t, "differences-standings", StandingsDifferences(s, 20), Table, CSV, JSON)
	must(t, s.Rate(1000, 2))
	goldens(t, "standings-prior", Standings(s, 20, nil, nil), Table)
}

// In a field of clean sweeps there are an order and bounds.
func TestSweeps(t *testing.T) {
	t.Parallel()
	s := standingsOf(t, spring(1, "a", "b", "c"), scored("ab 1 ac 1 bc 1 cb 0 ca 0 ba 0"), nil)
	goldens(t, "sweeps", Standings(s, 6, nil, nil), Table)
	goldens(t, "sweeps-differences", StandingsDifferences(s, 6), Table)
}
