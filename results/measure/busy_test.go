package measure

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sembra/results"
)

func TestLate(t *testing.T) {
	t.Parallel()
	late := func(south, north string) results.Summary {
		return results.Summary{Key: results.Key{South: south, North: north, Pair: 1}, Ending: results.EndTime, Fault: results.SouthFault}
	}
	hangs := late("a", "b")
	hangs.Ending = results.EndHang
	for _, c := range []struct {
		name    string
		builtin []string
		matches []results.Summary
		bots    string
		want    int
	}{
		{"nothing", nil, nil, "", 0},
		{"no loss on time", []string{"a"}, []results.Summary{hangs}, "", 0},
		{"one bot of four", []string{"a"}, []results.Summary{late("b", "a"), late("b", "c")}, "", 0},
		{"half of the bots", nil, []results.Summary{late("b", "a"), late("c", "a")}, "b, c", 2},
		{
			"built-in bots",
			[]string{"d", "a"},
			[]results.Summary{late("d", "b"), late("a", "b"), late("c", "b"), late("a", "b")},
			"a, d", 3,
		},
	} {
		plan := results.Tournament{Bots: []string{"a", "b", "c", "d"}, Programs: make(map[string]results.Program)}
		for _, bot := range plan.Bots {
			plan.Programs[bot] = results.Program{Command: []string{bot}}
			if slices.Contains(c.builtin, bot) {
				plan.Programs[bot] = results.Program{Builtin: bot}
			}
		}
		l := NewLate(plan)
		for _, match := range c.matches {
			l.Add(match)
		}
		bots, matches, builtin := l.Busy()
		if strings.Join(bots, ", ") != c.bots || matches != c.want || builtin != (c.name == "built-in bots") {
			t.Errorf("%s: %q, %d matches, built-in: %v", c.name, bots, matches, builtin)
		}
	}
}

// charged is the record of a match whose moves were charged so many microseconds; a negative number is a pass.
func charged(micros ...int) results.Record {
	r := results.Record{Summary: results.Summary{Key: results.Key{South: "random", North: "random-2", Pair: 1}}}
	for _, n := range micros {
		token := "A"
		if n < 0 {
			token, n = "pass", 0
		}
		r.Moves = append(r.Moves, token)
		r.Elapsed = append(r.Elapsed, time.Duration(n)*time.Microsecond)
	}
	return r
}

// TestChargeFigures: the median by the nearest rank and the longest, counted by hand, of any order of times.
func TestChargeFigures(t *testing.T) {
	t.Parallel()
	const us = time.Microsecond
	for _, c := range []struct {
		name            string
		records         []results.Record
		median, longest time.Duration
	}{
		{"none", nil, 0, 0},
		{"only passes", []results.Record{charged(-1, -1)}, 0, 0},
		{"one", []results.Record{charged(7)}, 7 * us, 7 * us},
		{"two", []results.Record{charged(9, 7)}, 7 * us, 9 * us},
		{"three, in two matches", []results.Record{charged(9, 7), charged(8)}, 8 * us, 9 * us},
		{"passes are left out", []results.Record{charged(-1, 3, -1, 5, -1, 4)}, 4 * us, 5 * us},
	} {
		for range 2 {
			charges := new(Charges)
			must(t, charges.Put(c.records))
			if median, longest := charges.Result(); median != c.median || longest != c.longest {
				t.Errorf("%s: %v, %v", c.name, median, longest)
			}
			slices.Reverse(c.records)
		}
	}
}
