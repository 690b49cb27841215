package arena

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"sembra/results"
)

// Feed tells which matches a run plays, whenever somebody asks. It never delays the run. The zero value is ready for
// use by several goroutines; a nil feed is told nothing.
type Feed struct {
	mu         sync.Mutex          // guards what follows
	tournament string              // its name in the database; "": not known yet
	first      time.Time           // when the first match began
	inPlay     map[int]*MatchBegun // by number
	changes    int                 // number of changes of what is in play
}

// MatchBegun is a match whose bots are called to the table, as far as it is played. A match that a disqualified bot
// forfeits does not begin; it only ends.
type MatchBegun struct {
	results.Key
	Number  int       // in the schedule, from 1
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
	Matches    []MatchBegun // the first of them in the order of their numbers
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
	slices.SortFunc(now.Matches, func(a, b MatchBegun) int { return cmp.Compare(a.Number, b.Number) })
	now.Matches = now.Matches[:min(len(now.Matches), mostSampled)]
	return now, f.changes
}

// Longest returns the match that has been in play for the longest time, nil if there is none; and when the first
// match of the run began, zero if none has.
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
func (f *Feed) begin(job Job, opening string) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	m := &MatchBegun{Key: job.Key, Number: job.Number, Opening: opening, At: time.Now()}
	if f.inPlay == nil {
		f.inPlay, f.first = make(map[int]*MatchBegun), m.At
	}
	f.inPlay[job.Number] = m
	f.changes++
}

// played notes the last move of a match.
func (f *Feed) played(r *referee) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := f.inPlay[r.job.Number]; m != nil {
		m.Moves, m.Moved, m.Left = r.moves, time.Now(), r.clock.left // the referee only appends moves
		f.changes++
	}
}

// forget forgets a match that is over or was stopped.
func (f *Feed) forget(number int) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.inPlay, number)
	f.changes++
}
