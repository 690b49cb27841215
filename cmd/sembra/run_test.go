package main

import (
	"strings"
	"testing"

	"sembra/results"
	"sembra/results/measure"
)

// TestSayBusy: losses on time are put down to the machine if built-in bots or many bots lose so.
func TestSayBusy(t *testing.T) {
	lost := func(bot, other string) results.Summary {
		return results.Summary{
			Key: results.Key{South: bot, North: other, Pair: 1}, Result: results.NorthWins,
			Ending: results.EndTime, Fault: results.SouthFault,
		}
	}
	const hint = "  (hint: a lower concurrency than 3, or a larger margin)\n"
	for _, c := range []struct {
		builtin string
		matches []results.Summary
		want    string
	}{
		{"random", []results.Summary{lost("b", "a")}, ""},
		{
			"random",
			[]results.Summary{lost("a", "b")},
			"note: the machine was busy: built-in bots keep to their clocks, but lost 1 match on time (a)\n" + hint,
		},
		{
			"",
			[]results.Summary{lost("a", "b"), lost("b", "a")},
			"note: the machine may have been busy: at least half of the bots lost 2 matches on time (a, b)\n" + hint,
		},
	} {
		late := measure.NewLate(results.Tournament{
			Bots: []string{"a", "b", "c"}, Programs: map[string]results.Program{"a": {Builtin: c.builtin}},
		})
		for _, match := range c.matches {
			late.Add(match)
		}
		var out strings.Builder
		sayBusy(&out, late, 3)
		if out.String() != c.want {
			t.Errorf("%q, not %q", out.String(), c.want)
		}
	}
}
