package results

import (
	"fmt"
	"time"

	"sembra/results/stats"
)

// Meeting is all matches of one tournament between two bots, as Bot sees them. Cell counts every match, as the
// crosstable does; what follows it counts what is independent.
type Meeting struct {
	Bot, Opponent string
	Cell

	Pairs       stats.Pentanomial // complete pairs: both matches decided, and neither a repeat nor past the end of a test
	Singles     stats.Trinomial   // decided matches that are not repeats and whose pair is not complete
	Repeats     int               // decided matches that equal an earlier one
	Past        int               // decided matches that are no repeats, and that a test was decided before
	FaultLosses [2]int            // matches that Bot, and that Opponent, lost by a fault of its own
	CPU         [2]time.Duration  // processor time of each, in sum, in the matches in which it is known
	CPUMatches  [2]int            // how many those are
	Splits      [2]int            // pairs in which South won both matches, and in which North did
}

// Figures is what the meeting says of the strength of the two: by its complete pairs, and where there is none by
// its single matches. Paired says which; Left is how many single matches are not counted beside the pairs.
func (m Meeting) Figures() (figures stats.Figures, paired bool, left int) {
	singles := m.Singles.Figures()
	if pairs := m.Pairs.Figures(); pairs.Units > 0 {
		return pairs, true, singles.Games
	}
	return singles, false, 0
}

// Swap is the same meeting as the opponent sees it.
func (m Meeting) Swap() Meeting {
	m.Bot, m.Opponent = m.Opponent, m.Bot
	decided := m.Wins + m.Draws + m.Losses // a match without a result has no points
	m.Points = float64(decided) - m.Points
	m.Wins, m.Losses = m.Losses, m.Wins
	m.Pairs, m.Singles = m.Pairs.Swap(), m.Singles.Swap()
	m.FaultLosses[0], m.FaultLosses[1] = m.FaultLosses[1], m.FaultLosses[0]
	m.CPU[0], m.CPU[1] = m.CPU[1], m.CPU[0]
	m.CPUMatches[0], m.CPUMatches[1] = m.CPUMatches[1], m.CPUMatches[0]
	return m
}

// Meetings are those of all bots of a tournament that have met.
type Meetings struct {
	Tournament Tournament
	List       []Meeting // in configured order, the first configured as Bot
}

// NewMeetings counts the matches of a tournament, given in schedule order, by the two bots. The error names a match with a bot
// that is not in the tournament.
func NewMeetings(t Tournament, summaries []Slotted) (Meetings, error) {
	place := make(map[string]int, len(t.Bots))
	for i, bot := range t.Bots {
		place[bot] = i
	}
	counts := make([]*meetingCount, len(t.Bots)*len(t.Bots))
	repeats, ended := t.Repeats(), newTestEnd(t)
	for _, match := range summaries {
		south, ok := place[match.South]
		north, ok2 := place[match.North]
		if !ok || !ok2 {
			return Meetings{}, fmt.Errorf("match %v: not both are bots of this tournament", match.Key)
		}
		first, second := min(south, north), max(south, north)
		count := &counts[first*len(t.Bots)+second]
		if *count == nil {
			*count = &meetingCount{
				Meeting: Meeting{Bot: t.Bots[first], Opponent: t.Bots[second]},
				half:    make(map[int]halfPair),
			}
		}
		past, again := ended.before(match), repeats.Again(match.Summary)
		(*count).add(match.Summary, past, again)
	}
	meetings := Meetings{Tournament: t}
	for _, count := range counts {
		if count != nil {
			meetings.List = append(meetings.List, count.meeting())
		}
	}
	return meetings, nil
}

// Of gives the meetings of one bot, with it as Bot.
func (m Meetings) Of(bot string) Meetings {
	of := Meetings{Tournament: m.Tournament}
	for _, meeting := range m.List {
		switch bot {
		case meeting.Bot:
			of.List = append(of.List, meeting)
		case meeting.Opponent:
			of.List = append(of.List, meeting.Swap())
		}
	}
	return of
}

// Against gives the meetings with one opponent.
func (m Meetings) Against(opponent string) Meetings {
	against := Meetings{Tournament: m.Tournament}
	for _, meeting := range m.List {
		if meeting.Opponent == opponent {
			against.List = append(against.List, meeting)
		}
	}
	return against
}

// meetingCount is a meeting while it is being counted.
type meetingCount struct {
	Meeting
	half map[int]halfPair // pairs of which one match has been counted
}

// halfPair is the one match of a pair that has been counted.
type halfPair struct {
	halves  int    // points of Bot, in halves
	asSouth bool   // Bot was South
	result  Result // of the match
}

// add counts one match, which may be one that a test was decided before, and may equal an earlier one.
func (c *meetingCount) add(s Summary, past, again bool) {
	self, other := 0, 1 // places of South and North
	win := SouthWins
	if s.South != c.Bot {
		self, other, win = 1, 0, NorthWins
	}
	south, north := s.Points()
	own := [2]float64{south, north}[self]
	c.Cell.add(s.Result, win, own)
	c.addCPU(self, s.SouthCPU)
	c.addCPU(other, s.NorthCPU)
	if s.Result == Void {
		return
	}
	switch s.Fault {
	case SouthFault:
		c.FaultLosses[self]++
	case NorthFault:
		c.FaultLosses[other]++
	}
	switch {
	case again:
		c.Repeats++
		return
	case past:
		c.Past++
		return
	}
	c.addToPair(s.Pair, halfPair{halves: int(2 * own), asSouth: self == 0, result: s.Result})
}

// addToPair counts a match as the first of its pair, or with it as a whole pair.
func (c *meetingCount) addToPair(pair int, match halfPair) {
	before, found := c.half[pair]
	if !found {
		c.half[pair] = match
		return
	}
	delete(c.half, pair)
	c.Pairs[before.halves+match.halves]++
	if before.result == match.result && before.asSouth != match.asSouth {
		switch match.result {
		case SouthWins:
			c.Splits[0]++
		case NorthWins:
			c.Splits[1]++
		}
	}
}

func (c *meetingCount) addCPU(who int, cpu time.Duration) {
	if cpu >= 0 {
		c.CPU[who] += cpu
		c.CPUMatches[who]++
	}
}

// meeting is what has been counted. What is left of pairs are single matches.
func (c *meetingCount) meeting() Meeting {
	m := c.Meeting
	for _, match := range c.half {
		switch match.halves {
		case 0:
			m.Singles.Losses++
		case 1:
			m.Singles.Draws++
		case 2:
			m.Singles.Wins++
		}
	}
	return m
}
