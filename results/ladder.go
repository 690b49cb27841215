package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sembra/engine"
)

// Ladders rate the bots of all tournaments of a file, separately for each ruleset. The fold takes the
// tournaments in order of creation, and the matches of each in schedule order. It leaves out matches without a
// result, and of equal matches, in whatever tournaments, it rates only the first.
type Ladders []*rulesetLadder

// rulesetLadder is the ladder of one ruleset.
type rulesetLadder struct {
	ladderRuleset
	repeats repeats
	elo     *ladder // with the start and K of the tournament that is being rated
}

// Add rates the next tournament, from its summaries in schedule order. A bot enters the ladder with the start of its
// first tournament, and each match moves ratings by the K of its own tournament. The error names a match with a bot
// that is not in the tournament.
func (l *Ladders) Add(t Tournament, summaries []Numbered) error {
	at := slices.IndexFunc(*l, func(ladder *rulesetLadder) bool { return ladder.Ruleset == t.Ruleset })
	if at < 0 {
		at = len(*l)
		*l = append(*l, &rulesetLadder{ladderRuleset{Ruleset: t.Ruleset}, make(repeats), newLadder(Tournament{})})
	}
	ladder := (*l)[at]
	ladder.elo.enter(t)
	notes := newNoteFold(t)
	summaries = t.counted(summaries)
	for _, match := range summaries {
		if notes.past(match) || match.Result == Void {
			continue
		}
		if ladder.repeats.again(match.Summary) {
			ladder.Repeats++
			continue
		}
		if err := ladder.elo.add(match.Summary); err != nil {
			return err
		}
	}
	ladder.Tournaments++
	return nil
}

// LadderLine is one bot on the ladder of a ruleset.
type LadderLine struct {
	Ruleset string  `json:"ruleset"`
	Rank    int     `json:"rank"` // from 1; bots with equal Elo share a rank, and the next rank is left out
	Bot     string  `json:"bot"`
	Elo     float64 `json:"elo"`     // the online rating
	Matches int     `json:"matches"` // rated
}

// ladderRuleset counts what was rated of one ruleset.
type ladderRuleset struct {
	Ruleset     string `json:"ruleset"`
	Tournaments int    `json:"tournaments"`
	Repeats     int    `json:"repeats"` // matches that are not rated, because they equal an earlier one
}

// Rulesets returns the rulesets in the order in which they were first played.
func (l Ladders) Rulesets() []ladderRuleset {
	rulesets := make([]ladderRuleset, len(l))
	for i, ladder := range l {
		rulesets[i] = ladder.ladderRuleset
	}
	return rulesets
}

// Lines returns all bots: the rulesets in the order in which they were first played, and in each the best bot
// first.
func (l Ladders) Lines() []LadderLine {
	all := []LadderLine{}
	for _, ladder := range l {
		first := len(all)
		for i, bot := range ladder.elo.bots {
			elo := ladder.elo
			all = append(all, LadderLine{Ruleset: ladder.Ruleset, Bot: bot, Elo: elo.elo[i], Matches: elo.matches[i]})
		}
		lines := all[first:]
		slices.SortFunc(lines, func(a, b LadderLine) int {
			return cmp.Or(cmp.Compare(b.Elo, a.Elo), cmp.Compare(a.Bot, b.Bot))
		})
		for i := range lines {
			lines[i].Rank = i + 1
			if i > 0 && lines[i].Elo == lines[i-1].Elo {
				lines[i].Rank = lines[i-1].Rank
			}
		}
	}
	return all
}

// counted returns those of some matches that count in tables: nobody has withdrawn from them.
func (t Tournament) counted(all []Numbered) []Numbered {
	if len(t.Withdrawn) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(m Numbered) bool { return m.Of(t.Withdrawn) })
}

// Ratings is the online Elo of a tournament as a store keeps it.
type Ratings struct {
	Covered int    // the ratings cover the matches with the numbers from 1 to this one
	Rating  Rating // the start and the K of the ratings
	Bots    []string
	Elo     []float64 // of each bot
}

// RatingFold rates the matches of a tournament, one after another from the first. It leaves out matches
// with a note.
type RatingFold struct {
	covered int
	ladder  *ladder
	notes   noteFold
}

// RatingFold returns a fold that covers no match yet.
func (t Tournament) RatingFold() *RatingFold {
	return &RatingFold{ladder: newLadder(t), notes: newNoteFold(t)}
}

// Covered returns the number of matches that the fold covers, from the first.
func (f *RatingFold) Covered() int { return f.covered }

// Add takes the match with the next number. The error names a bot that is not in the tournament.
func (f *RatingFold) Add(s Summary) error {
	if f.notes.note(Numbered{f.covered + 1, s}) == "" {
		if err := f.ladder.add(s); err != nil {
			return err
		}
	}
	f.covered++
	return nil
}

// Skip passes over the match with the next number, because a bot has withdrawn from it.
func (f *RatingFold) Skip() { f.covered++ }

// Ratings returns the ratings after the matches so far.
func (f *RatingFold) Ratings() Ratings {
	l := f.ladder
	return Ratings{Covered: f.covered, Rating: l.rating, Bots: slices.Clone(l.bots), Elo: slices.Clone(l.elo)}
}

// expected returns the share of a point that the Elo formula expects of a bot rated own against a bot rated
// other: 1/(1+10^((other-own)/400)). Source: Arpad E. Elo, The Rating of Chessplayers, Past and Present (1978).
func expected(own, other float64) float64 {
	return 1 / (1 + math.Pow(10, (other-own)/400))
}

// ladder is an online Elo: R' = R + K(S-E) after each match (Elo 1978). One bot of a match wins as much as the
// other loses, so the sum of all ratings stays the same.
type ladder struct {
	places
	rating  Rating
	bots    []string
	elo     []float64
	matches []int // rated
}

func newLadder(t Tournament) *ladder {
	l := &ladder{places: make(places)}
	l.enter(t)
	return l
}

// enter puts the new bots of a tournament at its start. From now on its K counts.
func (l *ladder) enter(t Tournament) {
	l.rating = t.Rating
	for _, bot := range without(t.Bots, t.Withdrawn) {
		if _, known := l.places[bot]; !known {
			l.places[bot] = len(l.bots)
			l.bots, l.elo, l.matches = append(l.bots, bot), append(l.elo, t.Rating.Start), append(l.matches, 0)
		}
	}
}

// add rates one match. The error names a bot that is not on the ladder. A match without a result changes nothing.
func (l *ladder) add(s Summary) error {
	south, north, err := l.of(s.Key)
	if err != nil || s.Result == Void {
		return err
	}
	score := s.Points()[engine.South]
	step := l.rating.K * (score - expected(l.elo[south], l.elo[north]))
	l.elo[south] += step
	l.elo[north] -= step
	l.matches[south]++
	l.matches[north]++
	return nil
}

// places are the indexes of the bots.
type places map[string]int

func newPlaces(bots []string) places {
	s := make(places, len(bots))
	for i, bot := range bots {
		s[bot] = i
	}
	return s
}

// of returns the indexes of South and North. The error names a bot that is unknown.
func (s places) of(key Key) (south, north int, err error) {
	for _, bot := range [2]string{key.South, key.North} {
		if _, known := s[bot]; !known {
			return 0, 0, fmt.Errorf("match %v: there is no bot %q in this tournament", key, bot)
		}
	}
	return s[key.South], s[key.North], nil
}
