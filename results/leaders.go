package results

import (
	"cmp"
	"slices"
)

// Leaders counts the points of the bots of a tournament while it is played.
type Leaders struct {
	bots   []string           // in configured order
	points map[string]float64 // of those that have played
}

// Leader is one bot with its points so far.
type Leader struct {
	Bot    string
	Points float64 // with those for byes
}

// Leaders returns a count without matches.
func (t Tournament) Leaders() *Leaders {
	return &Leaders{bots: t.Bots, points: make(map[string]float64, len(t.Bots))}
}

// Add counts a match.
func (l *Leaders) Add(s Summary) {
	for seat, bot := range [2]string{s.South, s.North} {
		l.points[bot] += s.Points()[seat]
	}
}

// Top returns at most n bots that have played, those with the most points first. Bots with equal points are in the
// order of the tournament. merits says what they have beside their matches, and may be nil.
func (l *Leaders) Top(n int, merits map[string]Merit) []Leader {
	var all []Leader
	for _, bot := range l.bots {
		points, played := l.points[bot]
		if byes := merits[bot].ByePoints; played || byes > 0 {
			all = append(all, Leader{bot, points + byes})
		}
	}
	slices.SortStableFunc(all, func(a, b Leader) int { return cmp.Compare(b.Points, a.Points) })
	return all[:min(n, len(all))]
}
