package results

import (
	"time"

	"sembra/engine"
	"sembra/results/stats"
)

// standingsFold is what is counted of a tournament's matches, all in one pass.
type standingsFold struct {
	tournament  Tournament
	seats       *seats
	lines       []Standing // in configured order, not ranked
	cross       Crosstable
	ladder      *Ladder
	withdrawals *Withdrawals
	repeats     *Repeats
	repeated    int // matches that equal an earlier one
	ended       testEnd
	past        int          // matches that a test was decided before
	games       []stats.Game // what the field is rated by
	unit        Key          // of the last of them
	northBegins []bool       // of each pair, at index pair-1: its opening has North to move
}

// newStandingsFold counts matches in schedule order.
func newStandingsFold(t Tournament, summaries []Slotted) (*standingsFold, error) {
	c := &standingsFold{
		tournament: t, seats: newSeats(t.Bots), lines: make([]Standing, len(t.Bots)),
		ladder: NewLadder(t.Rating, t.Bots), withdrawals: NewWithdrawals(t.WithdrawAfter), repeats: t.Repeats(),
		ended: newTestEnd(t), games: make([]stats.Game, 0, len(summaries)), northBegins: t.northBegins(),
	}
	c.repeats.expect(len(summaries))
	c.cross = newCrosstable(c.seats.place)
	for i, bot := range t.Bots {
		c.lines[i].Bot = bot
	}
	for i := range summaries {
		s := &summaries[i].Summary
		south, north, err := c.seats.of(s.Key)
		if err != nil {
			return nil, err
		}
		if t.WithdrawAfter > 0 && summaries[i].Slot == i+1 {
			c.withdraw(summaries[i], south, north)
		}
		c.lines[south].add(s.Result, SouthWins, s.Fault.Blames(engine.South), s.SouthCPU)
		c.lines[north].add(s.Result, NorthWins, s.Fault.Blames(engine.North), s.NorthCPU)
		c.cross.add(south, north, *s)
		past, again := c.ended.before(summaries[i]), c.repeats.Again(*s)
		if past && !again {
			c.past++
			continue
		}
		if again {
			c.repeated++
			c.lines[south].Repeats++
			c.lines[north].Repeats++
			continue
		}
		c.ladder.rate(south, north, *s)
		c.rate(south, north, s)
	}
	return c, nil
}

// withdraw marks the bots that have their last fault in a row in this match. The matches before it are
// all recorded.
func (c *standingsFold) withdraw(m Slotted, bots ...int) {
	c.withdrawals.Plan(m.Slot, m.Key)
	c.withdrawals.Add(m)
	for _, bot := range bots {
		line := &c.lines[bot]
		withdrawn, _ := c.withdrawals.Withdrawn(line.Bot, m.Slot+1)
		line.Withdrawn = line.Withdrawn || withdrawn
	}
}

// add counts one match of a bot that wins by the result win.
func (s *Standing) add(result, win Result, fault bool, cpu time.Duration) {
	s.Matches++
	switch result {
	case win:
		s.Points++
		s.Wins++
	case Draw:
		s.Points += 0.5
		s.Draws++
	case SouthWins, NorthWins:
		s.Losses++
	}
	if fault {
		s.Faults++
	}
	if cpu >= 0 {
		s.CPU += cpu
		s.CPUMatches++
	}
}

// rate notes a match for the rating of the field. The two matches of a pair, which stand next to each
// other in a schedule, are one observation.
func (c *standingsFold) rate(south, north int, s *Summary) {
	if s.Result == Void {
		return
	}
	unit := 0
	if last := len(c.games) - 1; last >= 0 {
		unit = c.games[last].Unit + 1
		if (Key{s.North, s.South, s.Pair}) == c.unit {
			unit--
		}
	}
	game := stats.Game{First: south, Second: north, Unit: unit}
	game.Score, _ = s.Points()
	if s.Pair <= len(c.northBegins) && c.northBegins[s.Pair-1] {
		game.First, game.Second, game.Score = north, south, 1-game.Score
	}
	c.games = append(c.games, game)
	c.unit = s.Key
}

// northBegins says of each pair, at index pair-1, that its opening has North to move. An opening that is
// no position has not.
func (t Tournament) northBegins() []bool {
	begins := make([]bool, len(t.Openings))
	rules, err := t.Rules()
	if err != nil {
		return begins
	}
	for i, text := range t.Openings {
		opening, err := engine.ParsePosition(rules, text)
		begins[i] = err == nil && opening.Side() == engine.North
	}
	return begins
}

// table ranks the bots. used has the tie-breaks that separated any, in the order in which they did.
func (c *standingsFold) table(merits map[string]Merit) (table []Standing, used []string, err error) {
	breaks := c.tournament.tieBreaks()
	if err := CheckTieBreaks(breaks); err != nil {
		return nil, nil, err
	}
	for i := range c.lines {
		line := &c.lines[i]
		line.Elo = c.ladder.elo[i]
		line.Merit = merits[line.Bot]
		line.Points += line.ByePoints
	}
	b := &tieBreaker{lines: c.lines, cross: c.cross, breaks: breaks}
	b.count()
	for _, tied := range b.order() {
		rank := len(table) + 1
		for _, i := range tied {
			c.lines[i].Rank = rank
			table = append(table, c.lines[i])
		}
	}
	return table, b.used, nil
}
