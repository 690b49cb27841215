package main

import (
	"strings"
	"testing"
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
