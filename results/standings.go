package results

import (
	"iter"
	"slices"
	"time"

	"sembra/engine"
	"sembra/results/stats"
)

// Standings is the table of a tournament with everything that belongs to it.
type Standings struct {
	Tournament Tournament
	Played     int        // recorded matches
	Repeats    int        // recorded matches with the note repeat
	Past       int        // recorded matches with the note past stop
	Lines      []Standing // best first
	cross      crosstable
	Field      RatedPlayers    // the ratings of the bots in the lines, in the order of Tournament.Bots
	TieBreaks  []string        // in the order in which they are applied
	Separated  []string        // the tie-breaks that separated any bots
	Test       *SequentialTest // of a tournament of the format sprt; otherwise nil
	Workers    []WorkerMatches // who played the matches; nil if the machine of the run played all
	Discarded  bool            // the database does not stay, so that no other command can read it
	Withdrawn  map[string]int  // by bot that has withdrawn: its recorded matches, which do not count
}

// Standing is one line of a tournament's table. A match in which both bots were at fault counts for each of
// them as a match and a fault. It is neither a win nor a draw nor a loss.
type Standing struct {
	Rank  int // from 1; bots that no tie-break separates share a rank, and the next rank is left out
	Bot   string
	Tally // its Points include those for byes
	StageResult

	Faults       int           // matches in which this bot was at fault
	Repeats      int           // matches with the note repeat
	Disqualified bool          // it had Tournament.DisqualifyAfter faults in a row
	Elo          float64       // the online rating
	CPU          time.Duration // sum of CPU time over the matches in which it is known
	CPUMatches   int           // number of these matches

	DirectEncounter float64 // among all bots with the same points; 0 for one bot alone
	SonnebornBerger float64
	Koya            float64

	Field stats.Rating // the rating by all matches of the field
}

// Score returns the share of the possible points that the bot took from its matches, from 0 to 1, and false
// without a match. Byes are not matches.
func (s Standing) Score() (score float64, ok bool) {
	if s.Matches == 0 {
		return 0, false
	}
	return (s.Points - s.ByePoints) / float64(s.Matches), true
}

// StageResult is what a bot has in a tournament beside its matches.
type StageResult struct {
	Byes      int     // stages of a swiss in which it did not play
	ByePoints float64 // the points that it got for them
	Reached   int     // in a knockout: the last stage that it reached, from 1; one more for the winner of the final
}

// Pairing is two bots that meet in a stage of a knockout or a swiss, with the result so far.
type Pairing struct {
	Stage  int        `json:"stage"`   // from 1
	Bots   [2]string  `json:"bots"`    // the better seed first; the second is "" for a bye
	Points [2]float64 `json:"points"`  // of each bot
	Pairs  int        `json:"pairs"`   // pairs with both matches recorded
	Winner string     `json:"winner"`  // "" while its matches continue
	BySeed bool       `json:"by_seed"` // the points were equal at the end, so the better seed won
}

// Standings computes the standings of a tournament from its recorded matches, in schedule order. Once all of them were
// read, merits says what bots have beside their matches; it may return nil. unbroken is called for each match in turn,
// and reports whether all before it are recorded, as far as they are still to be played.
//
// Every bot that has not withdrawn is in the standings, even without a match. In a knockout the bot that reached the
// higher stage comes first. In other formats, points decide, then the tournament's tie-breaks, then the configured
// order. A bot is disqualified only by unbroken matches, because a match that is still missing may break a row of
// faults.
//
// The field is rated by the decided matches without a note. The two matches of a pair are one observation.
// The rating of the tournament's anchor is Rating.Start; without an anchor, the mean of each group is.
//
// The error is the first one of the matches, names a match with a bot that is not in the tournament, or an unknown
// anchor or tie-break, or says what is wrong with a sequential test.
func (t Tournament) Standings(
	matches iter.Seq2[Numbered, error], merits func() map[string]StageResult, unbroken func(number int) bool,
) (Standings, error) {
	c, err := newStandingsFold(t)
	if err != nil {
		return Standings{}, err
	}
	for match, err := range matches {
		if err == nil {
			err = c.take(match, unbroken(match.Number))
		}
		if err != nil {
			return Standings{}, err
		}
	}
	field, err := rateField(c.bots, c.games, t.Anchor, t.Rating.Start, 0)
	if err != nil {
		return Standings{}, err
	}
	c.Field = field
	c.Workers = c.workers.all()
	c.rank(merits())
	return c.Standings, nil
}

// Rate rates the field again. The rating of the anchor or, without an anchor, the mean of each group becomes mean, in
// Elo. draws is the number of virtual draws of each bot; see [stats.Rate].
func (s *Standings) Rate(mean, draws float64) error {
	s.Field.Mean = mean
	field, err := s.Field.rate(draws)
	if err != nil {
		return err
	}
	s.Field = field
	for i := range s.Lines {
		s.Lines[i].Field = s.Field.Players[slices.Index(s.Field.Names, s.Lines[i].Bot)]
	}
	return nil
}

// standingsFold counts the matches of a tournament in one pass.
type standingsFold struct {
	Standings         // its Lines are in configured order, and not ranked
	bots              []string
	places            places
	ladder            *ladder
	notes             noteFold
	workers           workerCounts
	faulty            bool // there was a fault, so a bot may be disqualified
	disqualifications *Disqualifications
	games             []stats.Game // for the rating of the field
	last              Key          // of the last of them
}

