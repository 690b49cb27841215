package results

import (
	"time"

	"sembra/engine"
	"sembra/results/stats"
)

// Meeting is all matches of one tournament between two bots, from the view of Bot. The Tally counts every match,
// as the crosstable does.
type Meeting struct {
	Bot, Opponent string
	Tally

	Figures     stats.Figures     // of Pairs, or of Singles if no pair is complete
	Paired      bool              // some pair is complete
	Single      int               // decided matches that are not counted beside the pairs
	Pairs       stats.Pentanomial // pairs whose matches are both decided and have no note
	Singles     stats.Trinomial   // other decided matches without a note
	Repeats     int               // decided matches with the note repeat
	Past        int               // decided matches with the note past stop
	FaultLosses [2]int            // matches that Bot and Opponent lost by their own fault
	CPU         [2]time.Duration  // of each bot: sum of CPU time over the matches in which it is known
	CPUMatches  [2]int            // number of these matches
	Split       int               // pairs in which each bot won a match, so that one seat won both
}

// Meetings lists the meetings of a tournament.
type Meetings struct {
	Tournament Tournament
	List       []Meeting // in configured order
}

// Meetings counts the matches of a tournament, given in schedule order, for each two bots who met. Bot is the one
// that was configured first. If one bot is given, there are only its meetings, from its view; if two are given, there
// is only the one between them. The error names a match with a bot that is not in the tournament.
func (t Tournament) Meetings(summaries []Numbered, of ...string) (Meetings, error) {
	places, notes := newPlaces(t.Bots), newNoteFold(t)
	summaries = t.counted(summaries)
	counts := make([]*meetingCount, len(t.Bots)*len(t.Bots))
	for _, match := range summaries {
		south, north, err := places.of(match.Key)
		if err != nil {
			return Meetings{}, err
		}
		note := notes.note(match)
		for _, seat := range []engine.Seat{engine.South, engine.North} {
			own, other := south, north
			if seat == engine.North {
				own, other = north, south
			}
			chosen := own < other
			if len(of) > 0 {
				chosen = t.Bots[own] == of[0] && (len(of) == 1 || t.Bots[other] == of[1])
			}
			if !chosen {
				continue
			}
			at := own*len(t.Bots) + other
			if counts[at] == nil {
				met := Meeting{Bot: t.Bots[own], Opponent: t.Bots[other]}
				counts[at] = &meetingCount{Meeting: met, half: make(map[int]int)}
			}
			counts[at].add(match.Summary, seat, note)
		}
	}
	meetings := Meetings{Tournament: t}
	for _, count := range counts {
		if count != nil {
			meetings.List = append(meetings.List, count.meeting())
		}
	}
	return meetings, nil
}

type meetingCount struct {
	Meeting
	half map[int]int // by pair: the half points of Bot in its first match, until the second is counted
}

// add counts one match with its note, in which Bot had that seat.
func (c *meetingCount) add(s Summary, seat engine.Seat, note string) {
	decided := s.Result != Void
	for who, side := range [2]engine.Seat{seat, seat.Other()} {
		if s.CPU[side] >= 0 {
			c.CPU[who] += s.CPU[side]
			c.CPUMatches[who]++
		}
		if decided && s.Fault.Blames(side) {
			c.FaultLosses[who]++
		}
	}
	own := s.Points()[seat]
	c.Tally.add(own, decided)
	switch {
	case !decided:
	case note == repeatNote:
		c.Repeats++
	case note == pastNote:
		c.Past++
	default:
		c.addToPair(s.Pair, int(2*own))
	}
}

// addToPair keeps the first match of a pair, and counts the pair with the second.
func (c *meetingCount) addToPair(pair, halves int) {
	before, found := c.half[pair]
	if !found {
		c.half[pair] = halves
		return
	}
	delete(c.half, pair)
	c.Pairs[before+halves]++
	if before+halves == 2 && halves != 1 {
		c.Split++
	}
}

// meeting returns the meeting. The matches whose pair is not complete are single matches.
func (c *meetingCount) meeting() Meeting {
	m := c.Meeting
	for _, halves := range c.half {
		m.Singles.Add(float64(halves) / 2)
	}
	m.Figures, m.Paired = stats.Direct{Pairs: m.Pairs, Singles: m.Singles}.Figures()
	if m.Paired {
		m.Single = len(c.half)
	}
	return m
}
