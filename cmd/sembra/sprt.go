package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sembra/configs"
	"sembra/results/store"
)

// tellOpenings says if a test has fewer openings than max_pairs.
func tellOpenings(w io.Writer, config *configs.Config) {
	t := config.Tournament
	switch {
	case t.Test == nil:
	case t.Pairs > 1 && t.Opening(1) == t.Opening(2):
		say(w,
			"warning: all pairs begin with the start position: bots without randomness repeat the same "+
				"match, which counts only once (hint: give the test [openings])")
	case t.Pairs < config.MaxPairs:
		say(w, "note: the test has %s, so it ends after that many pairs at the latest (max_pairs is %d)",
			plural(t.Pairs, "different opening", "different openings"), config.MaxPairs)
	}
}

// remark says how a sequential test stands. It returns "" for other tournaments.
func remark(b *store.Records) string {
	test := b.Schedule.Test()
	if test == nil {
		return ""
	}
	lower, upper := b.Tournament.Test.Bounds()
	var pairs []string
	for _, n := range test.Counts.Pairs {
		pairs = append(pairs, strconv.Itoa(n))
	}
	return fmt.Sprintf("LLR %+.2f (%.2f to %+.2f), pairs %s", test.LLR, lower, upper, strings.Join(pairs, "-"))
}
