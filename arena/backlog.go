package arena

import (
	"context"
	"fmt"
	"time"

	"sembra/results"
)

// ending is the outcome of one attempt at a match: one of the first two.
type ending struct {
	ended *MatchEnded
	void  *MatchVoid // the runner itself failed

	stored func()        // called when the record is safe; nil: nobody waits for that
	kept   chan struct{} // closed when the ending is dealt with; nil: nobody waits for that
}

// backlog holds the endings that are not on the disk yet, so that tables play on while the disk writes, or while others
// read the database. They are kept in the order in which the matches ended. So a match is never stored before the
// matches that decided its pairing or its forfeit. Who closes a backlog adds no more endings to it.
type backlog chan ending

// The bounds of a backlog, which configs/RESUMING.md names.
const (
	mostWaiting = 4096 // endings: half of them wait while the other half is written
	longMatch   = 1000 // plies; a record of more takes much memory

	// gatherTime is the least time from the begin of one write to that of the next: what ends meanwhile is written
	// together, because each write opens the database and waits for the disk.
	gatherTime = 100 * time.Millisecond
)

func newBacklog() backlog { return make(backlog, mostWaiting/2) }

// add adds an ending. It waits while the backlog is full, and until an ending is dealt with that is void or large: a
// void match may be played again, and large records would fill the memory.
func (b backlog) add(e ending) {
	if e.void != nil || e.ended.Record.Evidence != nil || len(e.ended.Record.Moves) > longMatch {
		e.kept = make(chan struct{})
	}
	b <- e
	if e.kept != nil {
		<-e.kept
	}
}

// next returns the next endings, all that have come until a write is due or somebody waits for one of them. There are
// none if the backlog is closed and empty.
func (b backlog) next(due time.Time) []ending {
	var group []ending
	e, ok := <-b
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	for ok {
		group = append(group, e)
		if e.kept != nil || len(group) == cap(b) {
			return group
		}
		select {
		case e, ok = <-b:
		case <-timer.C:
			for range min(len(b), cap(b)-len(group)) {
				group = append(group, <-b)
			}
			return group
		}
	}
	return group
}

// record keeps all endings until the backlog is closed. After a failure it keeps
// nothing more; an *UnsavedError then counts the matches that are lost.
func (b backlog) record(rec Recorder, report func(Event), cancel context.CancelCauseFunc) error {
	var failure *UnsavedError
	var wrote time.Time
	for group := b.next(wrote); len(group) > 0; group = b.next(wrote.Add(gatherTime)) {
		wrote = time.Now()
		if failure == nil {
			if err := keep(group, rec, report); err != nil {
				failure = &UnsavedError{Err: err}
				cancel(err)
			}
		}
		for _, e := range group {
			if failure != nil && e.ended != nil {
				failure.Matches++
			}
			if e.kept != nil {
				close(e.kept)
			}
		}
	}
	if failure == nil {
		return nil
	}
	return failure
}

// UnsavedError says that a run has ended because a Recorder failed.
type UnsavedError struct {
	Err     error // of the Recorder
	Matches int   // that have ended and have no record
}

// Error gives the reason and the number of matches.
func (e *UnsavedError) Error() string {
	return fmt.Sprintf("%v; finished matches that are not saved: %d", e.Err, e.Matches)
}

// Unwrap returns the error of the Recorder.
func (e *UnsavedError) Unwrap() error { return e.Err }

// keep keeps a group of endings and then reports them.
func keep(group []ending, rec Recorder, report func(Event)) error {
	var records []results.Record
	for _, e := range group {
		if e.ended != nil {
			records = append(records, e.ended.Record)
		} else if err := rec.PutVoid(e.void.Job.Key, e.void.Reason); err != nil {
			return err
		}
	}
	if len(records) > 0 {
		if err := rec.Put(records); err != nil {
			return err
		}
	}
	for _, e := range group {
		if e.stored != nil {
			e.stored()
		}
		report(Event{MatchEnded: e.ended, MatchVoid: e.void})
	}
	return nil
}
