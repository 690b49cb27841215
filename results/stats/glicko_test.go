package stats

import (
	"encoding/json"
	"os"
	"testing"
)

// The paper rounds between its steps; the programs do not.
func TestGlickoAgainstOthers(t *testing.T) {
	t.Parallel()
	var cases []struct {
		ID     string
		Tau    float64
		Player [3]float64
		Games  [][3]float64
	}
	text, err := os.ReadFile("testdata/glicko2/inputs.json")
	must(t, err)
	must(t, json.Unmarshal(text, &cases))
	after := map[string]Glicko{}
	for _, c := range cases {
		var games []GlickoGame
		for _, g := range c.Games {
			games = append(games, GlickoGame{Glicko{g[0], g[1], 0.06}, g[2]})
		}
		after[c.ID] = Glicko{c.Player[0], c.Player[1], c.Player[2]}.After(games, c.Tau)
	}
	rows := readTable(t, "testdata/glicko2/outputs.csv")
	for _, row := range rows {
		got, tolerance := after[row["case"]], 1e-4
		if row["implementation"] == "Glickman paper (printed)" {
			tolerance = 0.01
		}
		if !near(got.Rating, decimal(t, row["rating"]), 0, tolerance) ||
			!near(got.Deviation, decimal(t, row["rd"]), 0, tolerance) ||
			!near(got.Volatility, decimal(t, row["volatility"]), 0, tolerance/1000) {
			t.Errorf("%+v, not %v", got, row)
		}
	}
	if len(rows) != 11 || len(after) != 5 {
		t.Errorf("%d rows and %d cases", len(rows), len(after))
	}
}

func TestNewGlicko(t *testing.T) {
	t.Parallel()
	if got := NewGlicko(); got != (Glicko{1500, 350, 0.06}) {
		t.Errorf("a newcomer is %+v", got)
	}
}
