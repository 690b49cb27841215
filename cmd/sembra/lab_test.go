package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"sembra/engine"
)

// TestLabAtAnyConcurrency: the report does not depend on the order in which matches end.
func TestLabAtAnyConcurrency(t *testing.T) {
	t.Parallel()
	for _, flags := range []string{"bechi-2x3 --matches 60", "awale --bots greedy,random --opening-plies 3 --matches 60"} {
		args := append([]string{"lab", "--format", "json"}, strings.Fields(flags)...)
		one := mustRun(t, ".", append(args, "--concurrency", "1")...)
		four := mustRun(t, ".", append(args, "--concurrency", "4")...)
		equal(t, "concurrency 4: "+flags, one, four)
	}
}

// TestGuideBalance: the table in results/BALANCE.md contains what the command measures for every ruleset.
func TestGuideBalance(t *testing.T) {
	if !long {
		t.Skip("it plays 1000 matches of every ruleset")
	}
	t.Parallel()
	guide := must2(os.ReadFile(root + "/results/BALANCE.md"))
	for _, rules := range engine.Rulesets() {
		line := balanceLine(t, mustRun(t, ".", "lab", rules.Info().Name, "--format", "csv"))
		if !strings.Contains(string(guide), "\n"+line+"\n") {
			t.Errorf("results/BALANCE.md does not have this line:\n%s", line)
		}
	}
}

// balanceLine rounds what sembra lab --format csv prints to a line of the table in results/BALANCE.md.
func balanceLine(t *testing.T, text string) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows of CSV, %v", len(rows), err)
	}
	cells := make(map[string]string)
	for i, field := range rows[0] {
		cells[field] = rows[1][i]
	}
	number := func(field string) float64 {
		n, err := strconv.ParseFloat(cells[field], 64)
		if err != nil {
			t.Fatalf("%s: %v", field, err)
		}
		return n
	}
	cycles := number("round_ends_repetition") + number("round_ends_quiet")
	rounds := cycles + number("round_ends_normal") + number("round_ends_early")
	roundsPlayed, wonByOut := "1", "–" // a single round
	if cells["won_by_out"] != "" {
		roundsPlayed, wonByOut = fmt.Sprintf("%.2f", number("rounds")), fmt.Sprintf("%.1f%%", 100*number("won_by_out"))
	}
	return fmt.Sprintf("| `%s` | %.1f ± %.1f%% | %.1f%% | %s | %.1f | %.2f | %.1f%% | %s |",
		cells["ruleset"], 100*number("first_score"), 100*number("first_score_error"), 100*number("draws"),
		roundsPlayed, number("round_plies"), number("legal_moves"), 100*cycles/rounds, wonByOut)
}
