//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sembra/results"
	"sembra/results/store"
)

// TestReaderStopsEarly: when the reader of a pipe ends, as head does, the program
// ends without a word.
func TestReaderStopsEarly(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGPIPE) {
		t.Skip("who started this test ignores SIGPIPE, and the program does as well")
	}
	db := filepath.Join(t.TempDir(), "cup.db")
	longTournament(t, db)
	for _, format := range []string{"table", "csv", "jsonl"} {
		var stderr bytes.Buffer
		cmd := exec.Command("sembra", "matches", "--db", db, "--format", format)
		cmd.Stderr = &stderr
		stdout, err := cmd.StdoutPipe()
		mustBe(t, err)
		mustBe(t, cmd.Start())
		if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
			t.Errorf("%s: no line: %v", format, err)
		}
		stdout.Close()
		err = cmd.Wait()
		exit := new(exec.ExitError)
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE || stderr.Len() > 0 {
			t.Errorf("%s: %v, %q", format, err, stderr.String())
		}
	}
}

// longTournament writes a database with more matches than a pipe holds lines of.
func longTournament(t *testing.T, path string) {
	t.Helper()
	const pairs = 2000
	db, err := store.Open(path)
	mustBe(t, err)
	defer db.Close()
	plan := results.Tournament{
		Name: "cup", Family: "cup", Ruleset: "awale", Format: results.RoundRobin, Rounds: 1, Pairs: pairs,
		Bots: []string{"a", "b"}, Rating: results.Rating{Start: 1500, K: 16},
	}
	for range pairs {
		plan.Openings = append(plan.Openings, strings.Repeat("4", 50))
	}
	book, err := db.Begin(plan, false)
	mustBe(t, err)
	var records []results.Record
	for slot := 1; slot <= book.Schedule.Len(); slot++ {
		records = append(records, results.Record{Summary: results.Summary{
			Key: book.Schedule.Key(slot), Result: results.SouthWins, Ending: results.EndResign, SouthCPU: -1, NorthCPU: -1,
		}})
	}
	mustBe(t, book.Put(records))
}
