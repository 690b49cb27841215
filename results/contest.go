package results

import (
	"cmp"
	"fmt"
	"slices"

	"sembra/engine"
	"sembra/results/stats"
)

// Contest collects the matches of a field of bots that did not all play in one tournament, and rates the field. It
// takes records in any order; the ratings do not depend on it.
type Contest struct {
	bots    []string
	matches []Summary
}

// NewContest returns a collection without matches. The order of the bots is the order of equals.
func NewContest(bots []string) *Contest { return &Contest{bots: bots} }

// Put takes the matches of some records. The error names a match that did not end by the rules, because it does not
// show the strength of a bot.
func (c *Contest) Put(records []Record) error {
	for _, r := range records {
		if !r.Ending.byRules() {
			return fmt.Errorf("match %v ended by %s, so it does not count for a rating", r.Key, r.Ending)
		}
		c.matches = append(c.matches, r.Summary)
	}
	return nil
}

// PutVoid ignores a void match.
func (c *Contest) PutVoid(Key, string) error { return nil }

// Rate rates the bots; the rating of the anchor is at. The two matches of a pair are one observation. The error is
// that of [RateGames].
func (c *Contest) Rate(anchor string, at float64) (GameRatings, error) {
	seats := newSeats(c.bots)
	type placed struct {
		Summary
		south, north int
	}
	var all []placed
	for _, s := range c.matches {
		south, north, err := seats.of(s.Key)
		if err != nil {
			return GameRatings{}, err
		}
		all = append(all, placed{s, south, north})
	}
	slices.SortFunc(all, func(a, b placed) int {
		return cmp.Or(
			cmp.Compare(min(a.south, a.north), min(b.south, b.north)), cmp.Compare(max(a.south, a.north), max(b.south, b.north)),
			cmp.Compare(a.Pair, b.Pair), cmp.Compare(a.south, b.south),
		)
	})
	list := GameList{Players: c.bots, Paired: true}
	for i, p := range all {
		unit := 0
		if i > 0 {
			unit = list.Games[i-1].Unit
			if before := all[i-1]; before.South != p.North || before.North != p.South || before.Pair != p.Pair {
				unit++
			}
		}
		score, _ := p.Points()
		list.Games = append(list.Games, stats.Game{First: p.south, Second: p.north, Score: score, Unit: unit})
	}
	return RateGames(list, anchor, at, 0)
}

// RulesetRatings is the ratings of a field of bots in a ruleset.
type RulesetRatings struct {
	Rules engine.Ruleset
	Pairs int // of each two bots that met
	Seed  uint64
	GameRatings
}
