package report

import (
	"math"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/results/stats"
)

func number(n float64) *float64 { return &n }

func TestFieldWords(t *testing.T) {
	rated := func(group int) stats.Rating {
		return stats.Rating{Group: group, Games: 2, Rating: number(1500), Error: number(30), Low: number(1470), High: number(1530)}
	}
	names := []string{"a", "b", "c", "d", "e\x1b[2J", "f", "g"}
	// Each meets the next, in pairs of two wins.
	games := []stats.Game{{First: 0, Second: 1, Score: 1, Unit: 0}, {First: 1, Second: 0, Score: 0, Unit: 0}, {First: 1, Second: 2, Score: 1, Unit: 1}, {First: 2, Second: 1, Score: 0, Unit: 1}}
	for _, test := range []struct {
		name  string
		field stats.Field
		games []stats.Game
		want  []string
	}{
		{
			"all rated",
			stats.Field{
				Players: []stats.Rating{rated(1), rated(1)}, Groups: 1,
				FirstMover: stats.FirstMover{Fitted: true, Elo: 34.6, Error: number(12.3)},
			},
			nil,
			[]string{"moving first is worth +35 ±12 Elo"},
		},
		{
			"first mover without an error",
			stats.Field{Players: []stats.Rating{rated(1)}, Groups: 1, FirstMover: stats.FirstMover{Fitted: true, Elo: -0.2}},
			nil,
			[]string{"moving first is worth 0 Elo, with no error that could be told"},
		},
		{
			"groups, bounds and nothing",
			stats.Field{Players: []stats.Rating{
				rated(2), rated(1), rated(1), rated(2),
				{Group: 1, Games: 3, Low: number(1700)},
				{Group: 2, Games: 3, High: number(1300)},
				{},
			}, Groups: 2},
			games,
			[]string{
				"2 groups rated apart, as results do not connect them both ways; their ratings do not compare:",
				"  group 1: b, c",
				"  group 2: a, d",
				"e [2J: won everything against the rated: only a lower bound can be told",
				"f: lost everything against the rated: only an upper bound can be told",
				"g: no game that counts",
				"how much moving first is worth the games do not tell: it is taken as 0 Elo",
			},
		},
		{
			"nothing to rate by",
			stats.Field{Players: []stats.Rating{{}, {}}},
			nil,
			[]string{"nobody can be rated: there is no game that counts"},
		},
		{
			"nobody",
			stats.Field{Players: []stats.Rating{{}, {}, {}, {}}},
			games,
			[]string{"nobody can be rated: that takes players who each took points from each other, directly or by way of others"},
		},
		{
			"one who met no rated player, and one who met nobody",
			stats.Field{Players: []stats.Rating{{}, {Group: 1, High: number(1300)}, {}, {}, rated(1), rated(1)}, Groups: 1, FirstMover: stats.FirstMover{Fitted: true, Elo: -20, Error: number(0.2)}},
			games,
			[]string{
				"b: lost everything against the rated: only an upper bound can be told",
				"a, c: no rating, as results do not connect them with others both ways",
				"d: no game that counts",
				"moving first is worth -20 ±<1 Elo",
			},
		},
	} {
		if diff := cmp.Diff(test.want, (ratedField{test.field, names, test.games, -1}).words()); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

// Why a rating has no error, from games that are rated: "ab 1" is a game that a won and in which it
// moved first, and games joined by a plus are a pair.
func TestErrorWords(t *testing.T) {
	for _, test := range []struct {
		games  string
		anchor int
		want   []string
	}{
		{"ab 1+ba 0 ab 1+ba 1 ab 0+ba 1 ab =+ba 1", -1, nil},
		{"ab 1+ba 1", -1, []string{"a, b: no error can be told from one pair"}},
		{"ab =", -1, []string{"a, b: no error can be told from one game"}},
		{"ab = ba = ab =", -1, []string{"a, b: no error can be told, as each game is level"}},
		{"ab 1+ba 1 ab =+ba = ab 0+ba 0", -1, []string{"a, b: no error can be told, as each pair is level"}},
		{"ab =+ba 0 ab =+ba 0 ab =+ba 0", -1, []string{"a, b: no error can be told, as all their pairs went alike"}},
		{"ab =+ba 0 ab =+ba 0 ab =+ba 0", 0, []string{"b: no error can be told, as all their pairs went alike"}},
		{
			"ab =+ba 0 ab =+ba =", -1,
			[]string{"a, b: no error can be told, as there are too few results, or they go as the ratings expect"},
		},
		{
			"ab =+ba = bc 1+cb = bc 0+cb = bc 1+cb 0 bc =+cb 1 bc 1+cb 0 bc 0+cb =", 0,
			[]string{"b, c: no error against a can be told, as its results do not tell one"},
		},
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
		field, err := stats.Rate(games, players, stats.Anchor{Player: test.anchor, At: 1500})
		must(t, err)
		got := ratedField{field, []string{"a", "b", "c"}, games, test.anchor}.errorWords()
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s:\n%s", test.games, diff)
		}
	}
}

func TestRatingCells(t *testing.T) {
	for _, test := range []struct {
		rating stats.Rating
		want   [2]string
	}{
		{stats.Rating{Rating: number(1523.4), Error: number(41.2), Low: number(1482.2), High: number(1564.6)}, [2]string{"1523", "±41"}},
		{stats.Rating{Rating: number(1500)}, [2]string{"1500", "-"}},
		{stats.Rating{Low: number(1710)}, [2]string{"> 1710", "-"}},
		{stats.Rating{High: number(1290)}, [2]string{"< 1290", "-"}},
		{stats.Rating{}, [2]string{"-", "-"}},
		{stats.Rating{Rating: number(-0.3), Error: number(math.SmallestNonzeroFloat64)}, [2]string{"0", "±<1"}},
	} {
		if got := [2]string{ratingCell(test.rating), marginCell(test.rating.Error)}; got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
