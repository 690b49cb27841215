package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sembra/engine"
	"sembra/results/stats"
)

// Rating is the rule of a tournament's online Elo. With much larger numbers a float64 has not enough digits for ratings.
type Rating struct {
	Start float64 `json:"start"` // of every bot before its first match, and the mean of the bots
	K     float64 `json:"k"`     // the most that one match can change
}

// Plan is a tournament as somebody asks for it. What of it may change while the tournament lasts is in one table: see
// [Tournament.Continue].
type Plan struct {
	Name     string   `json:"name"`   // in a Tournament, unique in its file: "spring", "spring-2"
	Format   string   `json:"format"` // RoundRobin and so on
	Pairs    int      `json:"pairs"`  // for each two bots that meet; a pair is two matches
	Bots     []string `json:"bots"`   // in configured order
	Openings []string `json:"-"`      // by pair less 1, as position texts; a store keeps them apart
	Seed     uint64   `json:"seed"`   // of the matches' RNG seeds

	Stages      int         `json:"stages,omitempty"`      // of a swiss
	Challengers []string    `json:"challengers,omitempty"` // of a gauntlet
	ExtraPairs  int         `json:"extra_pairs,omitempty"` // of a knockout: the greatest number of pairs after a draw
	TieBreaks   []string    `json:"tie_breaks,omitempty"`  // in the order of use; nil: all in their usual order
	Test        *stats.Test `json:"sprt,omitempty"`        // of a sprt

	Rating Rating `json:"rating"`
	Anchor string `json:"anchor,omitempty"` // the bot rated Rating.Start; "": the mean of the bots is

	// DisqualifyAfter is the number of faults in a row, in schedule order, after which a bot forfeits its other
	// matches; 0: it never does.
	DisqualifyAfter int `json:"disqualify_after,omitempty"`

	Conditions
	Isolation Isolation          `json:"isolation"`
	Programs  map[string]Program `json:"programs,omitempty"` // by bot

	// Withdrawn are bots that play no match. The matches that they have played count in no table and for no rating.
	Withdrawn []string `json:"withdrawn,omitempty"`
}

// Tournament is a plan with what has become of it. A store keeps it in JSON.
type Tournament struct {
	Plan
	Family string `json:"family"`          // the name that the plan was given: "spring"
	Steps  []step `json:"steps,omitempty"` // how it grew; nil: it did not

	// Replacing are the bots whose matches were taken out, because the bots have changed, and are being played again.
	// Once the tournament is complete, there are none.
	Replacing []string `json:"replacing,omitempty"`
}

// step is one growth of a round-robin or a gauntlet. Its matches follow those of all earlier steps, so that a match
// never changes its number.
type step struct {
	Joined []string `json:"joined,omitempty"` // bots that it adds; in the first step, those of the beginning
	Pairs  int      `json:"pairs"`            // of each meeting, from then on
}

// History returns the steps of the tournament. If it has not grown, there is one.
func (t Tournament) History() []step {
	if len(t.Steps) == 0 {
		return []step{{t.Bots, t.Pairs}}
	}
	return t.Steps
}

// grows reports whether the format allows that bots join and withdraw.
func (p Plan) grows() bool { return p.Format == RoundRobin || p.Format == Gauntlet }

// checkSteps checks that the steps lead to the bots and the pairs of the plan, and that the format allows growth.
func (t Tournament) checkSteps() error {
	if !t.grows() && len(t.Steps) > 0 {
		return fmt.Errorf("bots join, but its format is %q, not %q or %q", t.Format, RoundRobin, Gauntlet)
	}
	var joined []string
	pairs := 0
	for _, step := range t.History() {
		if step.Pairs < pairs {
			return fmt.Errorf("its pairs have become fewer (%d, then %d)", pairs, step.Pairs)
		}
		joined, pairs = append(joined, step.Joined...), step.Pairs
	}
	if pairs != t.Pairs || !slices.Equal(slices.Sorted(slices.Values(joined)), slices.Sorted(slices.Values(t.Bots))) {
		return fmt.Errorf("its steps lead to %d pairs of %q, not to %d of %q", pairs, joined, t.Pairs, t.Bots)
	}
	return nil
}

