package results

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Standing is one line of a tournament's table. Points are 1 for a win and 1/2 for a draw. A match in
// which both bots were at fault counts for each as a match and a fault with 0 points, and is neither a
// win nor a draw nor a loss.
type Standing struct {
	Rank                int // from 1; bots with equal points share a rank, and the next rank is left out
	Bot                 string
	Points              float64
	Matches             int
	Wins, Draws, Losses int
	Faults              int           // matches in which this bot was at fault
	Withdrawn           bool          // after so many faults in a row, see Standings
	Elo                 float64       // online, see Ladder
	CPU                 time.Duration // processor time, in sum, in the matches in which it is known
	CPUMatches          int           // how many those are
}

// Score is the share of the possible points that the bot has, from 0 to 1, and false without a match.
func (s Standing) Score() (score float64, ok bool) {
	if s.Matches == 0 {
		return 0, false
	}
	return s.Points / float64(s.Matches), true
}

// Standings makes the table of a tournament from the summaries of its matches in schedule order. Every
// bot is in it, those without a match too; most points first, equal points in configured order. Who is
// withdrawn follows from the unbroken run of slots from the first alone: a match that is still missing may
// break a row of faults. The error names a match with a bot that is not in the tournament.
func Standings(t Tournament, summaries []Slotted) ([]Standing, error) {
	table := make([]Standing, len(t.Bots))
	line := make(map[string]*Standing, len(t.Bots))
	for i, bot := range t.Bots {
		table[i].Bot = bot
		line[bot] = &table[i]
	}
	ladder := NewLadder(t.Rating, t.Bots)
	withdrawals := NewWithdrawals(t.WithdrawAfter, t.Bots)
	for i, match := range summaries {
		if err := ladder.Add(match.Summary); err != nil {
			return nil, err
		}
		if match.Slot == i+1 {
			withdrawals.Add(match.Summary)
		}
		count(match.Summary, line[match.South], line[match.North])
	}
	for i := range table {
		table[i].Elo = ladder.Elo(table[i].Bot)
		table[i].Withdrawn = withdrawals.Withdrawn(table[i].Bot)
	}
	slices.SortStableFunc(table, func(a, b Standing) int { return cmp.Compare(b.Points, a.Points) })
	for i := range table {
		table[i].Rank = i + 1
		if i > 0 && table[i].Points == table[i-1].Points {
			table[i].Rank = table[i-1].Rank
		}
	}
	return table, nil
}

// count adds one match to the lines of its two bots.
func count(s Summary, south, north *Standing) {
	pointsSouth, pointsNorth := s.Points()
	south.Matches++
	north.Matches++
	south.Points += pointsSouth
	north.Points += pointsNorth
	switch s.Result {
	case SouthWins:
		south.Wins++
		north.Losses++
	case NorthWins:
		south.Losses++
		north.Wins++
	case Draw:
		south.Draws++
		north.Draws++
	}
	if s.Fault == SouthFault || s.Fault == BothFault {
		south.Faults++
	}
	if s.Fault == NorthFault || s.Fault == BothFault {
		north.Faults++
	}
	south.addCPU(s.SouthCPU)
	north.addCPU(s.NorthCPU)
}

// addCPU adds the processor time of one match, if it is known.
func (s *Standing) addCPU(cpu time.Duration) {
	if cpu >= 0 {
		s.CPU += cpu
		s.CPUMatches++
	}
}

// Cell is what one bot has made of its matches against one other.
type Cell struct {
	Matches             int
	Points              float64
	Wins, Draws, Losses int
}

// Crosstable is who did what against whom.
type Crosstable struct {
	place map[string]int
	cells []Cell // a row of all bots a bot
}

// NewCrosstable counts the matches of a tournament by pairs of bots. The error names a match with a
// bot that is not in the tournament.
func NewCrosstable(t Tournament, summaries []Slotted) (Crosstable, error) {
	table := Crosstable{
		place: make(map[string]int, len(t.Bots)),
		cells: make([]Cell, len(t.Bots)*len(t.Bots)),
	}
	for i, bot := range t.Bots {
		table.place[bot] = i
	}
	for _, match := range summaries {
		south, north := table.at(match.South, match.North), table.at(match.North, match.South)
		if south == nil || north == nil {
			return Crosstable{}, fmt.Errorf("match %v: not both are bots of this tournament", match.Key)
		}
		pointsSouth, pointsNorth := match.Points()
		south.add(match.Result, SouthWins, pointsSouth)
		north.add(match.Result, NorthWins, pointsNorth)
	}
	return table, nil
}

func (c *Cell) add(result, win Result, points float64) {
	c.Matches++
	c.Points += points
	switch result {
	case win:
		c.Wins++
	case Draw:
		c.Draws++
	case SouthWins, NorthWins:
		c.Losses++
	}
}

// Cell is what bot has made of its matches against opponent; all zero for bots that are not there.
func (c Crosstable) Cell(bot, opponent string) Cell {
	if cell := c.at(bot, opponent); cell != nil {
		return *cell
	}
	return Cell{}
}

func (c Crosstable) at(bot, opponent string) *Cell {
	row, ok := c.place[bot]
	if !ok {
		return nil
	}
	column, ok := c.place[opponent]
	if !ok {
		return nil
	}
	return &c.cells[row*len(c.place)+column]
}
