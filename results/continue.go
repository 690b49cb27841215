package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Change is one difference between a tournament as it was begun and the plan that is to continue it. Old or New
// is "" if the thing does not exist.
type Change struct {
	What, Old, New string
}

// String returns the change in a few words: "tournament.seed was 1 and is now 2". It leaves out checksums of
// files, which tell a user nothing.
func (c Change) String() string {
	const sum = "sha256:"
	if strings.HasPrefix(c.Old, sum) && strings.HasPrefix(c.New, sum) {
		return c.What + " has changed"
	}
	return fmt.Sprintf("%s was %s and is now %s", c.What, orNothing(c.Old), orNothing(c.New))
}

func orNothing(value string) string {
	if value == "" {
		return "(nothing)"
	}
	return value
}

// ChangeError says that a tournament cannot go on, because its plan has changed too much.
type ChangeError struct {
	Tournament string
	Changes    []Change // at least one

	// Replace are the bots that have changed, if the tournament could go on by replacing them; nil if it could not.
	Replace []string
}

// Error lists all changes in one sentence.
func (e *ChangeError) Error() string {
	texts := make([]string, len(e.Changes))
	for i, change := range e.Changes {
		texts[i] = change.String()
	}
	replace := ""
	switch len(e.Replace) {
	case 0:
	case 1:
		replace = "--replace " + onCommandLine(e.Replace[0]) + " plays its matches again; "
	default:
		for _, bot := range e.Replace {
			replace += "--replace " + onCommandLine(bot) + " "
		}
		replace += "plays their matches again; "
	}
	return fmt.Sprintf("tournament %q cannot go on: %s (%s--fresh begins a new one beside it)",
		e.Tournament, strings.Join(texts, "; "), replace)
}

// Continue returns the tournament that continues t by the plan of next. It keeps t's name and Replacing. Bots may
// be added anywhere if the old bots are all there in their old order. There may be more pairs, with more openings
// after the old ones. But bots and pairs of a swiss or a knockout may not change, because its pairings depend on
// results. The settings of bots that are replaced may change. A *ChangeError lists all changes that are not allowed.
func (t Tournament) Continue(next Tournament, replaced ...string) (merged Tournament, err error) {
	changes := t.changes(next, replaced)
	if len(changes) > 0 {
		wrong := &ChangeError{Tournament: t.Name, Changes: changes}
		changed := slices.DeleteFunc(slices.Clone(t.Bots), func(bot string) bool {
			return slices.Contains(replaced, bot) || slices.Equal(t.settingsOf(bot), next.settingsOf(bot))
		})
		if len(t.changes(next, append(changed, replaced...))) == 0 {
			wrong.Replace = changed
		}
		return Tournament{}, wrong
	}
	merged = next
	merged.Name, merged.Replacing = t.Name, t.Replacing
	return merged, merged.Check()
}

// changes returns the changes that are not allowed.
func (t Tournament) changes(next Tournament, replaced []string) []Change {
	if t.Format != next.Format { // then much else differs because of it
		return changedSettings(t.settings()[:3], next.settings()[:3], nil)
	}
	added := without(next.Bots, t.Bots)
	same := next // apart from what may change
	same.Challengers = without(next.Challengers, added)
	if next.Pairs > t.Pairs && !t.Staged() {
		same.Pairs = t.Pairs
	}
	changes := changedSettings(t.settings(), same.settings(), nil)
	changes = append(changes, changedBots(t.Bots, next.Bots)...)
	if t.Staged() || t.Format == Sequential {
		for _, bot := range added {
			changes = append(changes, Change{"bot " + bot, "", "there"})
		}
	}
	changes = append(changes, changedOpenings(t.Openings, next.Openings)...)
	leaveOut := slices.Concat(without(t.Bots, next.Bots), added, replaced)
	return append(changes, changedSettings(t.Settings, next.Settings, leaveOut)...)
}

// settings returns what a plan fixes beside its bots, openings and Settings.
func (t Tournament) settings() []Setting {
	test := ""
	if t.Test != nil {
		test = fmt.Sprintf("%s elo0 %s, elo1 %s, alpha %s, beta %s",
			t.Test.Model, exact(t.Test.Elo0), exact(t.Test.Elo1), exact(t.Test.Alpha), exact(t.Test.Beta))
	}
	return append([]Setting{
		{Name: "tournament.name", Value: t.Family},
		{Name: "tournament.ruleset", Value: t.Ruleset},
		{Name: "tournament.format", Value: t.Format},
		{Name: "tournament.stages", Value: strconv.Itoa(t.Stages)},
		{Name: "tournament.extra_pairs", Value: strconv.Itoa(t.ExtraPairs)},
		{Name: "tournament.tie_breaks", Value: strings.Join(t.TieBreaks, ", ")},
		{Name: "rating.anchor", Value: t.Anchor},
		{Name: "tournament.challengers", Value: strings.Join(t.Challengers, ", ")},
		{Name: "sprt", Value: test},
		{Name: "tournament.rounds", Value: strconv.Itoa(t.Rounds)},
		{Name: "tournament.pairs", Value: strconv.Itoa(t.Pairs)},
		{Name: "tournament.disqualify_after", Value: strconv.Itoa(t.DisqualifyAfter)},
		{Name: "rating.start", Value: exact(t.Rating.Start)},
		{Name: "rating.k", Value: exact(t.Rating.K)},
	}, t.Adjudication.settings()...)
}

// without returns the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}

// changedBots lists the bots that are gone or, if there are none, a new order of the old bots.
func changedBots(before, now []string) []Change {
	var changes []Change
	for _, bot := range without(before, now) {
		changes = append(changes, Change{"bot " + bot, "there", "gone"})
	}
	kept := without(now, without(now, before))
	if changes == nil && !slices.Equal(kept, before) {
		changes = append(changes, Change{"the order of the bots", strings.Join(before, ", "), strings.Join(kept, ", ")})
	}
	return changes
}

// changedOpenings returns the first opening that differs. The others have the same cause.
func changedOpenings(before, now []string) []Change {
	for i, opening := range before {
		switch {
		case i >= len(now):
			return []Change{{What: fmt.Sprintf("opening %d", i+1), Old: opening}}
		case now[i] != opening:
			return []Change{{fmt.Sprintf("opening %d", i+1), opening, now[i]}}
		}
	}
	return nil
}

// changedSettings compares settings by name: the old ones in their order, and then the new ones. It leaves out the
// settings of some bots.
func changedSettings(before, now []Setting, leaveOut []string) []Change {
	values := make(map[string]string, len(now))
	for _, setting := range now {
		values[setting.Name] = setting.Value
	}
	var changes []Change
	known := make(map[string]bool, len(before))
	for _, setting := range before {
		known[setting.Name] = true
		value, kept := values[setting.Name]
		if (!kept || value != setting.Value) && !slices.Contains(leaveOut, setting.Bot) {
			changes = append(changes, Change{setting.Name, setting.Value, value})
		}
	}
	for _, setting := range now {
		if !known[setting.Name] && !slices.Contains(leaveOut, setting.Bot) {
			changes = append(changes, Change{What: setting.Name, New: setting.Value})
		}
	}
	return changes
}

// exact writes a number so that it reads back as the same one.
func exact(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }

// onCommandLine returns a bot's name as a shell needs it.
func onCommandLine(bot string) string {
	if strings.Contains(bot, " ") {
		return `"` + bot + `"`
	}
	return bot
}