// Rules returns the ruleset with the tournament's limit of rounds.
func (p Plan) Rules() (engine.Ruleset, error) {
	rules, err := p.Conditions.Rules()
	if err != nil {
		return nil, fmt.Errorf("tournament %q: %w", p.Name, err)
	}
	return rules, nil
}

// Check returns the first reason why a store cannot keep the tournament: for example a bad name, a bot that exists
// twice, a number out of range, or a key that does not belong to the format.
func (t Tournament) Check() error {
	err := checkName("tournament", t.Family)
	if err == nil {
		err = t.check()
	}
	if err == nil {
		err = t.checkSteps()
	}
	if err != nil {
		return fmt.Errorf("tournament %q: %w", t.Name, err)
	}
	return nil
}

func (p Plan) check() error {
	if err := checkName("tournament", p.Name); err != nil {
		return err
	}
	if len(p.Bots) < 2 {
		return fmt.Errorf("it has %d bots (at least 2)", len(p.Bots))
	}
	if p.Pairs < 1 {
		return fmt.Errorf("it has %d pairs (at least 1)", p.Pairs)
	}
	if p.DisqualifyAfter < 0 {
		return fmt.Errorf("a bot is disqualified after %d faults (at least 0)", p.DisqualifyAfter)
	}
	if p.Adjudication != nil {
		if _, err := p.Adjudication.Check(); err != nil {
			return err
		}
	}
	if err := p.checkSize(); err != nil {
		return err
	}
	for i, bot := range p.Bots {
		if err := checkName("bot", bot); err != nil {
			return err
		}
		if slices.Contains(p.Bots[:i], bot) {
			return fmt.Errorf("bot %q appears twice", bot)
		}
	}
	if err := p.Time.check(); err != nil {
		return err
	}
	for i, bot := range p.Withdrawn {
		if !slices.Contains(p.Bots, bot) || slices.Contains(p.Withdrawn[:i], bot) {
			return fmt.Errorf("bot %q has withdrawn, but it is not one of its bots, or appears twice", bot)
		}
	}
	var first error
	p.CheckFormat(func(_ string, err error) { first = cmp.Or(first, err) })
	return first
}

// The formats of a tournament.
const (
	RoundRobin = "round-robin" // each pair of bots meets
	Gauntlet   = "gauntlet"    // the challengers meet all others
	Swiss      = "swiss"       // in each stage, bots with similar points meet, if possible no two of them twice
	Knockout   = "knockout"    // the loser is out
	Sequential = "sprt"        // two bots meet until a test is decided
)

// formats returns all formats.
func formats() []string { return []string{RoundRobin, Gauntlet, Swiss, Knockout, Sequential} }

// The limits of a tournament.
const (
	mostBots    = 10_000
	mostPairs   = 1_000_000
	mostMatches = math.MaxInt32
)

// checkSize checks the limits.
func (p Plan) checkSize() error {
	switch n := len(p.Bots); {
	case n > mostBots:
		return fmt.Errorf("it has %d bots (at most %d)", n, mostBots)
	case p.Pairs > mostPairs || p.ExtraPairs > mostPairs:
		return fmt.Errorf("it has %d pairs and %d extra ones (at most %d)", p.Pairs, p.ExtraPairs, mostPairs)
	case n*(n-1) > mostMatches/max(1, p.MostPairs()):
		return fmt.Errorf("%d bots with %d pairs are too many matches (at most %d)", n, p.MostPairs(), mostMatches)
	}
	return nil
}

// MostPairs returns the greatest number of pairs in one meeting of two bots. Each of them has an opening.
func (p Plan) MostPairs() int { return p.Pairs + p.ExtraPairs }

// Opening returns the opening of a pair, from 1; "" if none is known.
func (p Plan) Opening(pair int) string {
	if i := p.openingOf(pair); 0 <= i && i < len(p.Openings) {
		return p.Openings[i]
	}
	return ""
}

// openingOf returns the index of the opening of a pair. Bots that meet again, as they may in a Swiss, begin again with
// the first opening.
func (p Plan) openingOf(pair int) int {
	if p.Format == Swiss {
		return (pair - 1) % max(1, p.Pairs)
	}
	return pair - 1
}

// Staged reports whether the pairings of a stage depend on earlier results.
func (p Plan) Staged() bool { return p.Format == Swiss || p.Format == Knockout }

