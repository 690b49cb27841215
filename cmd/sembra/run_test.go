package main

import (
	"strings"
	"testing"

	"sembra/results"
)

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
			if bot := plan.LateBuiltin(match); bot != "" {
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
