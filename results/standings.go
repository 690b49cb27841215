package results

import (
	"slices"
	"time"

	"sembra/engine"
	"sembra/results/stats"
)

// Standings is the table of a tournament with everything that belongs to it.
type Standings struct {
	Tournament Tournament
	Played     int        // recorded matches
	Repeats    int        // recorded matches with the note Repeat
	Past       int        // recorded matches with the note PastStop
	Lines      []Standing // best first
	Crosstable Crosstable
	Field      RatedField      // the ratings of the bots, in the order of Tournament.Bots
	TieBreaks  []string        // in the order in which they are applied
	Separated  []string        // the tie-breaks that separated any bots
	Test       *SequentialTest // of a tournament of the format sprt; otherwise nil
	Workers    []WorkerMatches // who played the matches; nil if the machine of the run played all
	Discarded  bool            // the database does not stay, so that no other command can read it
}

// Standing is one line of a tournament's table. A match in which both bots were at fault counts for each of
// them as a match and a fault. It is neither a win nor a draw nor a loss.
type Standing struct {
	Rank  int // from 1; bots that no tie-break separates share a rank, and the next rank is left out
	Bot   string
	Tally // its Points include those for byes
	Merit

	Faults       int           // matches in which this bot was at fault
	Repeats      int           // matches with the note Repeat
	Disqualified bool          // it had Tournament.DisqualifyAfter faults in a row
	Elo          float64       // the online rating
	CPU          time.Duration // sum of processor time over the matches in which it is known
	CPUMatches   int           // number of these matches
	Burnt        int           // matches in which it used processor time while it waited, and was stopped for that

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

// Merit is what a bot has in a tournament beside its matches.
type Merit struct {
	Byes      int     // stages of a swiss in which it did not play
	ByePoints float64 // the points that it got for them
	Reached   int     // in a knockout: the last stage that it reached, from 1; one more for the winner of the final
}

// Tie is the result of a meeting of two bots in a knockout.
type Tie struct {
	Stage  int        `json:"stage"`   // from 1
	Bots   [2]string  `json:"bots"`    // the better seed first; the second is "" for a bye
	Points [2]float64 `json:"points"`  // of each bot
	Pairs  int        `json:"pairs"`   // pairs with both matches recorded
	Winner string     `json:"winner"`  // "" while the tie goes on
	BySeed bool       `json:"by_seed"` // the points were equal at the end, so the better seed won
}

// NewStandings computes the standings of a tournament from the summaries of its recorded matches, in schedule
// order. merits says what bots have beside their matches, and may be nil.
//
// Every bot is in the standings, even without a match. In a knockout the bot that reached the higher stage
// comes first. In other formats, points decide, then the tournament's tie-breaks, then the configured order.
// A bot is disqualified only by matches in the unbroken run of slots from the first, because a match that is
// still missing may break a row of faults.
//
// The field is rated by the decided matches without a note. The two matches of a pair are one observation.
// The rating of the tournament's anchor is Rating.Start; without an anchor, the mean of each group is.
//
// The error names a match with a bot that is not in the tournament, or an unknown anchor or tie-break, or says
// what is wrong with a sequential test.
func NewStandings(t Tournament, summaries []Slotted, merits map[string]Merit) (Standings, error) {
	fold, err := newStandingsFold(t, summaries)
	if err != nil {
		return Standings{}, err
	}
	field, err := newField(t.Bots, fold.games, t.Anchor, t.Rating.Start)
	if err == nil {
		field, err = field.rate(0)
	}
	if err != nil {
		return Standings{}, err
	}
	for i := range fold.lines {
		fold.lines[i].Field = field.Players[i]
	}
	lines, separated, err := fold.table(merits)
	if err != nil {
		return Standings{}, err
	}
	s := Standings{
		Tournament: t,
		Played:     len(summaries),
		Repeats:    fold.repeated,
		Past:       fold.past,
		Lines:      lines,
		Crosstable: fold.cross,
		Field:      field,
		TieBreaks:  t.tieBreaks(),
		Separated:  separated,
		Workers:    countWorkers(summaries),
	}
	if t.Format == Sequential {
		s.Test, err = t.SequentialTest(summaries)
	}
	return s, err
}

// Rate rates the field again. The rating of the anchor or, without an anchor, the mean of each group becomes mean, in
// Elo. draws is the number of virtual draws of each bot; see [stats.Rate].
func (s *Standings) Rate(mean, draws float64) (err error) {
	s.Field.Mean = mean
	if s.Field, err = s.Field.rate(draws); err != nil {
		return err
	}
	for i := range s.Lines {
		s.Lines[i].Field = s.Field.Players[slices.Index(s.Field.Names, s.Lines[i].Bot)]
	}
	return nil
}

// standingsFold counts the matches of a tournament in one pass.
type standingsFold struct {
	tournament        Tournament
	seats             seats
	lines             []Standing // in configured order, not ranked
	cross             Crosstable
	ladder            *ladder
	disqualifications *Disqualifications
	repeated          int          // matches with the note Repeat
	past              int          // matches with the note PastStop
	games             []stats.Game // for the rating of the field
	unit              Key          // of the last game
	northBegins       []bool       // by opening: North moves first
}

// newStandingsFold counts matches in schedule order.
func newStandingsFold(t Tournament, summaries []Slotted) (*standingsFold, error) {
	c := &standingsFold{
		tournament: t, seats: newSeats(t.Bots), lines: make([]Standing, len(t.Bots)),
		ladder: newLadder(t.Rating, t.Bots), disqualifications: NewDisqualifications(t.DisqualifyAfter),
		games: make([]stats.Game, 0, len(summaries)), northBegins: t.northBegins(),
	}
	c.cross = Crosstable{place: c.seats, cells: make([]Tally, len(t.Bots)*len(t.Bots))}
	for i, bot := range t.Bots {
		c.lines[i].Bot = bot
	}
	notes := newNoteFold(t)
	for i := range summaries {
		s := &summaries[i].Summary
		south, north, err := c.seats.of(s.Key)
		if err != nil {
			return nil, err
		}
		if t.DisqualifyAfter > 0 && summaries[i].Slot == i+1 {
			c.disqualify(summaries[i], south, north)
		}
		sides, decided := [2]side{s.side(engine.South), s.side(engine.North)}, s.Result != Void
		c.lines[south].add(sides[0], decided)
		c.lines[north].add(sides[1], decided)
		c.cross.cell(south, north).add(sides[0].points, decided)
		c.cross.cell(north, south).add(sides[1].points, decided)
		switch notes.note(summaries[i]) {
		case Repeat:
			c.repeated++
			c.lines[south].Repeats++
			c.lines[north].Repeats++
		case PastStop:
			c.past++
		default:
			c.ladder.rate(south, north, *s)
			c.rate(south, north, s)
		}
	}
	return c, nil
}

// disqualify marks the bots whose row of faults is complete with this match. All matches before it are recorded.
func (c *standingsFold) disqualify(m Slotted, bots ...int) {
	c.disqualifications.Plan(m.Slot, m.Key)
	c.disqualifications.Add(m)
	for _, bot := range bots {
		line := &c.lines[bot]
		disqualified, _ := c.disqualifications.Disqualified(line.Bot, m.Slot+1)
		line.Disqualified = line.Disqualified || disqualified
	}
}

// add counts one match of the bot.
func (s *Standing) add(own side, decided bool) {
	s.Tally.add(own.points, decided)
	if own.fault {
		s.Faults++
	}
	if own.cpu >= 0 {
		s.CPU += own.cpu
		s.CPUMatches++
	}
	if own.burnt {
		s.Burnt++
	}
}

// rate adds a match to the games that rate the field. The two matches of a pair, which are adjacent in a
// schedule, are one unit.
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
	if i := c.tournament.openingOf(s.Pair); i < len(c.northBegins) && c.northBegins[i] {
		game.First, game.Second, game.Score = north, south, 1-game.Score
	}
	c.games = append(c.games, game)
	c.unit = s.Key
}

// northBegins says by opening whether North moves first. For an opening that is not a
// position, it is false.
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

// table ranks the bots. used lists the tie-breaks that separated any, in the order in which they did.
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
