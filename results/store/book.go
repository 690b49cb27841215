package store

import (
	"fmt"
	"iter"
	"slices"

	"sembra/results"
	"sembra/results/schedule"
)

// Book is one tournament in its database: its plan, its schedule and its records. It is not safe for use
// by several goroutines.
type Book struct {
	Tournament results.Tournament
	Schedule   *schedule.Schedule // follows the records that the book was opened with, and those put since

	store     *Store
	write     func() error // stores the tournament before its next record; nil: it is stored
	isNew     bool         // nothing of the tournament is stored yet
	isolation string       // a line to be stored before the next record; "": none
}

// newBook is the book of a tournament without records.
func (s *Store) newBook(t results.Tournament) *Book {
	return &Book{Tournament: t, Schedule: schedule.New(t), store: s}
}

// Book opens a stored tournament by its name, or the newest for "". A *UnknownError says that there is
// none.
func (s *Store) Book(name string) (*Book, error) {
	t, err := s.Tournament(name)
	if err != nil {
		return nil, err
	}
	return s.bookOf(t)
}

// bookOf opens the book of a stored tournament.
func (s *Store) bookOf(t results.Tournament) (*Book, error) {
	if err := t.Check(); err != nil {
		return nil, s.wrap(fmt.Errorf("damaged: %w", err))
	}
	b := s.newBook(t)
	if schedule.Grows(t) {
		records, err := s.Recorded(t.Name)
		if err != nil {
			return nil, err
		}
		b.Schedule.Follow(records)
	}
	return b, nil
}

// Begin opens the tournament that a plan goes on with: the newest of the plan's family, or the one that
// has its name. Where there is none, or a fresh one is asked for, it begins a new one. A *results.ChangeError lists
// what has changed and may not. Begin stores nothing: the tournament is stored with its first record, so
// that bots that cannot play leave no trace.
func (s *Store) Begin(plan results.Tournament, fresh bool) (*Book, error) {
	old, found, err := s.newest(plan.Family)
	if err != nil {
		return nil, err
	}
	if found {
		plan.Family = old.Family
	}
	if !found || fresh {
		if plan.Name, err = s.FreshName(plan.Family); err != nil {
			return nil, err
		}
		b := s.newBook(plan)
		b.write, b.isNew = func() error { return s.Create(plan) }, true
		return b, nil
	}
	begun, err := s.bookOf(old)
	if err != nil {
		return nil, err
	}
	done, err := s.Done(old.Name, begun.Schedule)
	if err != nil {
		return nil, err
	}
	plan.Name = old.Name
	if slices.Contains(done, true) { // before the first record, anything may change
		if plan, err = old.Continue(plan); err != nil {
			return nil, err
		}
	}
	b, err := s.bookOf(plan)
	if err != nil {
		return nil, err
	}
	b.write = func() error { return s.Replace(plan, b.Schedule) }
	return b, nil
}

// newest finds the newest tournament of a family or, where there is none, the tournament of that name:
// a plan may name one that was begun beside others of its family.
func (s *Store) newest(family string) (t results.Tournament, found bool, err error) {
	all, err := s.Tournaments()
	if err != nil {
		return results.Tournament{}, false, err
	}
	for _, t := range slices.Backward(all) {
		if t.Family == family {
			return t, true, nil
		}
	}
	for _, t := range all {
		if t.Name == family {
			return t, true, nil
		}
	}
	return results.Tournament{}, false, nil
}

// Store is the database that the book is in.
func (b *Book) Store() *Store { return b.store }

// Recorded gives the summaries of the recorded matches in schedule order.
func (b *Book) Recorded() ([]results.Slotted, error) {
	if b.isNew {
		return nil, nil
	}
	return b.store.Summaries(b.Tournament.Name, b.Schedule)
}

// Record reads the match in a slot of the schedule, with its evidence; found is false where it is not
// recorded.
func (b *Book) Record(slot int) (record results.Record, found bool, err error) {
	return b.store.Record(b.Tournament.Name, b.Schedule.Key(slot))
}

// Records reads whole records, one by one; see Store.Records.
func (b *Book) Records(wanted []results.Slotted) iter.Seq2[results.SlottedRecord, error] {
	return b.store.Records(b.Tournament.Name, wanted)
}

// Voids gives the matches that came to nothing, those of the schedule alone, with their slots.
func (b *Book) Voids() ([]results.SlottedVoid, error) {
	stored, err := b.store.Voids(b.Tournament.Name)
	if err != nil {
		return nil, err
	}
	var voids []results.SlottedVoid
	for _, v := range stored {
		if slot, ok := b.Schedule.Slot(v.Key); ok {
			voids = append(voids, results.SlottedVoid{Slot: slot, VoidMatch: v})
		}
	}
	return voids, nil
}

// Isolation gives what the machine gave for isolation; see Store.Isolation.
func (b *Book) Isolation() ([]string, error) { return b.store.Isolation(b.Tournament.Name) }

// Put keeps records, all or none; see Store.Put.
func (b *Book) Put(records []results.Record) error {
	if err := b.ready(); err != nil {
		return err
	}
	if schedule.Grows(b.Tournament) {
		for _, r := range records { // some may belong to the stage that others decide
			b.Schedule.Add(r.Summary)
		}
	}
	return b.store.Put(b.Tournament.Name, b.Schedule, records)
}

// PutVoid keeps that a match came to nothing by the runner's own fault.
func (b *Book) PutVoid(key results.Key, reason string) error {
	if err := b.ready(); err != nil {
		return err
	}
	return b.store.PutVoid(b.Tournament.Name, key, reason)
}

// NoteIsolation keeps, with the next record, what the machine gives for isolation in this run.
func (b *Book) NoteIsolation(line string) { b.isolation = line }

// ready stores what has to be there before a record.
func (b *Book) ready() error {
	if b.write != nil {
		if err := b.write(); err != nil {
			return err
		}
		b.write, b.isNew = nil, false
	}
	if b.isolation != "" {
		if err := b.store.PutIsolation(b.Tournament.Name, b.isolation); err != nil {
			return err
		}
		b.isolation = ""
	}
	return nil
}
