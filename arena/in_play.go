package arena

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// InPlay tells which matches are being played at a moment.
type InPlay struct {
	Tournament string       `json:"tournament"` // its name in the database; "": not known yet
	Count      int          `json:"count"`      // number of matches in play
	Matches    []MatchBegun `json:"matches"`    // the first of them in the order of their slots, with their moves
}

// The bounds of what a feed samples for other processes.
const (
	mostSampled = 16                     // matches in one InPlay
	sampleEvery = 250 * time.Millisecond // between two of them
)

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

// Events samples for another process which matches are in play, until stop is called. The channel carries an
// [InPlay] as JSON four times a second, if something has changed. So the cost for the run does not depend on how
// fast its bots play.
func (f *Feed) Events() (events <-chan json.RawMessage, stop func()) {
	channel, quit := make(chan json.RawMessage), make(chan struct{})
	go func() {
		defer close(channel)
		tick := time.NewTicker(sampleEvery)
		defer tick.Stop()
		for last := -1; ; {
			now, number := f.InPlay()
			if text, err := json.Marshal(now); err == nil && number != last {
				select {
				case channel <- text:
				case <-quit:
					return
				}
			}
			last = number
			select {
			case <-tick.C:
			case <-quit:
				return
			}
		}
	}()
	return channel, func() { close(quit) }
}
