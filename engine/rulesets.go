package engine

import (
	"fmt"
	"slices"
	"strings"
)

// builder makes the ruleset of a name, with its tables.
type builder struct {
	name string
	make func() Ruleset
}

// builders returns all rulesets, in the order in which they are shown.
func builders() []builder {
	return []builder{
		{"awale", func() Ruleset { return newAwale() }},
		{"oware", func() Ruleset { return newOware() }},
		{"bechi", func() Ruleset { return newBechi() }},
		{"bechi-2x3", func() Ruleset { return newBechi2x3() }},
		{"buqruru", func() Ruleset { return newBuqruru() }},
		{"buqruru-bellin", func() Ruleset { return newBellin() }},
		{"buqruru-ludii", func() Ruleset { return newLudii() }},
		{"redu", func() Ruleset { return newRedu() }},
	}
}

// Rulesets returns all rulesets, in the order in which they are shown.
func Rulesets() []Ruleset {
	var all []Ruleset
	for _, b := range builders() {
		all = append(all, b.make())
	}
	return all
}

// Lookup returns the ruleset of that name, or an error that lists the known
// names.
func Lookup(name string) (Ruleset, error) {
	all := builders()
	if i := slices.IndexFunc(all, func(b builder) bool { return b.name == name }); i >= 0 {
		return all[i].make(), nil
	}
	return nil, fmt.Errorf("unknown ruleset %s (known: %s)", quote(name), strings.Join(RulesetNames(), ", "))
}

// RulesetNames returns the names of all rulesets, in the order in which they are shown.
func RulesetNames() (names []string) {
	for _, b := range builders() {
		names = append(names, b.name)
	}
	return names
}
