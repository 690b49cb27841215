package results

import (
	"time"
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
		for seat, name := range [2]string{match.South, match.North} {
			if name == bot {
				points, ending := match.Points()[seat], p.Endings[match.Ending]
				p.Seats[seat].add(points, match.Result != Void)
				ending.add(points, match.Result != Void)
				p.Endings[match.Ending] = ending
				p.Time += match.Times[seat]
			}
		}
	}
	return p
}
