package arena

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"sembra/results"
)

// Feed says which matches a run plays, whenever somebody asks. It never delays the run. It is ready for use by several
// goroutines; a nil feed is told nothing.
type Feed struct {
	Tournament string // its name in the database; set before the run

	mu      sync.Mutex          // guards what follows
	first   time.Time           // when the first match began
	inPlay  map[int]*MatchBegun // by number
	changes int                 // number of changes of what is in play
}

// MatchBegun is a match whose bots are called to the table, as far as it is played. A match that a disqualified bot
// forfeits does not begin; it only ends.
type MatchBegun struct {
	results.Key
	Number  int       // in the schedule, from 1
	Opening string    // position text
	At      time.Time // when it began

	Plies []results.Ply // so far
	Moved time.Time     // when the last of them was played
}

// InPlay says which matches are being played at a moment.
type InPlay struct {
	Tournament string       // its name in the database
	Count      int          // number of matches in play
	Matches    []MatchBegun // the first of them in the order of their numbers
	Longest    *MatchBegun  // the one that has been in play for the longest time; nil: there is none
	First      time.Time    // when the first match of the run began; zero: none has
}

// mostSampled is the greatest number of matches in one InPlay.
const mostSampled = 16

// InPlay returns which matches are being played now. The number differs from that of an earlier call only if
// something has changed since.
func (f *Feed) InPlay() (now InPlay, number int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now = InPlay{Tournament: f.Tournament, Count: len(f.inPlay), First: f.first}
	for _, begun := range f.inPlay {
		now.Matches = append(now.Matches, *begun)
	}
	slices.SortFunc(now.Matches, func(a, b MatchBegun) int { return cmp.Compare(a.Number, b.Number) })
	for i, begun := range now.Matches {
		if now.Longest == nil || begun.At.Before(now.Longest.At) {
			now.Longest = &now.Matches[i]
		}
	}
	now.Matches = now.Matches[:min(len(now.Matches), mostSampled)]
	return now, f.changes
}

// begin notes that a match begins.
func (f *Feed) begin(job Job) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	m := &MatchBegun{Key: job.Key, Number: job.Number, Opening: job.Opening, At: time.Now()}
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
		m.Plies, m.Moved = r.match.Plies, time.Now()
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
