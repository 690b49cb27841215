package results

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sembra/engine"
	"sembra/results/stats"
)

// Rating is how a tournament keeps its online Elo.
type Rating struct {
	Start float64 `json:"start"` // of every bot before its first match
	K     float64 `json:"k"`     // the most that one match can move a rating
}

// Setting is one thing of a tournament, or of one of its bots, that may not change while it is gone on
// with.
type Setting struct {
	Name  string `json:"name"`          // as messages say it: "tournament.seed", "bot greedy: command"
	Bot   string `json:"bot,omitempty"` // the bot that it belongs to; "" for the tournament's own
	Value string `json:"value"`
}

// Tournament is what is known of a tournament before its first match, as its store keeps it.
type Tournament struct {
	Name     string    `json:"name"`     // unique in its file: "spring", "spring-2"
	Family   string    `json:"family"`   // as configured: "spring"
	Ruleset  string    `json:"ruleset"`  // name
	Format   string    `json:"format"`   // of the schedule: RoundRobin and so on
	Rounds   int       `json:"rounds"`   // round limit of a match
	Pairs    int       `json:"pairs"`    // of each pairing; two matches each
	Bots     []string  `json:"bots"`     // in configured order
	Openings []string  `json:"openings"` // position text of each pair, at index pair-1
	Rating   Rating    `json:"rating"`
	Settings []Setting `json:"settings"` // names are unique

	// WithdrawAfter is how many faults in a row a bot may have, counted in schedule order, before it
	// forfeits the rest; 0: any number.
	WithdrawAfter int `json:"withdraw_after,omitempty"`

	// Adjudication is how matches are ended that the rules have not ended; nil: none is.
	Adjudication *Adjudication `json:"adjudication,omitempty"`

	Stages      int         `json:"stages,omitempty"`      // of a swiss
	Challengers []string    `json:"challengers,omitempty"` // of a gauntlet
	ExtraPairs  int         `json:"extra_pairs,omitempty"` // of a knockout: the most that a tie is broken by
	TieBreaks   []string    `json:"tie_breaks,omitempty"`  // in the order in which they are applied; nil: all, in their usual order
	Anchor      string      `json:"anchor,omitempty"`      // the bot whose rating in the field is Rating.Start; "": none, the mean is
	Test        *stats.Test `json:"test,omitempty"`        // of a sprt
}

// Rules gives the ruleset with the tournament's limit of rounds.
func (t Tournament) Rules() (engine.Ruleset, error) {
	rules, err := engine.Lookup(t.Ruleset)
	if err == nil {
		rules, err = engine.WithRounds(rules, t.Rounds)
	}
	if err != nil {
		return nil, fmt.Errorf("tournament %q: %w", t.Name, err)
	}
	return rules, nil
}

// Check says what is wrong with t as a thing to store: names that no key can hold, names or settings
// that are there twice, no pairs, fewer than two bots, fewer faults than none.
func (t Tournament) Check() error {
	if err := t.check(); err != nil {
		return fmt.Errorf("tournament %q: %w", t.Name, err)
	}
	return nil
}

func (t Tournament) check() error {
	for _, name := range []string{t.Name, t.Family} {
		if err := checkName("tournament", name); err != nil {
			return err
		}
	}
	if len(t.Bots) < 2 {
		return fmt.Errorf("it has %d bots (at least 2)", len(t.Bots))
	}
	if t.Pairs < 1 {
		return fmt.Errorf("it has %d pairs (at least 1)", t.Pairs)
	}
	if t.WithdrawAfter < 0 {
		return fmt.Errorf("a bot is withdrawn after %d faults (at least 0)", t.WithdrawAfter)
	}
	if t.Adjudication != nil {
		if err := t.Adjudication.Check(); err != nil {
			return err
		}
	}
	if err := t.checkSize(); err != nil {
		return err
	}
	for i, bot := range t.Bots {
		if err := checkName("bot", bot); err != nil {
			return err
		}
		if slices.Contains(t.Bots[:i], bot) {
			return fmt.Errorf("bot %q is there twice", bot)
		}
	}
	if err := t.checkFormat(); err != nil {
		return err
	}
	seen := make(map[string]bool, len(t.Settings))
	for _, setting := range t.Settings {
		if setting.Name == "" {
			return errors.New("a setting has no name")
		}
		if seen[setting.Name] {
			return fmt.Errorf("setting %q is there twice", setting.Name)
		}
		seen[setting.Name] = true
	}
	return nil
}

// Change is one thing that differs between a tournament as it was begun and as it is to go on. Old or
// New is "" where the thing is not there.
type Change struct {
	What, Old, New string
}

// String says the change in a few words: "tournament.seed was 1 and is now 2".
func (c Change) String() string {
	return fmt.Sprintf("%s was %s and is now %s", c.What, orNothing(c.Old), orNothing(c.New))
}

func orNothing(value string) string {
	if value == "" {
		return "(nothing)"
	}
	return value
}

// ChangeError says that a tournament cannot go on because things have changed that may not.
type ChangeError struct {
	Tournament string
	Changes    []Change // at least one
}

// Error names every change in one sentence.
func (e *ChangeError) Error() string {
	texts := make([]string, len(e.Changes))
	for i, change := range e.Changes {
		texts[i] = change.String()
	}
	return fmt.Sprintf("tournament %q cannot go on: %s (--fresh begins a new one beside it)",
		e.Tournament, strings.Join(texts, "; "))
}

