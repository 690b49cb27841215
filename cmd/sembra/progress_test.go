package main

import (
	"strings"
	"testing"

	"sembra/results"
)

// TestProgressOfMatches: a sequential test may end early, so its number of matches
// is an upper limit.
func TestProgressOfMatches(t *testing.T) {
	for _, c := range []struct {
		format        string
		played, total int
		want          string
	}{
		{results.RoundRobin, 14, 2028, "14 of 2028 matches played, 0s\n"},
		{results.Sequential, 14, 2028, "14 of at most 2028 matches played, 0s\n"},
		{results.Sequential, 0, 2028, "0 of at most 2028 matches played, 0s\n"},
		{results.Sequential, 14, 14, "14 of 14 matches played, 0s\n"},
		{results.Knockout, 6, 6, "6 of 6 matches played, 0s\n"},
	} {
		var out strings.Builder
		p := newProgress(&out, results.Tournament{Name: "cup", Format: c.format}, make([]results.Slotted, c.played), c.total)
		p.sayPlayed()
		if out.String() != c.want {
			t.Errorf("%s: %q, not %q", c.format, out.String(), c.want)
		}
	}
}
