package main

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"sembra/arena"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

// liveBoards prints the matches of a run while they are played: one whole match
// after the other, in the order in which they began.
type liveBoards struct {
	w     io.Writer
	style show.Style

	mu      sync.Mutex // guards what follows
	t       arena.Tournament
	book    *store.Book
	matches []*shownMatch
	ended   map[int]bool // the slots of matches that are over
	err     error        // the first one
}

// shownMatch is a match that is not printed whole yet.
type shownMatch struct {
	report.Match
	boards *report.Boards // nil: nothing is printed
	plies  []arena.Ply    // of the match so far; a listener may have missed the later ones
	over   bool           // the record of the match is whole
}

// follow prints what the feed of a run tells until finish is called. A nil
// liveBoards does nothing.
func (b *liveBoards) follow(t arena.Tournament, book *store.Book) (finish func() error) {
	if b == nil {
		return func() error { return nil }
	}
	b.t, b.book, b.ended = t, book, make(map[int]bool)
	listener, done := t.Feed.Listen(true), make(chan struct{})
	go func() {
		defer close(done)
		for event := range listener.C {
			b.hear(event)
		}
	}()
	return func() error {
		listener.Close()
		<-done
		return b.err
	}
}

// hear takes an event that a listener may miss.
func (b *liveBoards) hear(event arena.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case event.MatchBegun != nil && !b.ended[event.MatchBegun.Slot]:
		e := event.MatchBegun
		b.forget(e.Slot)
		begun := results.Record{Summary: results.Summary{Key: e.Key}, Body: results.Body{Opening: e.Opening}}
		b.matches = append(b.matches, b.match(e.Slot, begun))
	case event.Ply != nil:
		if m := b.find(event.Ply.Slot); m != nil && !m.over && event.Ply.Number == len(m.plies)+1 {
			m.plies = append(m.plies, *event.Ply)
		}
	}
	b.print()
}

// tell takes an event that the run waits for: the end of a match, with the whole
// record.
func (b *liveBoards) tell(event arena.Event) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case event.MatchVoid != nil:
		b.forget(event.MatchVoid.Job.Slot)
	case event.MatchEnded != nil:
		e := event.MatchEnded
		b.ended[e.Slot] = true
		m := b.find(e.Slot)
		if m != nil && !m.shows(e.Record) {
			b.forget(e.Slot)
			m = nil
		}
		if m == nil {
			m = b.match(e.Slot, e.Record)
			b.matches = append(b.matches, m)
		}
		m.Record, m.over = e.Record, true
	}
	b.print()
}

func (b *liveBoards) match(slot int, record results.Record) *shownMatch {
	return &shownMatch{Match: report.Match{
		Tournament: b.book.Tournament, Slot: slot, Matches: b.t.Schedule().Total(), Record: record,
	}}
}

// shows reports whether the plies are the first ones of a record. A worker may tell plies that its record does not have.
func (m *shownMatch) shows(r results.Record) bool {
	for i, ply := range m.plies {
		if i >= len(r.Moves) || r.Moves[i] != ply.Token {
			return false
		}
	}
	return true
}

func (b *liveBoards) find(slot int) *shownMatch {
	if i := slices.IndexFunc(b.matches, func(m *shownMatch) bool { return m.Slot == slot }); i >= 0 {
		return b.matches[i]
	}
	return nil
}

func (b *liveBoards) forget(slot int) {
	b.matches = slices.DeleteFunc(b.matches, func(m *shownMatch) bool { return m.Slot == slot })
}

// print prints what is known of the first match, and of the others once those
// before them are over.
func (b *liveBoards) print() {
	for len(b.matches) > 0 && b.err == nil {
		m := b.matches[0]
		if b.err = b.printMatch(m); !m.over {
			return
		}
		b.matches = b.matches[1:]
	}
}

func (b *liveBoards) printMatch(m *shownMatch) (err error) {
	if m.boards == nil {
		if m.boards, err = report.NewBoards(b.w, m.Match, b.t.Rules, b.style); err != nil {
			return err
		}
	}
	for _, ply := range m.plies[m.boards.Plies():] {
		if err := m.boards.Add(ply.Token, ply.Elapsed, ply.Score); err != nil {
			return err
		}
	}
	if !m.over {
		return nil
	}
	if err := m.boards.End(m.Record); err != nil {
		return err
	}
	_, err = fmt.Fprintln(b.w)
	return err
}
