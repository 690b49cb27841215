package configs

import (
	"fmt"
	"strings"

	"sembra/arena"
	"sembra/results"
	"sembra/results/stats"
)

// mostElo is the largest difference of a test's hypotheses, in Elo.
const mostElo = 2000

// readTest reads the sequential test of sembra sprt. There is none without the
// table [sprt].
func readTest(d *document, f *testTable, c *Config) {
	choose(d, "sprt.model", f.Model, stats.Models()...)
	if !d.has("sprt") {
		return
	}
	test := stats.Test{Elo0: f.Elo0, Elo1: f.Elo1, Alpha: f.Alpha, Beta: f.Beta, Model: f.Model}
	checkTest(d, test)
	c.Test, c.MaxPairs = &test, f.MaxPairs
}

// checkTest refuses impossible hypotheses and chances of error.
func checkTest(d *document, test stats.Test) {
	for _, key := range []struct {
		path  string
		value float64
	}{{"sprt.elo0", test.Elo0}, {"sprt.elo1", test.Elo1}} {
		if key.value < -mostElo || key.value > mostElo {
			d.refuse(key.path, "%s is %v; it must be from -%d to %d", key.path, key.value, mostElo, mostElo)
		}
	}
	if test.Elo0 >= test.Elo1 {
		d.refuse(given(d, "sprt.elo1", "sprt.elo0"), "sprt.elo0 is %v and sprt.elo1 is %v; elo1 must be larger",
			test.Elo0, test.Elo1)
	}
	for _, key := range []struct {
		path  string
		value float64
	}{{"sprt.alpha", test.Alpha}, {"sprt.beta", test.Beta}} {
		if !(key.value > 0 && key.value < 1) {
			d.refuse(key.path, "%s is %v; it must be a chance of error between 0 and 1", key.path, key.value)
		}
	}
	if test.Alpha+test.Beta >= 1 {
		d.refuse(given(d, "sprt.beta", "sprt.alpha"), "sprt.alpha is %v and sprt.beta is %v; their sum must be less than 1",
			test.Alpha, test.Beta)
	}
	if err := test.Check(); err != nil {
		d.refuse("sprt", "sprt.%v", err)
	}
}

// given returns the first path that is in the file, or the last path if none is.
func given(d *document, paths ...string) string {
	for _, path := range paths {
		if d.has(path) {
			return path
		}
	}
	return paths[len(paths)-1]
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
	case len(t.Entries) != 2:
		return t, d.errorNear("bot.2", fmt.Sprintf("the number of bots is %d (%s); a test needs two",
			len(t.Entries), strings.Join(names(&t), ", ")))
	case d.has("tournament.format") && t.Format != results.RoundRobin:
		return t, d.errorNear("tournament.format", fmt.Sprintf(
			"tournament.format is %q; for a test it must be %q or missing", t.Format, results.RoundRobin))
	}
	switch {
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
