package configs

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func TestFormats(t *testing.T) {
	type format struct {
		Format                       string
		Stages, ExtraPairs, Openings int
		Challengers, TieBreaks       []string
		Anchor                       string
	}
	for _, c := range []struct {
		name, keys, rating string
		bots               int
		want               format
	}{
		{"nothing", "", "", 3, format{Format: results.RoundRobin, Openings: 2}},
		{"round-robin", "format = \"round-robin\"", "anchor = \"b3\"", 3, format{Format: results.RoundRobin, Openings: 2, Anchor: "b3"}},
		{
			"gauntlet", "format = \"gauntlet\"\nchallengers = [\"b3\", \"b1\"]", "", 3,
			format{Format: results.Gauntlet, Openings: 2, Challengers: []string{"b3", "b1"}},
		},
		{"swiss of two", "format = \"swiss\"", "", 2, format{Format: results.Swiss, Stages: 1, Openings: 2}},
		{"swiss of four", "format = \"swiss\"", "", 4, format{Format: results.Swiss, Stages: 2, Openings: 2}},
		{"swiss of five", "format = \"swiss\"", "", 5, format{Format: results.Swiss, Stages: 3, Openings: 2}},
		{"swiss of nine", "format = \"swiss\"", "", 9, format{Format: results.Swiss, Stages: 4, Openings: 2}},
		{"swiss of all stages", "format = \"swiss\"\nstages = 8", "", 9, format{Format: results.Swiss, Stages: 8, Openings: 2}},
		{"knockout", "format = \"knockout\"", "", 3, format{Format: results.Knockout, ExtraPairs: 4, Openings: 6}},
		{"knockout without further pairs", "format = \"knockout\"\nextra_pairs = 0", "", 3, format{Format: results.Knockout, Openings: 2}},
		{"tie-breaks", "tie_breaks = [\"koya\", \"wins\"]", "", 2, format{Format: results.RoundRobin, Openings: 2, TieBreaks: []string{"koya", "wins"}}},
	} {
		inFolder(t, "cup.toml", "[tournament]\nruleset = \"awale\"\npairs = 2\n"+c.keys+"\n[rating]\n"+c.rating+manyBots(c.bots))
		config, err := Load("cup.toml", builtins())
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		tour := config.Tournament
		got := format{tour.Format, tour.Stages, tour.ExtraPairs, len(tour.Openings), tour.Challengers, tour.TieBreaks, tour.Anchor}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}
