package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sembra/bots"
	"sembra/engine"
)

// ratedLine is a bot in the JSON of sembra levels.
type ratedLine struct {
	Ruleset     string
	Bot         string
	Rating      *float64
	RatingError *float64 `json:"rating_error"`
	Matches     int
}

// levelsTable returns the cells of the table of levels in bots/README.md, by ruleset and bot.
func levelsTable(t *testing.T) map[string]map[string]string {
	t.Helper()
	guide, err := os.ReadFile(root + "/bots/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(guide), "\n## Built-in opponents\n")
	var head []string
	table := map[string]map[string]string{}
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "## ") {
			break
		}
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case cells[0] == "bot" && slices.Contains(cells, "oware"):
			head = cells
		case head != nil && len(cells) == len(head):
			for i, ruleset := range head[1:] {
				if table[ruleset] == nil {
					table[ruleset] = map[string]string{}
				}
				table[ruleset][cells[0]] = cells[i+1]
			}
		}
	}
	return table
}

// TestGuideShowsLevels: the table has each bot in each ruleset, and a higher level is never rated lower.
func TestGuideShowsLevels(t *testing.T) {
	t.Parallel()
	table := levelsTable(t)
	for _, rules := range engine.Rulesets() {
		name, before := rules.Info().Name, math.MinInt
		for _, c := range bots.Contenders() {
			cell := table[name][c.Name]
			if !regexp.MustCompile(`^-?\d+( ± \d+)?$`).MatchString(cell) {
				t.Fatalf("%s, %s: %q in the guide", name, c.Name, cell)
			}
			var rating int
			if _, err := fmt.Sscan(cell, &rating); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(c.Name, "level") {
				if rating <= before {
					t.Errorf("%s: %s is rated %d, the level below %d", name, c.Name, rating, before)
				}
				before = rating
			}
		}
	}
}

// TestGuideLevels: the command measures what the table shows.
func TestGuideLevels(t *testing.T) {
	if !long {
		t.Skip("it plays 2720 matches")
	}
	t.Parallel()
	var lines []ratedLine
	if err := json.Unmarshal([]byte(mustRun(t, ".", "levels", "bechi-2x3", "--format", "json")), &lines); err != nil {
		t.Fatal(err)
	}
	table := levelsTable(t)
	if len(lines) != len(bots.Contenders()) {
		t.Errorf("%d bots, want %d", len(lines), len(bots.Contenders()))
	}
	for _, l := range lines {
		got := fmt.Sprintf("%.0f", *l.Rating)
		if l.RatingError != nil {
			got += fmt.Sprintf(" ± %.0f", *l.RatingError)
		}
		if want := table[l.Ruleset][l.Bot]; got != want {
			t.Errorf("%s, %s: %s, in the guide %s", l.Ruleset, l.Bot, got, want)
		}
	}
}
