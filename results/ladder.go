package results

import (
	"cmp"
	"slices"

	"sembra/results/stats"
)

// glickoTau is the system constant of the ladders' Glicko-2, which holds volatility down: M. E. Glickman, Example
// of the Glicko-2 system (2022), takes 0.5 in its example and advises 0.3 to 1.2.
const glickoTau = 0.5

// Ladders rate the bots of all tournaments of a file, each ruleset apart. It is a fold over the tournaments in
// order of creation and inside each over its matches in schedule order. Matches without a result are not rated, and
// of equal matches, in whatever tournaments, only the first is.
type Ladders struct {
	of    map[string]*rulesetLadder
	order []*rulesetLadder
}

// rulesetLadder is the ladder of one ruleset.
type rulesetLadder struct {
	ruleset     string
	tournaments int // that have been rated
	repeats     *Repeats
	repeated    int            // matches that were not rated, as an earlier one was the same
	elo         *Ladder        // with the start and K of the tournament that is being rated
	glicko      []stats.Glicko // by place on elo
	matches     []int          // of each bot, rated
}

// NewLadders begins the fold over tournaments. All of them are named beforehand: that tells what matches
// can be repeats.
func NewLadders(tournaments []Tournament) *Ladders {
	ladders := &Ladders{of: make(map[string]*rulesetLadder)}
	for _, t := range tournaments {
		ladder, again := ladders.of[t.Ruleset]
		if again {
			ladder.repeats = NewRepeats()
			continue
		}
		ladder = &rulesetLadder{ruleset: t.Ruleset, repeats: t.Repeats(), elo: NewLadder(t.Rating, nil)}
		ladders.of[t.Ruleset] = ladder
		ladders.order = append(ladders.order, ladder)
	}
	return ladders
}

// Add rates the next tournament, which is one of those that NewLadders was given, from its summaries in schedule
// order. A bot enters the ladder with the start of the first tournament that it is in, and each match moves by the
// K of its own tournament. In Glicko-2 a tournament is one rating period, if a match in it is rated; a bot that does not
// play in it gains deviation. The error names a match with a bot that is not in the tournament.
func (l *Ladders) Add(t Tournament, summaries []Slotted) error {
	ladder := l.of[t.Ruleset]
	ladder.enter(t)
	period := make([][]stats.GlickoGame, len(ladder.glicko))
	rated := 0
	for _, match := range summaries {
		if match.Result == Void {
			continue
		}
		if ladder.repeats.Again(match.Summary) {
			ladder.repeated++
			continue
		}
		if err := ladder.elo.Add(match.Summary); err != nil {
			return err
		}
		rated++
		south, north := ladder.elo.place[match.South], ladder.elo.place[match.North]
		pointsSouth, pointsNorth := match.Points()
		period[south] = append(period[south], stats.GlickoGame{Opponent: ladder.glicko[north], Score: pointsSouth})
		period[north] = append(period[north], stats.GlickoGame{Opponent: ladder.glicko[south], Score: pointsNorth})
	}
	ladder.tournaments++
	if rated > 0 {
		ladder.end(period)
	}
	return nil
}

// enter puts the bots of a tournament that are new on the ladder.
func (l *rulesetLadder) enter(t Tournament) {
	l.elo.rating = t.Rating
	for _, bot := range t.Bots {
		if _, there := l.elo.place[bot]; there {
			continue
		}
		l.elo.place[bot] = len(l.elo.bots)
		l.elo.bots = append(l.elo.bots, bot)
		l.elo.elo = append(l.elo.elo, t.Rating.Start)
		l.glicko = append(l.glicko, stats.NewGlicko())
		l.matches = append(l.matches, 0)
	}
}

// end ends a rating period. A bot that has not yet played in any is as new.
func (l *rulesetLadder) end(period [][]stats.GlickoGame) {
	for i, games := range period {
		if len(games) > 0 || l.matches[i] > 0 {
			l.glicko[i] = l.glicko[i].After(games, glickoTau)
		}
		l.matches[i] += len(games)
	}
}

// LadderLine is one bot on the ladder of a ruleset.
type LadderLine struct {
	Ruleset string
	Rank    int // from 1, on this ladder; bots with equal Elo share a rank, and the next rank is left out
	Bot     string
	Elo     float64 // online, see Ladder
	Matches int     // rated
	Glicko  stats.Glicko
}

// Lines gives all bots, ruleset after ruleset in the order in which they were first played, the best first.
func (l *Ladders) Lines() []LadderLine {
	var lines []LadderLine
	for _, ladder := range l.order {
		lines = append(lines, ladder.lines()...)
	}
	return lines
}

func (l *rulesetLadder) lines() []LadderLine {
	lines := make([]LadderLine, len(l.elo.bots))
	for i, bot := range l.elo.bots {
		lines[i] = LadderLine{
			Ruleset: l.ruleset, Bot: bot, Elo: l.elo.elo[i], Matches: l.matches[i], Glicko: l.glicko[i],
		}
	}
	slices.SortFunc(lines, func(a, b LadderLine) int {
		return cmp.Or(cmp.Compare(b.Elo, a.Elo), cmp.Compare(a.Bot, b.Bot))
	})
	for i := range lines {
		lines[i].Rank = i + 1
		if i > 0 && lines[i].Elo == lines[i-1].Elo {
			lines[i].Rank = lines[i-1].Rank
		}
	}
	return lines
}
