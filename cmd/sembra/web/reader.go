package web

import (
	"fmt"
	"iter"
	"strings"
	"sync"

	"sembra/engine"
	"sembra/results"
	"sembra/results/store"
)

// reader reads a tournament for pages. It reads only once what several pages need. It may be used by several
// goroutines, as long as nobody stores anything in the book.
type reader struct {
	*store.Book

	rules     func() (engine.Ruleset, error)
	recorded  func() ([]results.Slotted, error)
	standings func() (results.Standings, error)
	voids     func() ([]results.VoidMatch, error)

	notes func() ([]results.Note, error) // of the recorded matches
	ofBot func() map[string][]int        // where the recorded matches of each bot are
}

func newReader(b *store.Book) *reader {
	r := &reader{
		Book: b, rules: sync.OnceValues(b.Tournament.Rules), recorded: sync.OnceValues(b.Recorded),
		voids: sync.OnceValues(b.Voids),
	}
	r.standings = sync.OnceValues(func() (results.Standings, error) {
		summaries, err := r.recorded()
		if err != nil {
			return results.Standings{}, err
		}
		return b.StandingsOf(summaries)
	})
	r.notes = sync.OnceValues(func() (notes []results.Note, err error) {
		summaries, err := r.recorded()
		for match := range results.WithNotes(b.Tournament, inMemory(summaries)) {
			notes = append(notes, match.Note)
		}
		return notes, err
	})
	r.ofBot = sync.OnceValue(func() map[string][]int {
		summaries, _ := r.recorded() // whoever calls has seen the error
		places := make(map[string][]int)
		for i, match := range summaries {
			places[match.South] = append(places[match.South], i)
			places[match.North] = append(places[match.North], i)
		}
		return places
	})
	return r
}

// wrong says what is wrong with a record, without the place of the database on this machine.
func (r *reader) wrong(err error) string {
	return strings.TrimPrefix(err.Error(), fmt.Sprintf("database %s: ", r.Store().Path()))
}

// matches yields the recorded matches that pass a filter, in the order of the schedule.
func (r *reader) matches(filter results.Filter) iter.Seq2[results.Noted, error] {
	return func(yield func(results.Noted, error) bool) {
		notes, err := r.notes()
		if err != nil {
			yield(results.Noted{}, err)
			return
		}
		summaries, _ := r.recorded() // its error is that of the notes
		give := func(place int) bool {
			match := summaries[place]
			return !filter.Passes(match) || yield(results.Noted{Slotted: match, Note: notes[place]}, nil)
		}
		if filter.Bot == "" {
			for place := range summaries {
				if !give(place) {
					return
				}
			}
			return
		}
		for _, place := range r.ofBot()[filter.Bot] {
			if !give(place) {
				return
			}
		}
	}
}
