package arena

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"sembra/engine"
	"sembra/results"
)

// Feed tells which matches a run plays, whenever somebody asks. It never delays the run. The zero value is ready for use
// by several goroutines; a nil feed is told nothing.
type Feed struct {
	mu         sync.Mutex          // guards what follows
	tournament string              // its name in the database; "": not known yet
	first      time.Time           // when the first match began
	inPlay     map[int]*MatchBegun // by slot
	changes    int                 // number of changes of what is in play
}

// MatchBegun is a match whose bots are called to the table, as far as it is played. A match that a disqualified bot
// forfeits does not begin; it only ends.
type MatchBegun struct {
	results.Key
	Slot    int       // in the schedule, from 1
	Opening string    // position text
	At      time.Time // when it began

	// Moves are the tokens so far, the last of which was played at Moved. Left is what South and North then had left of
	// their base time; zero without one.
	Moves []string
	Moved time.Time
	Left  [2]time.Duration
}

// InPlay tells which matches are being played at a moment.
type InPlay struct {
	Tournament string       // its name in the database; "": not known yet
	Count      int          // number of matches in play
	Matches    []MatchBegun // the first of them in the order of their slots
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
	now = InPlay{Tournament: f.tournament, Count: len(f.inPlay)}
	for _, begun := range f.inPlay {
		now.Matches = append(now.Matches, *begun)
	}
	slices.SortFunc(now.Matches, func(a, b MatchBegun) int { return cmp.Compare(a.Slot, b.Slot) })
	now.Matches = now.Matches[:min(len(now.Matches), mostSampled)]
	return now, f.changes
}

// Longest returns the match that has been in play for the longest time, nil if there is none; and when the first match of
// the run began, zero if none has.
func (f *Feed) Longest() (longest *MatchBegun, first time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, begun := range f.inPlay {
		if longest == nil || begun.At.Before(longest.At) {
			longest = begun
		}
	}
	if longest != nil {
		copied := *longest
		longest = &copied
	}
	return longest, f.first
}

// begin notes that a match begins.
func (f *Feed) begin(job Job, rules engine.Ruleset, start engine.Position) *liveMatch {
	if f == nil {
		return nil
	}
	m := &liveMatch{feed: f, begun: MatchBegun{
		Key: job.Key, Slot: job.Slot, Opening: engine.Text(rules, start), At: time.Now(),
	}}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.inPlay == nil {
		f.inPlay = make(map[int]*MatchBegun)
		f.first = m.begun.At
	}
	f.inPlay[job.Slot] = &m.begun
	f.changes++
	return m
}

// note forgets a match that an event of the run tells the end of.
func (f *Feed) note(e Event) {
	switch {
	case e.MatchEnded != nil:
		f.forget(e.MatchEnded.Slot)
	case e.MatchVoid != nil:
		f.forget(e.MatchVoid.Job.Slot)
	}
}

// forget forgets a match that is over, or that nobody tells the end of.
func (f *Feed) forget(slot int) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.inPlay, slot)
	f.changes++
}

// end forgets the matches that were stopped with the run.
func (f *Feed) end() {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.inPlay)
	f.changes++
}

// liveMatch is a match in play, as far as a feed tells it. A nil one is told to
// nobody.
type liveMatch struct {
	feed  *Feed
	begun MatchBegun // guarded by the feed
}

// played notes the referee's last move.
func (m *liveMatch) played(r *referee) {
	if m == nil {
		return
	}
	m.feed.mu.Lock()
	defer m.feed.mu.Unlock()
	// The referee only appends moves.
	m.begun.Moves, m.begun.Moved, m.begun.Left = r.moves, time.Now(), r.clock.left
	m.feed.changes++
}
