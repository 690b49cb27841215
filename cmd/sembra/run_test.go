package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"sembra/arena"
	"sembra/results"
	"sembra/results/measure"
)

// TestSayBusy: losses on time are put down to the machine if built-in bots or many
// bots lose so. Without matches after the run, nothing is said of a move now.
func TestSayBusy(t *testing.T) {
	lost := func(bot, other string) results.Summary {
		return results.Summary{
			Key: results.Key{South: bot, North: other, Pair: 1}, Result: results.NorthWins,
			Ending: results.EndTime, Fault: results.SouthFault,
		}
	}
	played := results.Summary{
		Key: results.Key{South: "a", North: "b", Pair: 1}, Result: results.Draw,
		SouthTime: 4 * time.Second, SouthCPU: time.Second, NorthCPU: results.UnknownCPU,
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	const hint = "  (hint: a lower concurrency than 3, or a larger margin)\n"
	for _, c := range []struct {
		builtin string
		matches []results.Summary
		want    string
	}{
		{"random", []results.Summary{played, lost("b", "a")}, ""},
		{
			"random",
			[]results.Summary{played, lost("a", "b")},
			"note: the machine was busy: built-in bots keep to their clocks, but lost 1 match on time (a)\n" +
				"  in the matches without a fault, the built-in bots were charged 4s and used a processor for 1s: they waited for 75%\n" + hint,
		},
		{
			"",
			[]results.Summary{lost("a", "b"), lost("b", "a")},
			"note: the machine may have been busy: 2 of 3 bots lost on time, in 2 matches\n" + hint,
		},
	} {
		late := measure.NewLate(results.Tournament{
			Bots: []string{"a", "b", "c"}, Programs: map[string]results.Program{"a": {Builtin: c.builtin}},
		})
		for _, match := range c.matches {
			late.Add(match)
		}
		var out strings.Builder
		sayBusy(stopped, &out, late, arena.Tournament{Concurrency: 3})
		if out.String() != c.want {
			t.Errorf("%q, not %q", out.String(), c.want)
		}
	}
}