// wrongKey returns a key of the tournament file, and an error that begins with it.
func wrongKey(key, format string, args ...any) (string, error) {
	return key, fmt.Errorf("%s %s", key, fmt.Sprintf(format, args...))
}

// CheckFormat tells each mistake in the keys that belong to one format, in the tie-breaks and in the anchor. The key is
// that of the tournament file.
func (p Plan) CheckFormat(refuse func(key string, err error)) {
	wrong := func(key, format string, args ...any) { refuse(wrongKey(key, format, args...)) }
	for _, given := range []struct {
		key, format string
		is          bool
	}{
		{"tournament.stages", Swiss, p.Stages != 0},
		{"tournament.challengers", Gauntlet, len(p.Challengers) > 0},
		{"tournament.extra_pairs", Knockout, p.ExtraPairs != 0},
		{"sprt", Sequential, p.Test != nil},
	} {
		if given.is && p.Format != given.format {
			wrong(given.key, "is given, but only a tournament of the format %q has it", given.format)
		}
	}
	playing := without(p.Bots, p.Withdrawn)
	p.checkWithdrawn(playing, refuse)
	if err := CheckTieBreaks(p.TieBreaks); err != nil {
		refuse("tournament.tie_breaks", err)
	}
	switch {
	case slices.Contains(p.Withdrawn, p.Anchor):
		wrong("rating.anchor", "is %q, which has withdrawn (known: %s)", p.Anchor, strings.Join(playing, ", "))
	case p.Anchor != "" && !slices.Contains(playing, p.Anchor):
		refuse("rating.anchor", &engine.UnknownError{Kind: "bot in rating.anchor", Name: p.Anchor, Known: playing})
	}
	switch most := len(p.Bots) - 1; p.Format {
	case RoundRobin:
	case Gauntlet:
		p.checkChallengers(wrong, refuse)
	case Swiss:
		if p.Stages < 1 || p.Stages > most {
			wrong("tournament.stages", "is %d; it must be 1 to %d", p.Stages, most)
		}
	case Knockout:
		if p.ExtraPairs < 0 {
			wrong("tournament.extra_pairs", "is %d; it must be at least 0", p.ExtraPairs)
		}
	case Sequential:
		if err := p.checkTest(); err != nil {
			refuse("sprt", err)
		}
	default:
		wrong("tournament.format", "is %q (known: %s)", p.Format, strings.Join(formats(), ", "))
	}
}

// checkWithdrawn checks that bots may withdraw, and that some of those who play on still meet.
func (p Plan) checkWithdrawn(playing []string, refuse func(key string, err error)) {
	if len(p.Withdrawn) == 0 {
		return
	}
	bot := p.Withdrawn[0]
	key := fmt.Sprintf("bot.%d.withdrawn", slices.Index(p.Bots, bot))
	others := without(playing, p.Challengers)
	switch {
	case !p.grows():
		refuse(key, fmt.Errorf("bot %s: it cannot withdraw, because the pairings of a %s depend on its results "+
			"(only those of a round-robin and a gauntlet do not)", bot, p.Format))
	case len(playing) < 2, p.Format == Gauntlet && (len(others) == 0 || len(others) == len(playing)):
		refuse(key, fmt.Errorf("bot %s: it cannot withdraw too, because then no two bots are left to meet "+
			"(withdrawn: %s)", bot, strings.Join(p.Withdrawn, ", ")))
	}
}

func (p Plan) checkChallengers(wrong func(key, format string, args ...any), refuse func(string, error)) {
	const key = "tournament.challengers"
	for i, name := range p.Challengers {
		if !slices.Contains(p.Bots, name) {
			refuse(key, &engine.UnknownError{Kind: "bot in " + key, Name: name, Known: p.Bots})
		}
		if slices.Contains(p.Challengers[:i], name) {
			wrong(key, "holds %q twice", name)
		}
	}
	switch len(p.Challengers) {
	case 0:
		wrong(key, "is missing or empty: a gauntlet needs the names of the bots that meet all others")
	case len(p.Bots):
		wrong(key, "holds all bots; at least one must not be a challenger")
	}
}

func (p Plan) checkTest() error {
	if len(p.Bots) != 2 {
		return fmt.Errorf("it tests %d bots (2 expected)", len(p.Bots))
	}
	if p.Test == nil {
		return fmt.Errorf("its format is %q, but it has no test", p.Format)
	}
	return p.Test.Check()
}
