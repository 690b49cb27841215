package main

import (
	"strings"
	"testing"

	"sembra/arena"
	"sembra/results"
)

// TestProgressOfFaults: what a bot did wrong is told in full only twice.
func TestProgressOfFaults(t *testing.T) {
	var out strings.Builder
	p := newProgress(&out, results.Tournament{Name: "cup"}, nil, 10)
	for number, what := range []string{"no seeds", "no seeds", "no seeds", "no luck", "no seeds"} {
		ended := &arena.MatchEnded{Key: results.Key{South: "a", North: "b", Pair: 1}, Number: number + 1, What: what}
		ended.Record.Key, ended.Record.Fault, ended.Record.Ending = ended.Key, results.SouthFault, results.EndCrash
		p.sayFault(ended)
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
