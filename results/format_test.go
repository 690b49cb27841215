package results

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"sembra/results/stats"
)

// inFormat is a tournament of four bots in a format.
func inFormat(format string, change func(*Tournament)) Tournament {
	t := spring(2, "a", "b", "c", "d")
	t.Format = format
	if change != nil {
		change(&t)
	}
	return t
}

func TestCheckFormat(t *testing.T) {
	t.Parallel()
	const huge = math.MaxInt>>2 + 1 // four times as much overflows
	test := &stats.Test{Elo1: 30, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}
	for _, c := range []struct {
		format string
		change func(*Tournament)
		want   string // part of the error; "": none
	}{
		{RoundRobin, nil, ""},
		{Gauntlet, func(t *Tournament) { t.Challengers = []string{"b", "c"} }, ""},
		{Swiss, func(t *Tournament) { t.Stages = 3 }, ""},
		{Knockout, nil, ""},
		{Knockout, func(t *Tournament) { t.ExtraPairs = 4 }, ""},
		{Sequential, func(t *Tournament) { t.Bots, t.Test = []string{"a", "b"}, test }, ""},
		{RoundRobin, func(t *Tournament) { t.Pairs = huge }, fmt.Sprintf("it has %d pairs", huge)},
		{Knockout, func(t *Tournament) { t.ExtraPairs = huge }, fmt.Sprintf("and %d extra ones", huge)},
		{RoundRobin, func(t *Tournament) { t.Bots = strings.Fields(strings.Repeat("x ", 10_001)) }, "bots"},
		{RoundRobin, func(t *Tournament) {
			t.Pairs, t.Bots = 1_000_000, strings.Split("a b c d e f g h i j k l m n o p q r s t u v w x y z A B C D E F G H I J K L M N O P Q R S T U V W X Y Z", " ")
		}, "are too many matches"},
		{RoundRobin, func(t *Tournament) { t.TieBreaks = []string{"koya", "buchholz"} }, `unknown tie-break "buchholz" (known: `},
		{RoundRobin, func(t *Tournament) { t.Anchor = "x" }, `unknown bot in rating.anchor "x" (known: a, b, c, d)`},
		{
			RoundRobin, func(t *Tournament) { t.Anchor, t.Withdrawn = "b", []string{"b"} },
			`rating.anchor is "b", which has withdrawn (known: a, c, d)`,
		},
		{RoundRobin, func(t *Tournament) { t.Withdrawn = []string{"a", "b", "d"} }, "no two bots are left to meet"},
		{
			Gauntlet, func(t *Tournament) { t.Challengers, t.Withdrawn = []string{"a"}, []string{"a"} },
			"bot a: it cannot withdraw too, because then no two bots are left to meet (withdrawn: a)",
		},
		{"", nil, `tournament.format is "" (known: round-robin, gauntlet, swiss, knockout, sprt)`},
		{"league", nil, `tournament.format is "league"`},
		{RoundRobin, func(t *Tournament) { t.Stages = 1 }, `tournament.stages is given, but only`},
		{Swiss, func(t *Tournament) { t.Stages, t.Challengers = 1, []string{"a"} }, "tournament.challengers is given, but"},
		{Gauntlet, func(t *Tournament) { t.Challengers, t.ExtraPairs = []string{"a"}, 1 }, "tournament.extra_pairs is given, but"},
		{RoundRobin, func(t *Tournament) { t.Test = test }, "sprt is given, but"},
		{Gauntlet, nil, "tournament.challengers is missing or empty"},
		{Gauntlet, func(t *Tournament) { t.Challengers = t.Bots }, "tournament.challengers holds all bots"},
		{Gauntlet, func(t *Tournament) { t.Challengers = []string{"x"} }, `unknown bot in tournament.challengers "x" (known: a`},
		{Gauntlet, func(t *Tournament) { t.Challengers = []string{"a", "a"} }, `holds "a" twice`},
		{Swiss, nil, "tournament.stages is 0; it must be 1 to 3"},
		{Swiss, func(t *Tournament) { t.Stages = 4 }, "tournament.stages is 4; it must be 1 to 3"},
		{Knockout, func(t *Tournament) { t.ExtraPairs = -1 }, "tournament.extra_pairs is -1; it must be"},
		{Sequential, func(t *Tournament) { t.Test = test }, "it tests 4 bots"},
		{Sequential, func(t *Tournament) { t.Bots = []string{"a", "b"} }, "it has no test"},
		{Sequential, func(t *Tournament) { t.Bots, t.Test = []string{"a", "b"}, new(stats.Test) }, "elo"},
	} {
		err := inFormat(c.format, c.change).Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.format, err, c.want)
		}
	}
}

