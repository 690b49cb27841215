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

// UnknownError is the error for a name that nothing has.
type UnknownError struct {
	Kind, Name string
	Known      []string
	Meant      string // asks whether a known name is meant, before they are listed; the caller may set it
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown %s %s (%sknown: %s)", e.Kind, quote(e.Name), e.Meant, strings.Join(e.Known, ", "))
}

// Lookup returns the ruleset of that name, or an [*UnknownError].
func Lookup(name string) (Ruleset, error) {
	all := builders()
	if i := slices.IndexFunc(all, func(b builder) bool { return b.name == name }); i >= 0 {
		return all[i].make(), nil
	}
	return nil, &UnknownError{Kind: "ruleset", Name: name, Known: RulesetNames()}
}

// RulesetNames returns the names of all rulesets, in the order in which they are shown.
func RulesetNames() (names []string) {
	for _, b := range builders() {
		names = append(names, b.name)
	}
	return names
}
