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
	period := newPeriod(len(ladder.glicko))
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
		period.add(ladder.elo.place[match.South], ladder.elo.place[match.North], match.Result)
	}
	ladder.tournaments++
	if period.matches > 0 {
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
func (l *rulesetLadder) end(p period) {
	before := slices.Clone(l.glicko)
	var games []stats.GlickoGame
	for i := range l.glicko {
		games = p.games(games[:0], i, before)
		l.matches[i] += len(games)
		if l.matches[i] > 0 {
			l.glicko[i] = before[i].After(games, glickoTau)
		}
	}
}

// period counts the matches of a rating period: opponents are rated as before it, so that matches against one opponent
// with one result are all alike.
type period struct {
	matches int
	counts  [][][3]int // by bot and opponent: lost, drawn, won; nil for a bot without a match
}

func newPeriod(bots int) period { return period{counts: make([][][3]int, bots)} }

func (p *period) add(south, north int, result Result) {
	ofSouth := 1
	switch result {
	case SouthWins:
		ofSouth = 2
	case NorthWins:
		ofSouth = 0
	}
	p.matches++
	p.of(south)[north][ofSouth]++
	p.of(north)[south][2-ofSouth]++
}

func (p *period) of(bot int) [][3]int {
	if p.counts[bot] == nil {
		p.counts[bot] = make([][3]int, len(p.counts))
	}
	return p.counts[bot]
}

// games appends the matches of a bot.
func (p *period) games(to []stats.GlickoGame, bot int, ratings []stats.Glicko) []stats.GlickoGame {
	for opponent, counts := range p.counts[bot] {
		for halves, count := range counts {
			for range count {
				to = append(to, stats.GlickoGame{Opponent: ratings[opponent], Score: float64(halves) / 2})
			}
		}
	}
	return to
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
