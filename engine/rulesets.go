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
	for _, r := range Rulesets() {
		if r.Info().Name == name {
			return r, nil
		}
	}
	return nil, fmt.Errorf("unknown ruleset %s (known: %s)", quote(name), strings.Join(RulesetNames(), ", "))
}

// RulesetNames returns the names of all rulesets, in the order in which they are shown.
func RulesetNames() (names []string) {
	for _, r := range Rulesets() {
		names = append(names, r.Info().Name)
	}
	return names
}
