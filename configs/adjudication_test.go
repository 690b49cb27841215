package configs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
)

// TestAdjudication: what the file gives is the rule, and nothing is no rule.
func TestAdjudication(t *testing.T) {
	inFolder(t)
	for text, want := range map[string]*results.Adjudication{
		"":                               nil,
		"[adjudication]\n":               nil,
		"[adjudication]\nplies = 300\n":  {Plies: 300, By: "stores"},
		"adjudication = { plies = 1 }\n": {Plies: 1, By: "stores"},
		"[adjudication]\nplies = 1_000_000\nby = \"stores\"\n": {Plies: 1_000_000, By: "stores"},
		"[adjudication]\nplies = 300\nby = \"draw\"\n":         {Plies: 300, By: "draw"},
		"[adjudication]\nwin_score = 20.5\nwin_plies = 2\n":    {WinScore: 20.5, WinPlies: 2},
		"[adjudication]\ndraw_score = 0\ndraw_plies = 20\n":    {DrawPlies: 20},
		`[adjudication]
plies = 300
win_score = 20
win_plies = 8
draw_score = 0.5
draw_plies = 20
draw_after = 299
`: {Plies: 300, By: "stores", WinScore: 20, WinPlies: 8, DrawScore: 0.5, DrawPlies: 20, DrawAfter: 299},
	} {
		write(t, "t.toml", "tournament.ruleset = \"awale\"\n"+text+twoBots)
		if diff := cmp.Diff(want, load(t, "t.toml").Tournament.Adjudication); diff != "" {
			t.Errorf("%s(-want +got):\n%s", text, diff)
		}
	}
}
