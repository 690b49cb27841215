package results

import (
	"math"
	"strings"
	"testing"
)

// wholeRule has all that a rule can have.
func wholeRule() Adjudication {
	return Adjudication{
		Plies: 300, By: "stores", WinScore: 20, WinPlies: 8, DrawScore: 0.5, DrawPlies: 20, DrawAfter: 60,
	}
}

func TestAdjudicationCheck(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(a *Adjudication)
		want   string // "": nothing is wrong
	}{
		{"whole", func(*Adjudication) {}, ""},
		{"nothing", func(a *Adjudication) { *a = Adjudication{} }, ""},
		{"a limit alone", func(a *Adjudication) { *a = Adjudication{Plies: 1, By: "draw"} }, ""},
		{"a win alone", func(a *Adjudication) { *a = Adjudication{WinScore: 0.1, WinPlies: 2} }, ""},
		{"a draw alone", func(a *Adjudication) { *a = Adjudication{DrawPlies: 2} }, ""},
		{"the last ply before the limit", func(a *Adjudication) { a.WinPlies, a.DrawPlies, a.DrawAfter = 299, 299, 299 }, ""},

		{"plies", func(a *Adjudication) { a.Plies = -1 }, "adjudication.plies is -1; it must be 0 or more"},
		{"by nothing", func(a *Adjudication) { a.By = "" }, `adjudication.by is ""; it must be "stores" or "draw"`},
		{"by another", func(a *Adjudication) { a.By = "seeds" }, `adjudication.by is "seeds"; it must be "stores" or "draw"`},
		{
			"one bot wins alone",
			func(a *Adjudication) { a.WinPlies = 1 },
			"adjudication.win_plies is 1; it must be at least 2, because both bots must report a score",
		},
		{"no win_score", func(a *Adjudication) { a.WinScore = 0 }, "adjudication.win_score is 0; it must be more than 0"},
		{"a negative win_score", func(a *Adjudication) { a.WinScore = -1 }, "adjudication.win_score is -1; it must be more than 0"},
		{"no number to win", func(a *Adjudication) { a.WinScore = math.NaN() }, "adjudication.win_score is NaN; it must be more than 0"},
		{
			"win_plies at the limit",
			func(a *Adjudication) { a.WinPlies = 300 },
			"adjudication.win_plies is 300; it must be fewer than adjudication.plies (300), or it has no effect",
		},
		{
			"one bot draws alone",
			func(a *Adjudication) { a.DrawPlies = -2 },
			"adjudication.draw_plies is -2; it must be at least 2, because both bots must report a score",
		},
		{"a negative draw_score", func(a *Adjudication) { a.DrawScore = -0.5 }, "adjudication.draw_score is -0.5; it must be 0 or more"},
		{"a negative draw_after", func(a *Adjudication) { a.DrawAfter = -1 }, "adjudication.draw_after is -1; it must be 0 or more"},
		{
			"draw_plies at the limit",
			func(a *Adjudication) { a.DrawPlies = 300 },
			"adjudication.draw_plies is 300; it must be fewer than adjudication.plies (300), or it has no effect",
		},
		{
			"draw_after at the limit",
			func(a *Adjudication) { a.DrawAfter = 300 },
			"adjudication.draw_after is 300; it must be fewer than adjudication.plies (300), or it has no effect",
		},
		{
			"a win that is a draw",
			func(a *Adjudication) { a.DrawScore = 20 },
			"adjudication.win_score is 20; it must be more than adjudication.draw_score (20)",
		},
	} {
		a := wholeRule()
		test.change(&a)
		got := ""
		if key, err := a.Check(); err != nil {
			got = err.Error()
			if !strings.HasPrefix(got, key+" ") {
				t.Errorf("%s: the key is %s", test.name, key)
			}
		}
		equal(t, test.name, test.want, got)
	}
}

// A rule that is none cannot be kept.
func TestTournamentWithABadAdjudication(t *testing.T) {
	t.Parallel()
	c := spring(1, "a", "b")
	c.Adjudication = &Adjudication{WinPlies: 8}
	const want = `tournament "spring": adjudication.win_score is 0; it must be more than 0`
	if err := c.Check(); err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}

func TestReason(t *testing.T) {
	t.Parallel()
	whole := wholeRule()
	drawn := wholeRule()
	drawn.By = "draw"
	ended := func(result Result, plies int) Summary {
		return Summary{Ending: EndAdjudicated, Result: result, Plies: plies}
	}
	for _, test := range []struct {
		name           string
		rule           *Adjudication
		match          Summary
		short, explain string
	}{
		{"no rule", nil, ended(Draw, 300), "", ""},
		{"by the rules", &whole, Summary{Ending: EndNormal, Result: Draw, Plies: 300}, "", ""},
		{"limit", &whole, ended(SouthWins, 300), "ply limit", ": after 300 plies the larger store wins, donkeys first"},
		{"limit, a draw", &drawn, ended(Draw, 300), "ply limit", ": after 300 plies a match is drawn"},
		{"South", &whole, ended(SouthWins, 299), "agreed win", ": both bots reported a score of 20 or more for the winner, 8 plies in a row"},
		{"North", &whole, ended(NorthWins, 8), "agreed win", ": both bots reported a score of 20 or more for the winner, 8 plies in a row"},
		{"draw", &whole, ended(Draw, 60), "agreed draw", ": both bots reported a score of at most 0.5 for either, 20 plies in a row"},
		{"a draw that nobody can agree on", &Adjudication{WinScore: 1, WinPlies: 2}, ended(Draw, 60), "", ""},
		{"a win that nobody can agree on", &Adjudication{DrawScore: 1, DrawPlies: 2}, ended(SouthWins, 60), "", ""},
	} {
		got := [2]string{test.rule.Reason(test.match), test.rule.ReasonWithNumbers(test.match)}
		equal(t, test.name, [2]string{test.short, test.short + test.explain}, got)
	}
}
