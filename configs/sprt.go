package configs

import (
	"fmt"
	"strings"

	"sembra/arena"
	"sembra/results"
	"sembra/results/stats"
)

// readTest reads the sequential test of sembra sprt. There is none without the
// table [sprt].
func readTest(d *document, f *testTable, c *Config) {
	choose(d, "sprt.model", f.Model, stats.Models()...)
	if !d.has("sprt") || len(d.wrong) > 0 {
		return
	}
	if err := f.Check(); err != nil {
		path := "sprt"
		for _, word := range strings.Fields(err.Error()) { // the last key that it names and that is in the file
			if d.has("sprt." + word) {
				path = "sprt." + word
			}
		}
		d.refuse(path, "sprt: %v", err)
	}
	c.Test, c.MaxPairs = &f.Test, f.MaxPairs
}

// Sequential returns the sequential test of the file as a tournament. Its two
// bots play up to MaxPairs pairs, or fewer if there are fewer different
// openings; tournament.pairs does not matter. The seed decides the order of a
// list of openings. A file that describes no test is an [*Error].
func (c *Config) Sequential() (arena.Tournament, error) {
	d, t := c.document, c.Tournament
	switch {
	case c.Test == nil:
		return t, &Error{File: d.file, Problem: "the table [sprt] is missing, which describes the test"}
	case len(t.Entries) != 2 || len(t.Playing()) != 2:
		return t, d.errorNear("bot.2", fmt.Sprintf("the number of bots is %d (%s); a test needs two",
			len(t.Playing()), strings.Join(namesOf(t.Playing(), nameOfBot), ", ")))
	case t.Format != results.RoundRobin:
		return t, d.errorNear("tournament.format", fmt.Sprintf(
			"tournament.format is %q; for a test it must be %q or missing", t.Format, results.RoundRobin))
	case c.list != nil:
		list := arena.ShuffledOpenings(t.Rules, t.Seed, c.list)
		t.Openings = list[:min(c.MaxPairs, len(list))]
	case c.plies > 0:
		t.Openings = arena.FewerOpenings(t.Rules, t.Seed, c.plies, c.MaxPairs)
	default:
		t.Openings = make([]string, c.MaxPairs)
	}
	t.Format, t.Test, t.Pairs, t.ExtraPairs = results.Sequential, c.Test, len(t.Openings), 0
	return t, nil
}
