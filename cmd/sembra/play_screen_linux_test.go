package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPlayScreen plays at a terminal, and quits in every way. No process of the bot is
// left, and the terminal is as it was.
func TestPlayScreen(t *testing.T) {
	t.Parallel()
	for how, quit := range map[string]struct {
		keys   string
		signal syscall.Signal
		status int
		last   string
	}{
		"q":          {keys: "q", last: "sembra play awale --against 'testbot parent played-q-"},
		"interrupt":  {keys: "\x03", status: exitStopped, last: "sembra: stopped by a signal"},
		"terminated": {signal: syscall.SIGTERM, status: exitStopped, last: "sembra: stopped by a signal"},
		"hung up":    {signal: syscall.SIGHUP, status: exitStopped, last: "sembra: stopped by a signal"},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			mark := fmt.Sprintf("played-%s-%d", strings.ReplaceAll(how, " ", "-"), os.Getpid())
			term := newTerminal(t, 80, 24)
			before := term.settings(t)
			cmd := term.start(t, t.TempDir(), "play", "awale", "--against", "testbot parent "+mark, "--time", "1h")
			term.await(t, 0, taken)
			term.await(t, 0, "> A  4 seeds to B C D E")
			if term.settings(t) == before {
				t.Error("keys are not given at once")
			}
			term.types(t, "z", "no move begins with z")
			term.types(t, "\x1b[C", "> B  4 seeds to C D E F")
			term.types(t, "c", "your move: c_")
			term.types(t, "\r", "North sowed a: 5 seeds to b c d e f.")
			term.types(t, "?", "Legal moves")
			term.types(t, "?", "North sowed a: 5 seeds to b c d e f.")
			term.types(t, "u", "> C  4 seeds to D E F a")
			term.types(t, "c\r", "North sowed a: 5 seeds to b c d e f.")
			seen := len(term.sofar())
			term.resize(t, 30, 8)
			term.await(t, seen, "letter or arrows, Enter; ? he…")
			if quit.signal == 0 {
				term.types(t, quit.keys, given)
			} else if err := cmd.Process.Signal(quit.signal); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != quit.status {
				t.Errorf("%v, exit status %d wanted", err, quit.status)
			}
			term.await(t, seen, quit.last)
			if after := term.settings(t); after != before {
				t.Errorf("the terminal is left as %+v, and was %+v", after, before)
			}
			if left := commandsWith(mark); len(left) > 0 {
				t.Errorf("these processes are left: %q", left)
			}
		})
	}
}

// TestPlayScreenToEnd resigns at a terminal, and saves the match.
func TestPlayScreenToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	term := newTerminal(t, 80, 24)
	cmd := term.start(t, dir, "play", "redu", "--against", "testbot first", "--time", "1h", "--seat", "north")
	term.await(t, 0, "your move: ")
	term.types(t, "r", "give up the match?")
	term.types(t, "n", "your move: ")
	term.types(t, "r", "give up the match?")
	term.types(t, "y", "testbot (South) has won, stores 0-0 (resign)")
	term.types(t, "s", "save the match as: redu-1.txt_")
	term.types(t, "\r", "the match is saved as redu-1.txt")
	term.types(t, "s", "save the match as: redu-1.txt_")
	term.types(t, "\x7f\r", "the match is saved as redu-1.tx")
	term.types(t, "u", "your move: ") // the resignation is taken back
	term.types(t, "u", "there is no move of yours to take back")
	term.types(t, "q", given)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "redu-1.txt"))
	if err != nil || !strings.Contains(string(text), `[Ending "resign"]`) {
		t.Errorf("saved is %q, %v", text, err)
	}
}
