package main

import (
	"strings"
	"testing"
)

// TestTablesFit: tables fit into a terminal, unless --wide asks for all of them.
func TestTablesFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	faultyMatch(t, dir, nil)
	for _, c := range []struct {
		width     uint16
		args      string
		want, end string
	}{
		{120, "standings", "# bot  points matches won drawn lost  score faults CPU\r\n", "2 bad  0/1   .\r\n"},
		{40, "standings", "# bot  points matches faults\r\n", "2 bad  0/1   .\r\n"},
		{40, "standings --wide", "# bot  points matches won drawn lost  score  Elo faults CPU\r\n", "2 bad  0/1   .\r\n"},
		{40, "head-to-head", "bot  opponent points    Elo   LOS\r\n", "all)\r\n"},
		{80, "head-to-head --wide", "  LL-LD-level-WD-WW  by fault      CPU\r\n", "of their own\r\n"},
	} {
		term := newTerminal(t, c.width, 24)
		args := append(strings.Fields(c.args), "--db", "cup.db")
		if err := term.start(t, dir, args...).Wait(); err != nil {
			t.Errorf("%s: %v", c.args, err)
		}
		term.await(t, 0, c.end)
		seen := term.sofar()
		if !strings.Contains(seen, c.want) {
			t.Errorf("%s, %d columns:\n%s", c.args, c.width, seen)
		}
		for line := range strings.SplitSeq(seen, "\r\n") {
			if len([]rune(line)) > int(c.width) && !strings.Contains(c.args, "--wide") {
				t.Errorf("%s, %d columns: %s", c.args, c.width, line)
			}
		}
	}
}

// TestDuelFits: on a terminal of 80 columns, nothing that a duel prints is wider.
func TestDuelFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want, end string }{
		{"random greedy minimax:Depth=1 --time 10m --pairs 2", "# bot            points matches", "interval\r\n"},
		{"random minimax:Deep=1", "unknown option \"Deep\"", "Depth)\r\n"},
	} {
		term := newTerminal(t, 80, 24)
		_ = term.start(t, t.TempDir(), append([]string{"duel"}, strings.Fields(c.args)...)...).Wait()
		term.await(t, 0, c.end)
		seen := term.sofar()
		if !strings.Contains(seen, c.want) {
			t.Errorf("%s:\n%s", c.args, seen)
		}
		for line := range strings.SplitSeq(seen, "\n") {
			if strings.HasPrefix(line, "isolation: ") {
				continue // what this machine lacks may fill more than a line
			}
			shown := line[strings.LastIndex(strings.TrimRight(line, "\r"), "\r")+1:] // live lines are written over
			if columns := len([]rune(strings.TrimRight(shown, "\r"))); columns > 80 && !strings.Contains(line, "\x1b") {
				t.Errorf("%s: %d columns: %q", c.args, columns, line)
			}
		}
	}
}
