package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sembra/engine"
	"sembra/results"
	"sembra/results/schedule"
	"sembra/results/store"
)

// TestTablesFit: what is printed fits into a terminal, unless --wide asks for whole tables.
func TestTablesFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	faultyMatch(t, dir, nil)
	for _, c := range []struct {
		width     uint16
		args      string
		want, end string
	}{
		{120, "standings --db cup.db", "# bot  points matches won drawn lost  score faults CPU\r\n", "2 bad  0/1   .\r\n"},
		{40, "standings --db cup.db", "# bot  points matches faults\r\n", "2 bad  0/1   .\r\n"},
		{40, "standings --db cup.db --wide", "# bot  points matches won drawn lost  score  Elo faults CPU\r\n", "2 bad  0/1   .\r\n"},
		{40, "head-to-head --db cup.db", "bot  opponent points    Elo   LOS\r\n", "all)\r\n"},
		{80, "head-to-head --db cup.db --wide", "  LL-LD-level-WD-WW  by fault      CPU\r\n", "pairs by result\r\n"},
		{80, "duel random greedy minimax:Depth=1 --time 10m --pairs 2", "# bot            points matches", "interval\r\n"},
		{80, "replay --db cup.db --log 1", "match 1: its conversation was not kept (", ")\r\n"},
		{80, "duel random minimax:Deep=1", "unknown option \"Deep\"", "Depth)\r\n"},
	} {
		term := newTerminal(t, c.width, 24)
		_ = term.start(t, dir, strings.Fields(c.args)...).Wait() // the last one fails
		term.await(t, 0, c.end)
		seen := term.sofar()
		if !strings.Contains(seen, c.want) {
			t.Errorf("%s, %d columns:\n%s", c.args, c.width, seen)
		}
		for line := range strings.SplitSeq(seen, "\n") {
			line = strings.TrimRight(line, "\r")
			shown := line[strings.LastIndex(line, "\r")+1:] // live lines are written over
			if len([]rune(shown)) > int(c.width) && !strings.Contains(c.args, "--wide") && !strings.Contains(line, "\x1b") &&
				!strings.HasPrefix(line, "isolation: ") { // what this machine lacks may fill more than a line
				t.Errorf("%s, %d columns: %q", c.args, c.width, line)
			}
		}
	}
}

// faultyMatch makes a database with a tournament of two matches. The first match is recorded, with its conversation.
func faultyMatch(t *testing.T, dir string, evidence *results.Evidence) {
	t.Helper()
	rules := must2(engine.Lookup("awale"))
	start := engine.Text(rules, rules.Start())
	tournament := results.Tournament{Plan: results.Plan{
		Name: "cup", Format: "round-robin", Pairs: 1,
		Conditions: results.Conditions{Ruleset: "awale", Rounds: 1},
		Bots:       []string{"good", "bad"}, Openings: []string{start}, Rating: results.Rating{Start: 1500, K: 16},
	}, Family: "cup"}
	schedule := schedule.New(tournament)
	record := results.Record{
		Summary: results.Summary{
			Key: schedule.Key(1), Result: results.SouthWins, Ending: results.EndIllegal, Fault: results.NorthFault, Rounds: 1, Plies: 1,
		},
		Body: results.Body{
			Opening: start, Moves: []string{"C"}, Elapsed: []time.Duration{time.Millisecond},
			Rounds: []results.Round{{Start: start, Plies: 1, Position: start, Reason: "illegal"}},
		},
		Evidence: evidence,
	}
	store := must2(store.Open(filepath.Join(dir, "cup.db")))
	defer store.Close()
	records := must2(store.Begin(tournament.Plan, true))
	must(t, records.Put([]results.Record{record}))
}
