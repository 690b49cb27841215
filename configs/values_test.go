package configs

import (
	"fmt"
	"testing"

	"sembra/engine"
	"sembra/results"
)

// manyBots is a file's bots b1 to bn.
func manyBots(n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf("\n[[bot]]\nname = \"b%d\"\nbuiltin = \"random\"", i+1)
	}
	return text
}

// TestValues: what a file with these lines gives, and what it gives by default.
func TestValues(t *testing.T) {
	inFolder(t)
	rounds := func(c *Config) any { return c.Plan.Rounds }
	adjudication := func(c *Config) any { return c.Plan.Adjudication }
	isolation := func(c *Config) any {
		i := c.Plan.Isolation
		return fmt.Sprint(i.Mode, " ", int64(i.Memory>>20), " ", int64(i.MemoryTotal>>20))
	}
	type format struct {
		Format                       string
		Stages, ExtraPairs, Openings int
		Challengers, TieBreaks       []string
		Anchor                       string
	}
	formatOf := func(c *Config) any {
		t := c.Plan
		return format{t.Format, t.Stages, t.ExtraPairs, len(t.Openings), t.Challengers, t.TieBreaks, t.Anchor}
	}
	const bechi, all = "tournament.ruleset = \"bechi\"\n", "adjudication.plies = 300\nadjudication.win_score = 20\n" +
		"adjudication.win_plies = 8\nadjudication.draw_score = 0.5\nadjudication.draw_plies = 20\n" +
		"adjudication.draw_after = 299"
	for _, test := range []struct {
		lines string // a ruleset is added if there is none
		bots  int
		of    func(*Config) any
		want  any
	}{
		{"", 2, rounds, 1},
		{bechi, 2, rounds, 8},
		{bechi + "tournament.rounds = 2", 2, rounds, 2},
		{bechi + "tournament.rounds = 100", 2, rounds, engine.MaxRounds},

		{"", 2, isolation, "auto 1024 2048"},
		{"isolation.mode = \"strict\"", 2, isolation, "strict 1024 2048"},
		{"isolation.memory = \"16384KiB\"", 2, isolation, "auto 16 256"},
		{"isolation.memory = \"16MiB\"\nisolation.temp = \"1MiB\"", 2, isolation, "auto 16 256"},
		{"isolation.temp = \"1088MiB\"", 2, isolation, "auto 1024 3072"},
		{"isolation.memory = \"1024 GiB\"", 2, isolation, "auto 1048576 2097152"},
		{"isolation.memory = \"64MiB\"\nisolation.memory_total = \"2GiB\"", 2, isolation, "auto 64 2048"},

		{"", 2, adjudication, (*results.Adjudication)(nil)},
		{"adjudication = { plies = 1 }", 2, adjudication, &results.Adjudication{Plies: 1, By: "stores"}},
		{"adjudication.plies = 1_000_000\nadjudication.by = \"draw\"", 2, adjudication, &results.Adjudication{
			Plies: 1_000_000, By: "draw",
		}},
		{"adjudication.win_score = 20.5\nadjudication.win_plies = 2", 2, adjudication, &results.Adjudication{
			WinScore: 20.5, WinPlies: 2,
		}},
		{"adjudication.draw_score = 0\nadjudication.draw_plies = 20", 2, adjudication, &results.Adjudication{DrawPlies: 20}},
		{all, 2, adjudication, &results.Adjudication{
			Plies: 300, By: "stores", WinScore: 20, WinPlies: 8, DrawScore: 0.5, DrawPlies: 20, DrawAfter: 299,
		}},

		{"rating.anchor = \"b3\"", 3, formatOf, format{Format: results.RoundRobin, Openings: 2, Anchor: "b3"}},
		{"tournament.format = \"gauntlet\"\ntournament.challengers = [\"b3\", \"b1\"]", 3, formatOf, format{
			Format: results.Gauntlet, Openings: 2, Challengers: []string{"b3", "b1"},
		}},
		{"tournament.format = \"swiss\"", 4, formatOf, format{Format: results.Swiss, Stages: 2, Openings: 2}},
		{"tournament.format = \"swiss\"", 5, formatOf, format{Format: results.Swiss, Stages: 3, Openings: 2}},
		{"tournament.format = \"swiss\"\ntournament.stages = 8", 9, formatOf, format{
			Format: results.Swiss, Stages: 8, Openings: 2,
		}},
		{"tournament.format = \"knockout\"", 3, formatOf, format{Format: results.Knockout, ExtraPairs: 4, Openings: 6}},
		{"tournament.format = \"knockout\"\ntournament.extra_pairs = 0", 3, formatOf, format{
			Format: results.Knockout, Openings: 2,
		}},
		{"tournament.tie_breaks = [\"koya\", \"wins\"]", 2, formatOf, format{
			Format: results.RoundRobin, Openings: 2, TieBreaks: []string{"koya", "wins"},
		}},
	} {
		text := "tournament.pairs = 2\n" + test.lines
		if len(test.lines) < len(bechi) || test.lines[:len(bechi)] != bechi {
			text = "tournament.ruleset = \"awale\"\n" + text
		}
		write(t, "t.toml", text+manyBots(test.bots))
		equal(t, test.lines, test.want, test.of(load("t.toml")))
	}
}
