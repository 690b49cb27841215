package results

import (
	"cmp"
	"slices"
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
