package configs

import (
	"strings"

	"sembra/results"
	"sembra/results/stats"
)

// readTest reads the sequential test of the table [sprt]. If play is set, the test is what is played: up to max_pairs
// pairs of its two bots.
func readTest(d *document, f *testTable, c *Config, play bool) {
	choose(d, "sprt.model", f.Model, stats.Models()...)
	c.HasTest, c.MaxPairs = d.has("sprt"), f.MaxPairs
	if err := f.Check(); err != nil && c.HasTest && len(d.wrong) == 0 {
		path := "sprt"
		for _, word := range strings.Fields(err.Error()) { // the last key that it names and that is in the file
			if d.has("sprt." + word) {
				path = "sprt." + word
			}
		}
		d.refuse(path, "sprt: %v", err)
	}
	if !play || len(d.wrong) > 0 {
		return
	}
	t := &c.Tournament
	switch {
	case !c.HasTest:
		d.refuse("sprt", "the table [sprt] is missing, which describes the test")
	case len(t.Entries) != 2:
		d.refuse("bot.2", "the number of bots is %d (%s); a test needs two", len(t.Entries), strings.Join(names(t), ", "))
	case t.Format != results.RoundRobin:
		d.refuse("tournament.format", "tournament.format is %q; for a test it must be %q or missing",
			t.Format, results.RoundRobin)
	}
	t.Format, t.Test, t.Pairs = results.Sequential, &f.Test, f.MaxPairs
}
