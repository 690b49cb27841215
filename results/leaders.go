package results

import (
	"cmp"
	"slices"
)

// Leaders counts the points of the bots of a tournament while it is played.
type Leaders struct {
	bots  []string // in configured order
	tally map[string]Tally
}

// Leader is one bot with its points so far.
type Leader struct {
	Bot    string
	Points float64 // with those for byes
}

// Leaders returns a count without matches.
func (t Tournament) Leaders() *Leaders {
	return &Leaders{bots: t.Bots, tally: make(map[string]Tally, len(t.Bots))}
}

// Add counts a match.
func (l *Leaders) Add(s Summary) {
	south, north := s.Points()
	for bot, points := range map[string]float64{s.South: south, s.North: north} {
		tally := l.tally[bot]
		tally.add(points, s.Result != Void)
		l.tally[bot] = tally
	}
}

// Top returns at most n bots that have played, those with the most points first. Bots with equal points are in the
// order of the tournament. merits says what they have beside their matches, and may be nil.
func (l *Leaders) Top(n int, merits map[string]Merit) []Leader {
	var all []Leader
	for _, bot := range l.bots {
		if byes := merits[bot].ByePoints; l.tally[bot].Matches > 0 || byes > 0 {
			all = append(all, Leader{bot, l.tally[bot].Points + byes})
		}
	}
	slices.SortStableFunc(all, func(a, b Leader) int { return cmp.Compare(b.Points, a.Points) })
	return all[:min(n, len(all))]
}
