package results

import (
	"time"

	"sembra/results/stats"
)

// Meeting is all matches of one tournament between two bots, from the view of Bot. The Tally counts every match,
// as the crosstable does.
type Meeting struct {
	Bot, Opponent string
	Tally

	Pairs       stats.Pentanomial // pairs whose matches are both decided and have no note
	Singles     stats.Trinomial   // other decided matches without a note
	Repeats     int               // decided matches with the note Repeat
	Past        int               // decided matches with the note PastStop
	FaultLosses [2]int            // matches that Bot and Opponent lost by their own fault
	CPU         [2]time.Duration  // of each bot: sum of processor time over the matches in which it is known
	CPUMatches  [2]int            // number of these matches
	Splits      [2]int            // pairs in which South won both matches, and in which North won both
}

// Figures returns the figures of the complete pairs, or of the single matches if no pair is complete. paired says
// which. left is the number of single matches that are not counted beside the pairs.
func (m Meeting) Figures() (figures stats.Figures, paired bool, left int) {
	figures, paired = stats.Direct{Pairs: m.Pairs, Singles: m.Singles}.Figures()
	if paired {
		left = m.Singles.Wins + m.Singles.Draws + m.Singles.Losses
	}
	return figures, paired, left
}

// swap returns the same meeting from the view of the opponent.
func (m Meeting) swap() Meeting {
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

// Meetings lists the meetings of a tournament.
type Meetings struct {
	Tournament Tournament
	List       []Meeting // in configured order; Bot is the one that was configured first
}

// NewMeetings counts the matches of a tournament, given in schedule order, for each two bots. The error names a
// match with a bot that is not in the tournament.
func NewMeetings(t Tournament, summaries []Slotted) (Meetings, error) {
	seats, notes := newSeats(t.Bots), newNoteFold(t)
	counts := make([]*meetingCount, len(t.Bots)*len(t.Bots))
	for _, match := range summaries {
		south, north, err := seats.of(match.Key)
		if err != nil {
			return Meetings{}, err
		}
		first, second := min(south, north), max(south, north)
		count := &counts[first*len(t.Bots)+second]
		if *count == nil {
			*count = &meetingCount{
				Meeting: Meeting{Bot: t.Bots[first], Opponent: t.Bots[second]},
				half:    make(map[int]halfPair),
			}
		}
		(*count).add(match.Summary, notes.note(match))
	}
	meetings := Meetings{Tournament: t}
	for _, count := range counts {
		if count != nil {
			meetings.List = append(meetings.List, count.meeting())
		}
	}
	return meetings, nil
}

// Of returns the meetings of one bot, from its view.
func (m Meetings) Of(bot string) Meetings {
	of := Meetings{Tournament: m.Tournament}
	for _, meeting := range m.List {
		switch bot {
		case meeting.Bot:
			of.List = append(of.List, meeting)
		case meeting.Opponent:
			of.List = append(of.List, meeting.swap())
		}
	}
	return of
}

// Against returns the meetings with one opponent.
func (m Meetings) Against(opponent string) Meetings {
	against := Meetings{Tournament: m.Tournament}
	for _, meeting := range m.List {
		if meeting.Opponent == opponent {
			against.List = append(against.List, meeting)
		}
	}
	return against
}

// meetingCount counts one meeting.
type meetingCount struct {
	Meeting
	half map[int]halfPair // by pair: its first match, until the second is counted
}

// halfPair is the first match of a pair.
type halfPair struct {
	halves  int    // half points of Bot
	asSouth bool   // Bot was South
	result  Result // of the match
}

// add counts one match with its note.
func (c *meetingCount) add(s Summary, note Note) {
	self, other := 0, 1 // places of South and North
	if s.South != c.Bot {
		self, other = 1, 0
	}
	south, north := s.Points()
	own := [2]float64{south, north}[self]
	c.Tally.add(own, s.Result != Void)
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
	switch note {
	case Repeat:
		c.Repeats++
	case PastStop:
		c.Past++
	default:
		c.addToPair(s.Pair, halfPair{halves: int(2 * own), asSouth: self == 0, result: s.Result})
	}
}

// addToPair keeps the first match of a pair, and counts the pair with the second.
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

// meeting returns the meeting. The matches whose pair is not complete are single matches.
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
