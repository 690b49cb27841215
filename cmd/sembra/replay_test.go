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

// faultyMatch makes a database with a tournament of two matches. The first match is
// recorded, with its conversation.
func faultyMatch(t *testing.T, dir string, evidence *results.Evidence) {
	t.Helper()
	rules := must2(engine.Lookup("awale"))
	start := engine.Text(rules, rules.Start())
	tournament := results.Tournament{
		Name: "cup", Family: "cup", Ruleset: "awale", Format: "round-robin", Rounds: 1, Pairs: 1,
		Bots: []string{"good", "bad"}, Openings: []string{start}, Rating: results.Rating{Start: 1500, K: 16},
	}
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
	records := must2(store.Begin(tournament, true))
	mustBe(t, records.Put([]results.Record{record}))
}

// TestReplayLog: replay --log prints the conversation without control characters.
func TestReplayLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	faultyMatch(t, dir, &results.Evidence{What: "illegal move", North: results.Talk{
		Lines:  []results.TalkLine{{At: time.Second, Text: []byte("go")}, {At: 2 * time.Second, Said: true, Text: []byte("bestmove \x1b[2JQ")}},
		Stderr: []byte("no seeds\x07\n"),
	}})
	got := mustRun(t, dir, "replay", "--db", "cup.db", "--log", "1")
	const want = "cup, match 1 of 2: good - bad, pair 1\ngood (South) has won, stores 0-0 (illegal); at fault: bad (North)\nillegal move\n"
	const said = "+1.000000s > go\n+2.000000s < bestmove ␛[2JQ\nstandard error of bad (North)\n  no seeds␇\n"
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, said) {
		t.Errorf("%q\nwant %q…%q", got, want, said)
	}
}

func TestReplayNotThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	faultyMatch(t, dir, nil)
	stdout, stderr, status := sembra(t, dir, "replay", "--db", "cup.db", "--log", "1")
	if stdout != "" || !strings.HasPrefix(stderr, "match 1: ") || status != exitDone {
		t.Errorf("exit status %d, %q and %q", status, stdout, stderr)
	}
	stdout, stderr, status = sembra(t, dir, "replay", "--db", "cup.db", "2")
	const want = "sembra: cup.db: match 2 of tournament "
	if stdout != "" || !strings.HasPrefix(stderr, want) || status != exitWrong {
		t.Errorf("exit status %d, %q and %q, want %q", status, stdout, stderr, want)
	}
}
