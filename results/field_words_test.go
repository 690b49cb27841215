package results

import (
	"math"
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
	for _, test := range []struct {
		name  string
		field stats.Field
		want  []string
	}{
		{
			"all rated",
			stats.Field{
				Players: []stats.Rating{rated(1), rated(1)}, Groups: 1,
				FirstMover: stats.FirstMover{Fitted: true, Elo: 34.6, Error: number(12.3)},
			},
			[]string{"moving first is worth +35 ±12 Elo"},
		},
		{
			"first mover without an error",
			stats.Field{Players: []stats.Rating{rated(1)}, Groups: 1, FirstMover: stats.FirstMover{Fitted: true, Elo: -0.2}},
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
			"nobody",
			stats.Field{Players: []stats.Rating{{Games: 1}, {Games: 1}}},
			[]string{"nobody can be rated: that takes players who each took points from each other, directly or by way of others"},
		},
		{
			"beaten by one group, won against another",
			stats.Field{Players: []stats.Rating{rated(1), rated(1), {Group: 1, Games: 2}}, Groups: 1, FirstMover: stats.FirstMover{Fitted: true, Elo: -20, Error: number(0.2)}},
			[]string{
				"c: no rating, as results do not connect them with others both ways",
				"moving first is worth -20 ±<1 Elo",
			},
		},
	} {
		if diff := cmp.Diff(test.want, fieldWords(test.field, names)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
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
