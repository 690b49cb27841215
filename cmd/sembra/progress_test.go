package main

import (
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"

	"sembra/arena"
	"sembra/results"
)

// TestLiveRows draws the live lines at several widths.
func TestLiveRows(t *testing.T) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(after time.Duration) time.Time { return began.Add(after) }
	full := liveState{
		name: "cup", played: 142, total: 380, paced: 100, began: began, faults: 3,
		leaders: []results.Leader{
			{Bot: "minimax-of-depth-8", Points: 31.5}, {Bot: "greedy", Points: 28}, {Bot: "random", Points: 20},
		},
		longest: &arena.MatchBegun{
			Number: 143, Key: results.Key{South: "greedy", North: "minimax-of-depth-8", Pair: 2}, At: at(56 * time.Second),
		},
	}
	test := liveState{
		name: "test", played: 20, total: 4000, paced: 20, began: began, atMost: true,
		aside: "LLR +0.31 (-2.94 to +2.94), pairs 0-1-5-3-1",
	}
	for _, c := range []struct {
		name  string
		state liveState
		width int
		now   time.Duration
		want  string
	}{
		{"begins", liveState{name: "cup", total: 6, began: began}, 80, 0, `
cup  0 of 6 matches  [........................................]  0%  0s
`},
		{"starts", liveState{name: "cup", total: 6, began: began, plays: true, waits: sayStarts}, 60, 9 * time.Second, `
cup  0 of 6 matches  [............................]  0%  9s
starting all bots once, before the first match
`},
		{"the starts are no part of the pace", liveState{
			name: "cup", played: 2, total: 6, paced: 2, began: began, plays: true, playing: at(20 * time.Second),
		}, 60, 30 * time.Second, `
cup  2 of 6 matches  [###.......]  33%  30s, about 20s left
`},
		{"60 columns", full, 60, 90 * time.Second, `
cup  142 of 380 matches  37%  1m30s, about 3m34s left
faults 3  points  minimax-of-depth-8 31.5, greedy 28
longest  34s  match 143 (greedy - minimax-of-depth-8, pair…
`},
		{"80 columns", full, 80, 90 * time.Second, `
cup  142 of 380 matches  [########..............]  37%  1m30s, about 3m34s left
faults 3  points  minimax-of-depth-8 31.5, greedy 28, random 20
longest  34s  match 143 (greedy - minimax-of-depth-8, pair 2)
`},
		{"a test", test, 80, 3 * time.Hour, `
test  20 of at most 4000 matches  [............]  0%  3h0m, at most 597h0m left
LLR +0.31 (-2.94 to +2.94), pairs 0-1-5-3-1
`},
		{"hardly any room", full, 10, 90 * time.Second, `
cup  142…
faults 3…
longest …
`},
		{"none", liveState{name: "a", total: 1, began: began}, 0, 0, "\n…\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := c.state.rows(c.width, at(c.now))
			equal(t, "rows", c.want, "\n"+strings.ReplaceAll(strings.Join(rows, "\n"), "\r", "")+"\n")
			for _, row := range rows {
				if c.width > 1 && displaywidth.String(strings.TrimPrefix(row, "\r")) >= c.width {
					t.Errorf("%q fills %d columns", row, c.width)
				}
			}
		})
	}
}

// TestProgressOfFaults: what a bot did wrong is told in full only twice.
func TestProgressOfFaults(t *testing.T) {
	var out strings.Builder
	p := newProgress(&out, results.Tournament{Plan: results.Plan{Name: "cup"}}, nil, 10)
	for number, what := range []string{"no seeds", "no seeds", "no seeds", "no luck", "no seeds"} {
		record := results.Record{Evidence: &results.Evidence{What: what}}
		record.Key = results.Key{South: "a", North: "b", Pair: 1}
		record.Fault, record.Ending = results.SouthFault, results.EndCrash
		p.sayFault(&arena.MatchEnded{Number: number + 1, Record: record})
	}
	want := ""
	for _, line := range []string{
		"1: no seeds", "2: no seeds", "3: the same as before", "4: no luck", "5: the same as before",
	} {
		number, what, _ := strings.Cut(line, ": ")
		want += "match " + number + " (a - b, pair 1): a loses (crash): " + what + "\n"
	}
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

// TestSayBusy: losses on time are put down to the machine if built-in bots lose so.
func TestSayBusy(t *testing.T) {
	lost := func(bot, other string, ending results.Ending) results.Summary {
		return results.Summary{
			Key: results.Key{South: bot, North: other, Pair: 1}, Result: results.NorthWins,
			Ending: ending, Fault: results.SouthFault,
		}
	}
	plan := results.Tournament{Plan: results.Plan{
		Bots: []string{"a", "b", "c"},
		Programs: map[string]results.Program{
			"a": {Builtin: "random"}, "b": {Command: []string{"b"}}, "c": {Builtin: "greedy"},
		},
	}}
	for _, c := range []struct {
		matches []results.Summary
		want    string
	}{
		{nil, ""},
		{[]results.Summary{lost("b", "a", results.EndTime), lost("b", "c", results.EndTime)}, ""},
		{[]results.Summary{lost("a", "b", results.EndHang)}, ""},
		{
			[]results.Summary{lost("c", "b", results.EndTime), lost("b", "a", results.EndTime), lost("a", "b", results.EndTime)},
			"note: the machine was busy: built-in bots keep to their clocks, but lost 2 matches on time (a, c)\n" +
				"  (hint: a lower concurrency than 3, or a larger margin)\n",
		},
	} {
		late := make(map[string]int)
		for _, match := range c.matches {
			if bot := plan.TimedOutBuiltin(match); bot != "" {
				late[bot]++
			}
		}
		var out strings.Builder
		sayBusy(&out, late, 3)
		if out.String() != c.want {
			t.Errorf("%q, not %q", out.String(), c.want)
		}
	}
}
