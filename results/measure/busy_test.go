package measure

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
)

func TestLate(t *testing.T) {
	t.Parallel()
	played := func(south, north string, charged, used time.Duration) results.Summary {
		return results.Summary{Key: results.Key{South: south, North: north, Pair: 1}, Result: results.Draw, SouthTime: charged, SouthCPU: used, NorthCPU: results.UnknownCPU}
	}
	late := func(south, north string) results.Summary {
		return results.Summary{Key: results.Key{South: south, North: north, Pair: 1}, Result: results.NorthWins, Ending: results.EndTime, Fault: results.SouthFault, SouthTime: time.Hour}
	}
	hangs := late("a", "b")
	hangs.Ending = results.EndHang
	for _, c := range []struct {
		name    string
		builtin []string
		matches []results.Summary
		want    Busy
		busy    bool
	}{
		{"nothing", nil, nil, Busy{Of: 4}, false},
		{"no loss on time", []string{"a"}, []results.Summary{played("a", "b", 5, 3), hangs}, Busy{Of: 4, Charged: 5, Used: 3}, false},
		{"one bot of four", []string{"a"}, []results.Summary{late("b", "a"), late("b", "c")}, Busy{Of: 4, Bots: 1, Matches: 2}, false},
		{
			"half of the bots", nil,
			[]results.Summary{late("b", "a"), late("c", "a"), played("a", "b", 5, 3), played("d", "b", 5, 9)},
			Busy{Of: 4, Bots: 2, Matches: 2, Charged: 10, Used: 8},
			true,
		},
		{
			"built-in bots",
			[]string{"d", "a"},
			[]results.Summary{late("d", "b"), late("a", "b"), late("c", "b"), late("a", "b"), played("a", "b", 5, 3), played("c", "b", 5, 1)},
			Busy{Builtin: []string{"a", "d"}, Of: 4, Bots: 3, Matches: 3, Charged: 5, Used: 3},
			true,
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
		got, busy := l.Busy()
		if diff := cmp.Diff(c.want, got); diff != "" || busy != c.busy {
			t.Errorf("%s: busy is %v (-want +got)\n%s", c.name, busy, diff)
		}
	}
}

// charged is the record of a match whose moves were charged so many microseconds; a negative number is
// a pass.
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