// TestContinueFormat: what may be added to a tournament depends on its format.
func TestContinueFormat(t *testing.T) {
	t.Parallel()
	gauntlet := inFormat(Gauntlet, func(t *Tournament) { t.Challengers = []string{"b"} })
	swiss := inFormat(Swiss, func(t *Tournament) { t.Stages = 2 })
	knockout := inFormat(Knockout, func(t *Tournament) { t.ExtraPairs = 1 })
	sequential := inFormat(Sequential, func(t *Tournament) {
		t.Bots = t.Bots[:2]
		t.Test = &stats.Test{Elo1: 30, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}
	})
	newBot := func(t *Tournament) { t.Bots = append([]string{"new"}, t.Bots...) }
	morePairs := func(t *Tournament) { t.Pairs, t.Openings = 3, []string{t.Openings[0], t.Openings[1], "opening 3"} }
	for _, c := range []struct {
		name   string
		old    Tournament
		change func(*Tournament)
		want   []string
	}{
		{"gauntlet: a bot", gauntlet, newBot, nil},
		{"gauntlet: a challenger", gauntlet, func(t *Tournament) { newBot(t); t.Challengers = []string{"new", "b"} }, nil},
		{"gauntlet: pairs", gauntlet, morePairs, nil},
		{"gauntlet: an old bot as challenger", gauntlet, func(t *Tournament) { t.Challengers = []string{"b", "c"} }, []string{"tournament.challengers was [\"b\"] and is now [\"b\" \"c\"]"}},
		{"swiss: a bot", swiss, newBot, []string{"bot new was (nothing) and is now there"}},
		{"swiss: pairs", swiss, morePairs, []string{"tournament.pairs was 2 and is now 3"}},
		{"swiss: stages", swiss, func(t *Tournament) { t.Stages = 3 }, []string{"tournament.stages was 2 and is now 3"}},
		{"knockout: a bot", knockout, newBot, []string{"bot new was (nothing) and is now there"}},
		{"knockout: extra pairs", knockout, func(t *Tournament) { t.ExtraPairs = 2 }, []string{"tournament.extra_pairs was 1 and is now 2"}},
		{"sprt: pairs", sequential, morePairs, nil},
		{"sprt: hypotheses", sequential, func(t *Tournament) {
			test := *t.Test
			test.Elo1, test.Model = 40, stats.Logistic
			t.Test = &test
		}, []string{"sprt.elo1 was 30 and is now 40", "sprt.model was normalized and is now logistic"}},
		{"tie-breaks", swiss, func(t *Tournament) { t.TieBreaks = []string{"wins", "koya"} }, []string{"tournament.tie_breaks was (nothing) and is now [\"wins\" \"koya\"]"}},
		{"anchor", swiss, func(t *Tournament) { t.Anchor = "a" }, []string{"rating.anchor was (nothing) and is now a"}},
	} {
		next := c.old
		next.Bots = append([]string{}, c.old.Bots...)
		c.change(&next)
		_, err := c.old.Continue(next.Plan)
		refused := new(ChangeError)
		if err != nil && !errors.As(err, &refused) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		equal(t, c.name, c.want, refused.Changes)
	}
}
