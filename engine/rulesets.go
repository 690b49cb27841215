package engine

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// builder makes the ruleset of a name, with its tables.
type builder struct {
	name string
	make func() Ruleset

	// sized makes the ruleset with another board: NAME-HxS has H holes in a row and S seeds in each. If it is nil,
	// the ruleset has one board.
	sized func(holes, seeds int) Ruleset
}

// ofSize returns the ruleset of a name with a size. ok is false if the name has no size, one that is not allowed, or
// a second spelling of one.
func (b builder) ofSize(name string) (r Ruleset, ok bool) {
	var holes, seeds int
	if _, err := fmt.Sscanf(name, b.name+"-%dx%d", &holes, &seeds); b.sized == nil || err != nil ||
		fmt.Sprintf("%s-%dx%d", b.name, holes, seeds) != name ||
		holes < 1 || holes > mostHoles || seeds < 1 || seeds > mostSeeds/(2*holes) {
		return nil, false
	}
	return b.sized(holes, seeds), true
}

// builders returns all rulesets, in the order in which they are shown.
func builders() []builder {
	return []builder{
		{name: "awale", make: func() Ruleset { return newAwale() }},
		{name: "oware", make: func() Ruleset { return newOware() }},
		{name: "bechi", make: func() Ruleset { return newBechi() }},
		{name: "bechi-2x3", make: func() Ruleset { return newBechi2x3() }},
		{name: "buqruru", make: func() Ruleset { return newBuqruru() }},
		{name: "buqruru-bellin", make: func() Ruleset { return newBellin() }},
		{name: "buqruru-ludii", make: func() Ruleset { return newLudii() }},
		{name: "redu", make: func() Ruleset { return newRedu() }},
		{
			name: "kalah", make: func() Ruleset { return newKalah(6, 4) },
			sized: func(holes, seeds int) Ruleset { return newKalah(holes, seeds) },
		},
	}
}

// Rulesets returns all rulesets, in the order in which they are shown. Of those that differ only in
// the size of the board, it has the first.
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
	Similar    string // one that is known, too, and may be meant; "" if there is none
	Listed     string // says which names there are; "": the known ones
	Meant      string // asks whether a name is meant, before they are listed; the caller may set it
}

func (e *UnknownError) Error() string {
	listed := cmp.Or(e.Listed, "known: "+strings.Join(e.Known, ", "))
	return fmt.Sprintf("unknown %s %s (%s%s)", e.Kind, quote(e.Name), e.Meant, listed)
}

// Lookup returns the ruleset of that name, or an [*UnknownError]. A ruleset that a second name finds
// has only the first one: kalah-6x4 is kalah.
func Lookup(name string) (Ruleset, error) {
	unknown := &UnknownError{Kind: "ruleset", Name: name, Known: RulesetNames(), Listed: "known: " + RulesetList()}
	number := regexp.MustCompile(`[1-9][0-9]*`).FindAllString(name, 3)
	for _, b := range builders() {
		if b.name == name {
			return b.make(), nil
		}
		if r, ok := b.ofSize(name); ok {
			return r, nil
		}
		if b.sized == nil {
			continue
		}
		if strings.HasPrefix(name, b.name+"-") {
			unknown.Listed = fmt.Sprintf("%s-HxS has 1 to %d holes a side (H) and 1 seed or more in each (S), "+
				"at most %d in all", b.name, mostHoles, mostSeeds)
		}
		if len(number) == 2 {
			similar := fmt.Sprintf("%s-%sx%s", b.name, number[0], number[1])
			if _, ok := b.ofSize(similar); ok {
				unknown.Similar = similar
			}
		}
	}
	return nil, unknown
}

// RulesetNames returns the names of all rulesets, in the order in which they are shown. Of those that
// differ only in the size of the board, it has the first.
func RulesetNames() (names []string) {
	for _, b := range builders() {
		names = append(names, b.name)
	}
	return names
}

// RulesetList returns the names of all rulesets as one text for a person, with how those of other sizes are written.
func RulesetList() string {
	var names []string
	for _, b := range builders() {
		names = append(names, b.name)
		if b.sized != nil {
			names = append(names, b.name+"-HxS")
		}
	}
	return strings.Join(names, ", ")
}
