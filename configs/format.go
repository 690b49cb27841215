package configs

import (
	"math/bits"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"sembra/arena"
	"sembra/results"
)

// formats lists the values of tournament.format.
func formats() []string {
	return []string{results.RoundRobin, results.Gauntlet, results.Swiss, results.Knockout}
}

// defaultExtraPairs is the largest number of extra pairs that break a tie of a
// knockout, where the file gives none.
const defaultExtraPairs = 4

// readFormat reads the keys that belong to one format. It needs the bots.
func readFormat(d *document, t *arena.Tournament) {
	for _, key := range []struct{ path, format string }{
		{"tournament.stages", results.Swiss},
		{"tournament.challengers", results.Gauntlet},
		{"tournament.extra_pairs", results.Knockout},
	} {
		if d.has(key.path) && t.Format != key.format {
			d.refuse(key.path, "%s is given, but only a tournament of the format %q has it", key.path, key.format)
		}
	}
	readStages(d, t)
	readChallengers(d, t)
	if t.Format == results.Knockout {
		t.ExtraPairs = defaultExtraPairs
	}
	d.count("tournament.extra_pairs", &t.ExtraPairs, 0, 1_000_000)
	readTieBreaks(d, t)
	d.text("rating.anchor", &t.Anchor)
	t.Anchor = norm.NFC.String(t.Anchor)
	if d.has("rating.anchor") && !slices.Contains(names(t), t.Anchor) {
		d.refuse("rating.anchor", "rating.anchor is %q, which is no bot (known: %s)", t.Anchor, strings.Join(names(t), ", "))
	}
}

// readStages reads the number of stages. By default it is just large enough that
// only one bot can have won all its matches.
func readStages(d *document, t *arena.Tournament) {
	most := max(1, len(t.Entries)-1)
	if t.Format == results.Swiss {
		t.Stages = bits.Len(uint(most))
	}
	d.count("tournament.stages", &t.Stages, 1, most)
}

func readChallengers(d *document, t *arena.Tournament) {
	const path = "tournament.challengers"
	d.texts(path, &t.Challengers, `"mine"`)
	for n, name := range t.Challengers {
		t.Challengers[n] = norm.NFC.String(name)
	}
	checkNames(d, path, t.Challengers, ", which is no bot", names(t))
	switch n := len(t.Challengers); {
	case t.Format != results.Gauntlet:
	case !d.has(path):
		d.miss("tournament", "%s is missing: a gauntlet needs the names of the bots that meet all others", path)
	case n == 0:
		d.refuse(path, "%s is empty; it must hold names of bots", path)
	case n == len(t.Entries):
		d.refuse(path, "%s holds all bots; at least one must not be a challenger", path)
	}
}

func readTieBreaks(d *document, t *arena.Tournament) {
	const path = "tournament.tie_breaks"
	d.texts(path, &t.TieBreaks, `"direct-encounter", "wins"`)
	if d.has(path) && len(t.TieBreaks) == 0 {
		d.refuse(path, "%s is empty (known: %s)", path, strings.Join(results.TieBreaks(), ", "))
	}
	checkNames(d, path, t.TieBreaks, "", results.TieBreaks())
}

// checkNames refuses a list with a name that is not known or stands in it twice.
func checkNames(d *document, path string, list []string, why string, known []string) {
	for i, name := range list {
		switch {
		case !slices.Contains(known, name):
			d.refuse(path, "%s holds %q%s (known: %s)", path, name, why, strings.Join(known, ", "))
		case slices.Contains(list[:i], name):
			d.refuse(path, "%s holds %q twice", path, name)
		}
	}
}

// names returns the names of the bots.
func names(t *arena.Tournament) []string {
	var all []string
	for _, e := range t.Entries {
		all = append(all, e.Name)
	}
	return all
}
