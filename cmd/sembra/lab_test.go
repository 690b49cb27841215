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

// TestGuideBalance: the table in results/BALANCE.md contains what the command measures for bechi or, with TABLES=all in
// the environment, for every ruleset.
func TestGuideBalance(t *testing.T) {
	if !long {
		t.Skip("it plays 1000 matches")
	}
	t.Parallel()
	guide := must2(os.ReadFile(root + "/results/BALANCE.md"))
	for _, rules := range engine.Rulesets() {
		if name := rules.Info().Name; name != "bechi" && os.Getenv("TABLES") != "all" {
			continue
		}
		if line := balanceLine(t, rules.Info().Name); !strings.Contains(string(guide), "\n"+line+"\n") {
			t.Errorf("results/BALANCE.md does not have this line:\n%s", line)
		}
	}
}

// balanceLine is a line of the table in results/BALANCE.md: who moves first, at three strengths, and more of random.
func balanceLine(t *testing.T, ruleset string) string {
	t.Helper()
	line := "| `" + ruleset + "`"
	var cells map[string]string
	number := func(field string) float64 { return must2(strconv.ParseFloat(cells[field], 64)) }
	for _, bots := range []string{"minimax:Depth=4", "greedy", "random"} {
		args := []string{"lab", ruleset, "--format", "csv", "--bots", bots}
		if bots != "random" {
			args = append(args, "--opening-plies", "8")
		}
		cells = make(map[string]string)
		rows := must2(csv.NewReader(strings.NewReader(mustRun(t, ".", args...))).ReadAll())
		for i, field := range rows[0] {
			cells[field] = rows[1][i]
		}
		line += fmt.Sprintf(" | %.1f ± %.1f%%", 100*number("first_score"), 100*number("first_score_error"))
	}
	cycles := number("round_ends_repetition") + number("round_ends_quiet")
	rounds := cycles + number("round_ends_normal") + number("round_ends_early")
	roundsPlayed, wonByOut := "1", "–" // a single round
	if cells["won_by_out"] != "" {
		roundsPlayed, wonByOut = fmt.Sprintf("%.2f", number("rounds")), fmt.Sprintf("%.1f%%", 100*number("won_by_out"))
	}
	return fmt.Sprintf("%s | %.1f%% | %s | %.1f | %.2f | %.1f%% | %s |", line, 100*number("draws"),
		roundsPlayed, number("round_plies"), number("legal_moves"), 100*cycles/rounds, wonByOut)
}
