package results

import (
	"time"

	"sembra/engine"
)

// Profile counts the matches of one bot of a tournament.
type Profile struct {
	Bot     string
	Seats   [2]Tally         // as South and as North
	Endings map[Ending]Tally // by how the matches ended
	Time    time.Duration    // charged thinking time over all matches
}

// NewProfile counts the matches of a bot among summaries. It counts every match, as the standings do.
func NewProfile(bot string, summaries []Numbered) Profile {
	p := Profile{Bot: bot, Endings: make(map[Ending]Tally)}
	for i := range summaries {
		match := &summaries[i]
		for _, seat := range []engine.Seat{engine.South, engine.North} {
			if own := match.side(seat); own.bot == bot {
				p.Seats[seat].add(own.points, match.Result != Void)
				ending := p.Endings[match.Ending]
				ending.add(own.points, match.Result != Void)
				p.Endings[match.Ending] = ending
				p.Time += own.time
			}
		}
	}
	return p
}
