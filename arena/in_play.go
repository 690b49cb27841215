package arena

import (
	"cmp"
	"slices"
)

// InPlay tells which matches are being played at a moment.
type InPlay struct {
	Tournament string       `json:"tournament"` // its name in the database; "": not known yet
	Count      int          `json:"count"`      // number of matches in play
	Matches    []MatchBegun `json:"matches"`    // the first of them in the order of their slots, with their moves
}

// mostSampled is the greatest number of matches in one InPlay.
const mostSampled = 16

// Name tells the feed the name that its tournament has in the database.
func (f *Feed) Name(tournament string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tournament = tournament
}

// InPlay returns which matches are being played now. The number differs from that of an earlier call only if
// something has changed since.
func (f *Feed) InPlay() (now InPlay, number int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now = InPlay{Tournament: f.tournament, Count: len(f.inPlay), Matches: f.all()}
	now.Matches = now.Matches[:min(len(now.Matches), mostSampled)]
	return now, f.changes
}

// Matches returns all matches that are being played now, in the order of their slots.
func (f *Feed) Matches() []MatchBegun {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.all()
}

// all is Matches while the feed is locked.
func (f *Feed) all() []MatchBegun {
	all := make([]MatchBegun, 0, len(f.inPlay))
	for _, begun := range f.inPlay {
		all = append(all, *begun)
	}
	slices.SortFunc(all, func(a, b MatchBegun) int { return cmp.Compare(a.Slot, b.Slot) })
	return all
}