// Continue says how t goes on as next. Bots may be added anywhere as long as the old ones are all
// there in their old order; there may be more pairs, with more openings behind the old ones. Anything
// else is refused with a *ChangeError that lists all of it; so are more bots or pairs in a swiss or a
// knockout, where who meets whom follows from what was played. The merged tournament keeps t's name.
func (t Tournament) Continue(next Tournament) (merged Tournament, err error) {
	var changes []Change
	changed := func(what, before, now string) {
		if before != now {
			changes = append(changes, Change{what, before, now})
		}
	}
	changed("tournament.name", t.Family, next.Family)
	changed("tournament.ruleset", t.Ruleset, next.Ruleset)
	if t.Format != next.Format { // much else differs then, which follows from it
		changed("tournament.format", t.Format, next.Format)
		return Tournament{}, &ChangeError{Tournament: t.Name, Changes: changes}
	}
	changed("tournament.stages", strconv.Itoa(t.Stages), strconv.Itoa(next.Stages))
	changed("tournament.extra_pairs", strconv.Itoa(t.ExtraPairs), strconv.Itoa(next.ExtraPairs))
	changed("tournament.tie_breaks", strings.Join(t.TieBreaks, ", "), strings.Join(next.TieBreaks, ", "))
	changed("rating.anchor", t.Anchor, next.Anchor)
	changed("tournament.challengers", strings.Join(t.Challengers, ", "), strings.Join(without(next.Challengers, added(t.Bots, next.Bots)), ", "))
	changes = append(changes, t.changedTest(next)...)
	changed("tournament.rounds", strconv.Itoa(t.Rounds), strconv.Itoa(next.Rounds))
	if next.Pairs < t.Pairs || next.Pairs > t.Pairs && t.Staged() {
		changed("tournament.pairs", strconv.Itoa(t.Pairs), strconv.Itoa(next.Pairs))
	}
	changed("tournament.withdraw_after", strconv.Itoa(t.WithdrawAfter), strconv.Itoa(next.WithdrawAfter))
	changed("rating.start", exact(t.Rating.Start), exact(next.Rating.Start))
	changed("rating.k", exact(t.Rating.K), exact(next.Rating.K))
	changes = append(changes, changedAdjudication(t.Adjudication, next.Adjudication)...)
	changes = append(changes, changedBots(t.Bots, next.Bots)...)
	if t.Staged() || t.Format == Sequential {
		for _, bot := range added(t.Bots, next.Bots) {
			changes = append(changes, Change{"bot " + bot, "", "there"})
		}
	}
	changes = append(changes, changedOpenings(t.Openings, next.Openings)...)
	changes = append(changes, changedSettings(t, next)...)
	if len(changes) > 0 {
		return Tournament{}, &ChangeError{Tournament: t.Name, Changes: changes}
	}
	merged = next
	merged.Name = t.Name
	return merged, merged.Check()
}

// added gives the bots that are new.
func added(before, now []string) []string { return without(now, before) }

// without gives the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}

// changedTest compares the tests of two sequential tests.
func (t Tournament) changedTest(next Tournament) []Change {
	if t.Test == nil || next.Test == nil || *t.Test == *next.Test {
		return nil // where only one has a test, the formats differ
	}
	text := func(test stats.Test) string {
		return fmt.Sprintf("%s elo0 %s, elo1 %s, alpha %s, beta %s",
			test.Model, exact(test.Elo0), exact(test.Elo1), exact(test.Alpha), exact(test.Beta))
	}
	return []Change{{"sprt", text(*t.Test), text(*next.Test)}}
}

// changedBots lists the bots that are gone and, where none is, an order that is not the old one.
func changedBots(before, now []string) []Change {
	var changes []Change
	for _, bot := range before {
		if !slices.Contains(now, bot) {
			changes = append(changes, Change{"bot " + bot, "there", "gone"})
		}
	}
	if changes != nil {
		return changes
	}
	kept := slices.DeleteFunc(slices.Clone(now), func(bot string) bool { return !slices.Contains(before, bot) })
	if !slices.Equal(kept, before) {
		changes = append(changes, Change{"the order of the bots", strings.Join(before, ", "), strings.Join(kept, ", ")})
	}
	return changes
}

// changedOpenings lists the first opening that differs: the others follow from the same cause.
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

// changedSettings compares settings by name, in the old order and then those that are only in next.
// The settings of a bot that is only in one of the two are left out.
func changedSettings(t, next Tournament) []Change {
	inBoth := func(bot string) bool {
		return bot == "" || slices.Contains(t.Bots, bot) && slices.Contains(next.Bots, bot)
	}
	now := make(map[string]string, len(next.Settings))
	for _, setting := range next.Settings {
		now[setting.Name] = setting.Value
	}
	var changes []Change
	known := make(map[string]bool, len(t.Settings))
	for _, setting := range t.Settings {
		known[setting.Name] = true
		value, ok := now[setting.Name]
		if inBoth(setting.Bot) && (!ok || value != setting.Value) {
			changes = append(changes, Change{setting.Name, setting.Value, value})
		}
	}
	for _, setting := range next.Settings {
		if inBoth(setting.Bot) && !known[setting.Name] {
			changes = append(changes, Change{What: setting.Name, New: setting.Value})
		}
	}
	return changes
}

// exact writes a number so that it reads back as the same one.
func exact(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }
