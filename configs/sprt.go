package configs

import (
	"strings"

	"sembra/results"
	"sembra/results/stats"
)

// readTest reads the table [sprt]. A file that has it describes a sequential test: up to max_pairs pairs of two bots.
func readTest(d *document, f *file, p *results.Plan) {
	choose(d, "sprt.model", f.Test.Model, stats.Models()...)
	if !d.has("sprt") {
		return
	}
	if err := f.Test.Check(); err != nil && len(d.wrong) == 0 {
		path := "sprt"
		for _, word := range strings.Fields(err.Error()) { // the last key that it names and that is in the file
			if d.has("sprt." + word) {
				path = "sprt." + word
			}
		}
		d.refuse(path, "sprt: %v", err)
	}
	if len(d.wrong) > 0 {
		return
	}
	switch {
	case d.has("tournament.pairs"):
		d.refuse("tournament.pairs", "tournament.pairs is given, but the file has a table [sprt] "+
			"(hint: sprt.max_pairs is the most pairs of a test)")
	case len(p.Bots) != 2:
		d.refuse("bot.2", "the number of bots is %d (%s); a test needs two", len(p.Bots), strings.Join(p.Bots, ", "))
	case p.Format != results.RoundRobin:
		d.refuse("tournament.format", "tournament.format is %q; for a test it must be %q or missing",
			p.Format, results.RoundRobin)
	}
	p.Format, p.Test, p.Pairs = results.Sequential, &f.Test, f.MaxPairs
}
