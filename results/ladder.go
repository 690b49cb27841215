package results

import (
	"cmp"
	"slices"

	"sembra/results/stats"
)

// What the ladders' Glicko-2 goes by: M. E. Glickman, Example of the Glicko-2 system (2022).
const (
	glickoTau = 0.5 // holds volatility down; the example's, 0.3 to 1.2 are advised
	// glickoPeriod is the most matches of a bot in one rating period; 10 to 15 are advised. In a period all
	// are rated by the ratings before it, so that in a long one two bots overtake each other without end.
	glickoPeriod = 15
)

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
// K of its own tournament. In Glicko-2 a rating period ends before the match that would be one too many for a bot, and with
// the tournament; a bot that does not play in a tournament in which a match is rated gains the deviation of one period. The error names a match with a bot that is not in the tournament.
func (l *Ladders) Add(t Tournament, summaries []Slotted) error {
	ladder := l.of[t.Ruleset]
	ladder.enter(t)
	ended := newTestEnd(t)
	period := newPeriod(len(ladder.glicko))
	rated := make([]int, len(ladder.glicko)) // before this tournament
	copy(rated, ladder.matches)
	for _, match := range summaries {
		if ended.before(match) || match.Result == Void {
			continue
		}
		if ladder.repeats.Again(match.Summary) {
			ladder.repeated++
			continue
		}
		if err := ladder.elo.Add(match.Summary); err != nil {
			return err
		}
		south, north := ladder.elo.place[match.South], ladder.elo.place[match.North]
		if len(period.games[south]) == glickoPeriod || len(period.games[north]) == glickoPeriod {
			ladder.end(period)
		}
		score, _ := match.Points()
		period.add(south, north, score)
		ladder.matches[south]++
		ladder.matches[north]++
	}
	ladder.tournaments++
	ladder.end(period)
	ladder.rest(rated)
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

// end ends a rating period and begins the next.
func (l *rulesetLadder) end(p *period) {
	before := slices.Clone(l.glicko)
	var games []stats.GlickoGame
	for _, bot := range p.bots {
		games = games[:0]
		for _, game := range p.games[bot] {
			games = append(games, stats.GlickoGame{Opponent: before[game.opponent], Score: game.score})
		}
		l.glicko[bot] = before[bot].After(games, glickoTau)
		p.games[bot] = p.games[bot][:0]
	}
	p.bots = p.bots[:0]
}

// rest makes the bots less sure that have played before a tournament, and not in it. rated are the matches
// of each bot before it.
func (l *rulesetLadder) rest(rated []int) {
	if slices.Equal(rated, l.matches) {
		return
	}
	for bot, matches := range rated {
		if matches > 0 && matches == l.matches[bot] {
			l.glicko[bot] = l.glicko[bot].After(nil, glickoTau)
		}
	}
}

// period is the matches of a rating period.
type period struct {
	bots  []int          // who has played in it
	games [][]periodGame // of each bot
}

// periodGame is one match, as one of its bots sees it.
type periodGame struct {
	opponent int
	score    float64
}

func newPeriod(bots int) *period { return &period{games: make([][]periodGame, bots)} }

// add adds a match with South's score.
func (p *period) add(south, north int, score float64) {
	for _, seat := range []struct {
		bot  int
		game periodGame
	}{{south, periodGame{north, score}}, {north, periodGame{south, 1 - score}}} {
		if len(p.games[seat.bot]) == 0 {
			p.bots = append(p.bots, seat.bot)
		}
		p.games[seat.bot] = append(p.games[seat.bot], seat.game)
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

// LadderRuleset is what was rated of one ruleset.
type LadderRuleset struct {
	Ruleset     string `json:"ruleset"`
	Tournaments int    `json:"tournaments"`
	Repeats     int    `json:"repeats"` // matches that are not rated, because they equal an earlier one
}

// Rulesets gives the rulesets in the order in which they were first played.
func (l *Ladders) Rulesets() []LadderRuleset {
	rulesets := make([]LadderRuleset, len(l.order))
	for i, ladder := range l.order {
		rulesets[i] = LadderRuleset{ladder.ruleset, ladder.tournaments, ladder.repeated}
	}
	return rulesets
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
