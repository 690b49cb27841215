package store

import (
	"fmt"
	"strings"

	"sembra/results"
	"sembra/results/schedule"
)

// Book is one tournament in a store: its plan, its schedule and its records. Only one goroutine at a time
// may use it.
type Book struct {
	Tournament results.Tournament
	Schedule   *schedule.Schedule // it has the records of the file at opening, and those put since

	store     *Store
	isNew     bool                // the file does not have the tournament yet
	changed   bool                // the file may have the tournament with another plan
	isolation string              // a line to store before the next record; "": none
	fold      *results.RatingFold // of the stored ratings; nil: not known
}

// newBook returns the book of a tournament, with a schedule that has no records.
func (s *Store) newBook(t results.Tournament) *Book {
	return &Book{Tournament: t, Schedule: schedule.New(t), store: s}
}

// Book opens a stored tournament by its name, or the newest one for "". A *UnknownError says that there
// is none.
func (s *Store) Book(name string) (*Book, error) {
	t, err := s.Tournament(name)
	if err != nil {
		return nil, err
	}
	return s.openBook(t)
}

// Newest opens the tournament that a plan of the family would go on with (see Begin). A *UnknownError says
// that there is none.
func (s *Store) Newest(family string) (*Book, error) {
	t, found, err := s.newest(family)
	if err == nil && !found {
		t, err = s.Tournament(family) // it says which there are
	}
	if err != nil {
		return nil, err
	}
	return s.openBook(t)
}

// openBook opens the book of a stored tournament.
func (s *Store) openBook(t results.Tournament) (*Book, error) {
	if err := t.Check(); err != nil {
		return nil, s.wrap(fmt.Errorf("damaged: %w", err))
	}
	b := s.newBook(t)
	if !schedule.Grows(t) {
		return b, nil
	}
	err := b.view(func(in buckets) error {
		records, err := in.recorded()
		b.Schedule.Follow(records)
		return err
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Begin opens the tournament that a plan continues: the newest one of the plan's family, or the one that
// has the family's name. If there is none, or if fresh is set, it begins a new tournament. A
// *results.ChangeError lists the changes of the plan that are not allowed. Begin stores nothing: the
// tournament is stored with its first record, so a run whose bots cannot play leaves no trace.
func (s *Store) Begin(plan results.Tournament, fresh bool) (*Book, error) {
	old, found, err := s.newest(plan.Family)
	if err != nil {
		return nil, err
	}
	if found {
		plan.Family = old.Family
	}
	if !found || fresh {
		if plan.Name, err = s.freshName(plan.Family); err != nil {
			return nil, err
		}
		b := s.newBook(plan)
		b.isNew = true
		return b, nil
	}
	begun, err := s.openBook(old)
	if err != nil {
		return nil, err
	}
	played, err := begun.slots()
	if err != nil {
		return nil, err
	}
	plan.Name = old.Name
	if len(played) > 0 { // before the first record, anything may change
		if plan, err = old.Continue(plan); err != nil {
			return nil, err
		}
	}
	b, err := s.openBook(plan)
	if err != nil {
		return nil, err
	}
	b.changed = true
	return b, nil
}

// Store returns the store that the book is in.
func (b *Book) Store() *Store { return b.store }

func (b *Book) view(work func(buckets) error) error {
	return b.store.viewIn(b.Tournament.Name, work)
}

func (b *Book) update(work func(buckets) error) error {
	return b.store.updateIn(b.Tournament.Name, work)
}

// slots returns the slots that are recorded, in no order. It reads only keys. Recorded matches that are
// not in the schedule are an error that names them.
func (b *Book) slots() (slots []int32, err error) {
	err = b.view(func(in buckets) error {
		slots, err = in.slots(b.Schedule)
		return err
	})
	return slots, err
}

// Isolation returns the lines that NoteIsolation noted, in the order of the runs; nil if there are none.
func (b *Book) Isolation() (lines []string, err error) {
	err = b.view(func(in buckets) error {
		lines, err = in.readIsolation()
		return err
	})
	return lines, err
}

// NoteIsolation notes in one line what the machine isolates in this run. The line is stored with the next
// record, unless it equals the last stored one.
func (b *Book) NoteIsolation(line string) { b.isolation = line }

// prepare stores what the file must have before a record.
func (b *Book) prepare() error {
	switch {
	case b.isNew:
		if err := b.store.create(b.Tournament); err != nil {
			return err
		}
	case b.changed:
		if err := b.replace(); err != nil {
			return err
		}
	}
	b.isNew, b.changed = false, false
	if b.isolation == "" {
		return nil
	}
	if err := b.putIsolation(b.isolation); err != nil {
		return err
	}
	b.isolation = ""
	return nil
}

// replace stores the plan over an older one, and computes the stored ratings again from the first slot,
// because the schedule has changed. Every recorded match must be in the new schedule.
func (b *Book) replace() error {
	value, err := checkedManifest(b.Tournament)
	if err != nil {
		return b.store.wrap(err)
	}
	fold := results.NewRatingFold(b.Tournament)
	err = b.update(func(in buckets) error {
		if _, err := in.slots(b.Schedule); err != nil {
			return err
		}
		if err := in.about.Put([]byte(keyManifest), value); err != nil {
			return err
		}
		return in.extendRatings(fold, b.Schedule)
	})
	if err != nil {
		return err
	}
	b.fold = fold
	b.store.feed.add(b.Tournament.Name, wroteTournament)
	return nil
}

// putIsolation stores a line of isolation after the others, unless it equals the last one.
func (b *Book) putIsolation(line string) error {
	line = strings.ToValidUTF8(line, "\uFFFD")
	err := b.update(func(in buckets) error {
		lines, err := in.readIsolation()
		if err != nil || len(lines) > 0 && lines[len(lines)-1] == line {
			return err
		}
		value, err := encodeJSON(isolationKey(in.name), append(lines, line))
		if err != nil {
			return err
		}
		return in.about.Put([]byte(keyIsolation), value)
	})
	if err != nil {
		return err
	}
	b.store.feed.add(b.Tournament.Name, wroteTournament)
	return nil
}
