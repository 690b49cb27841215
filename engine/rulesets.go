package engine

import (
	"fmt"
	"strings"
)

// Rulesets returns all rulesets, in the order in which they are shown.
func Rulesets() []Ruleset {
	table := newSowings()
	return []Ruleset{
		newAwale(table), newOware(table),
		newBechi(), newBechi2x3(),
		newBuqruru(), newBellin(), newLudii(),
		newRedu(),
	}
}

// Lookup returns the ruleset of that name, or an error that lists the known
// names.
func Lookup(name string) (Ruleset, error) {
	var known []string
	for _, r := range Rulesets() {
		if r.Info().Name == name {
			return r, nil
		}
		known = append(known, r.Info().Name)
	}
	return nil, fmt.Errorf("unknown ruleset %s (known: %s)", quote(name), strings.Join(known, ", "))
}