func newStandingsFold(t Tournament) (*standingsFold, error) {
	err := CheckTieBreaks(t.TieBreaks)
	if err != nil {
		return nil, err
	}
	bots := without(t.Bots, t.Withdrawn)
	c := &standingsFold{
		Standings: Standings{Tournament: t, Lines: make([]Standing, len(bots)), TieBreaks: t.tieBreaks()},
		bots:      bots, places: newPlaces(bots), ladder: newLadder(t), notes: newNoteFold(t), workers: make(workerCounts),
		disqualifications: NewDisqualifications(t.DisqualifyAfter),
	}
	c.cross = crosstable{place: c.places, cells: make([]Tally, len(bots)*len(bots))}
	if len(t.Withdrawn) > 0 {
		c.Withdrawn = make(map[string]int)
	}
	c.Test = c.notes.test
	if c.Test != nil {
		_, err = t.SequentialTest(nil) // which checks it
	}
	return c, err
}

// take takes the next match in schedule order. unbroken says that all before it are recorded.
func (c *standingsFold) take(m Numbered, unbroken bool) error {
	c.faulty = c.faulty || m.Fault != NoFault
	if c.faulty && unbroken {
		c.disqualify(m)
	}
	withdrawn := c.Tournament.Withdrawn
	if m.Of(withdrawn) {
		for _, bot := range []string{m.South, m.North} {
			if slices.Contains(withdrawn, bot) {
				c.Withdrawn[bot]++
			}
		}
		return nil
	}
	c.Played++
	c.workers.add(m)
	return c.add(m)
}

// disqualify takes the next match in schedule order, before which all are recorded. What a bot did against one that has
// withdrawn later still disqualifies it, as it did when they played.
func (c *standingsFold) disqualify(m Numbered) {
	c.disqualifications.Plan(m.Number, m.Key)
	c.disqualifications.Add(m)
	for _, bot := range [2]string{m.South, m.North} {
		if i, plays := c.places[bot]; plays && !c.Lines[i].Disqualified {
			cause, _ := c.disqualifications.Disqualified(bot, m.Number+1)
			c.Lines[i].Disqualified = cause > 0
		}
	}
}

// add counts the next match in schedule order.
func (c *standingsFold) add(m Numbered) error {
	south, north, err := c.places.of(m.Key)
	if err != nil {
		return err
	}
	note, decided, bots := c.notes.note(m), m.Result != Void, [2]int{south, north}
	for seat, bot := range bots {
		line := &c.Lines[bot]
		line.add(&m.Summary, engine.Seat(seat))
		c.cross.cell(bot, bots[1-seat]).add(m.Points()[seat], decided)
		if note == repeatNote {
			line.Repeats++
		}
	}
	switch {
	case note == repeatNote:
		c.Repeats++
	case note == pastNote:
		c.Past++
	case decided:
		c.rate(south, north, &m.Summary)
		return c.ladder.add(m.Summary)
	}
	return nil
}

// add counts one match, in which the bot had that seat.
func (s *Standing) add(m *Summary, seat engine.Seat) {
	s.Tally.add(m.Points()[seat], m.Result != Void)
	if m.Fault.Blames(seat) {
		s.Faults++
	}
	if m.CPU[seat] >= 0 {
		s.CPU += m.CPU[seat]
		s.CPUMatches++
	}
}

// rate adds a match between two bots to the games that rate the field. The two matches of a pair, which are adjacent in
// a schedule, are one unit.
func (c *standingsFold) rate(south, north int, s *Summary) {
	game := stats.Game{First: south, Second: north, Score: s.Points()[engine.South]}
	if engine.SideOfText(c.Tournament.Opening(s.Pair)) == engine.North {
		game = stats.Game{First: north, Second: south, Score: 1 - game.Score}
	}
	if n := len(c.games); n > 0 {
		game.Unit = c.games[n-1].Unit + 1
		otherSeats := Key{South: s.North, North: s.South, Pair: s.Pair}
		if c.last == otherSeats { // it is the second match of that pair
			game.Unit = c.games[n-1].Unit
		}
	}
	c.games, c.last = append(c.games, game), s.Key
}

// rank completes the lines and puts them in order.
func (c *standingsFold) rank(merits map[string]StageResult) {
	for i, bot := range c.bots {
		line := &c.Lines[i]
		line.Bot, line.Elo, line.Field, line.StageResult = bot, c.ladder.elo[i], c.Field.Players[i], merits[bot]
		line.Points += line.ByePoints
	}
	b := &tieBreaker{lines: c.Lines, cross: c.cross, breaks: c.TieBreaks}
	b.count()
	var ranked []Standing
	for _, tied := range b.order() {
		rank := len(ranked) + 1
		for _, i := range tied {
			c.Lines[i].Rank = rank
			ranked = append(ranked, c.Lines[i])
		}
	}
	c.Lines, c.Separated = ranked, b.used
}

// Cell returns the results of a bot against another one in the crosstable; all zero for bots that are not in it.
// Matches with a note count like others.
func (s Standings) Cell(bot, opponent string) Tally {
	row, ok := s.cross.place[bot]
	column, ok2 := s.cross.place[opponent]
	if !ok || !ok2 {
		return Tally{}
	}
	return *s.cross.cell(row, column)
}

// crosstable says how each bot did against each other bot.
type crosstable struct {
	place places
	cells []Tally // a row for each bot, with a cell for each bot
}

func (c crosstable) cell(row, column int) *Tally { return &c.cells[row*len(c.place)+column] }
