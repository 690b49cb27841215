package configs

import (
	"cmp"
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
func readFormat(d *document, f *tournamentTable, t *arena.Tournament) {
	for _, key := range []struct{ path, format string }{
		{"tournament.stages", results.Swiss},
		{"tournament.challengers", results.Gauntlet},
		{"tournament.extra_pairs", results.Knockout},
	} {
		if d.has(key.path) && t.Format != key.format {
			d.refuse(key.path, "%s is given, but only a tournament of the format %q has it", key.path, key.format)
		}
	}
	most := max(1, len(t.Entries)-1)
	if f.Stages > most {
		d.refuse("tournament.stages", "tournament.stages is %d; it must be at most %d", f.Stages, most)
	}
	switch t.Format {
	case results.Swiss: // by default just enough that only one bot can have won all its matches
		t.Stages = cmp.Or(f.Stages, bits.Len(uint(most)))
	case results.Gauntlet:
		t.Challengers = readChallengers(d, f, names(t))
	case results.Knockout:
		t.ExtraPairs = f.ExtraPairs
	}
	t.TieBreaks = f.TieBreaks
	if d.has("tournament.tie_breaks") && len(t.TieBreaks) == 0 {
		d.refuse("tournament.tie_breaks", "tournament.tie_breaks is empty (known: %s)", strings.Join(results.TieBreaks(), ", "))
	}
	checkNames(d, "tournament.tie_breaks", t.TieBreaks, "", results.TieBreaks())
}

// readAnchor reads the bot on whose rating the others rest.
func readAnchor(d *document, f *ratingTable, t *arena.Tournament) {
	t.Anchor = norm.NFC.String(f.Anchor)
	if d.has("rating.anchor") && !slices.Contains(names(t), t.Anchor) {
		d.refuse("rating.anchor", "rating.anchor is %q, which is no bot (known: %s)", t.Anchor, strings.Join(names(t), ", "))
	}
}

func readChallengers(d *document, f *tournamentTable, bots []string) (challengers []string) {
	const path = "tournament.challengers"
	for _, name := range f.Challengers {
		challengers = append(challengers, norm.NFC.String(name))
	}
	checkNames(d, path, challengers, ", which is no bot", bots)
	switch n := len(challengers); {
	case !d.has(path):
		d.miss("tournament", "%s is missing: a gauntlet needs the names of the bots that meet all others", path)
	case n == 0:
		d.refuse(path, "%s is empty; it must hold names of bots", path)
	case n == len(bots):
		d.refuse(path, "%s holds all bots; at least one must not be a challenger", path)
	}
	return challengers
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
