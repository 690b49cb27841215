package arena

import (
	"context"
	"fmt"
	"sync"
	"time"

	"sembra/results"
)

// ending is the outcome of one attempt at a match.
type ending struct {
	job    Job
	record results.Record
	what   string // what a bot at fault did
	void   error  // the runner's own failure; there is no record then
	again  bool   // the void match is played once more

	disqualified [2]bool
	stored       func() // called when the record is safe; nil: nobody waits for that
}

// backlog holds the endings that are not on the disk yet, so that tables play on
// while the disk writes, or while others read the database. It keeps them in the order in which the matches ended. So
// a match is never stored before the matches that decided its pairing or its
// forfeit.
type backlog struct {
	mu      sync.Mutex
	filled  *sync.Cond // an ending has come, or no more do, or a write is due
	freed   *sync.Cond // endings have left
	waiting []ending   // the oldest first; those that are being stored are still among them
	size    int        // of the waiting records, in bytes
	added   int        // number of endings so far
	done    int        // number of those that have left
	hurry   bool       // somebody waits for an ending to leave
	closed  bool
	wrote   time.Time // when the last write began
}

// The bounds of a backlog, which configs/README.md tells users. A table whose match
// ends beyond one of them waits, so a backlog holds at most one ending more for each
// table.
const (
	mostWaiting     = 4096     // endings
	mostWaitingSize = 64 << 20 // bytes of records

	// gatherTime is the least time from the begin of one write to that of the next: what ends meanwhile is written
	// together, because each write opens the database and waits for the disk.
	gatherTime = 100 * time.Millisecond
)

func newBacklog() *backlog {
	b := new(backlog)
	b.filled, b.freed = sync.NewCond(&b.mu), sync.NewCond(&b.mu)
	return b
}

// add adds an ending. It waits while the backlog is full, unless the ending has left
// it. A void match has to be dealt with first, because it may be played again.
func (b *backlog) add(e ending) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = append(b.waiting, e)
	b.size += sizeOf(e.record)
	b.added++
	number := b.added
	b.filled.Signal()
	for b.done < number && (b.full() || e.void != nil) {
		b.hurry = true
		b.filled.Signal()
		b.freed.Wait()
	}
}

// await waits while the backlog is full.
func (b *backlog) await() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.full() {
		b.hurry = true
		b.filled.Signal()
		b.freed.Wait()
	}
}

func (b *backlog) full() bool { return len(b.waiting) >= mostWaiting || b.size >= mostWaitingSize }

// close says that no more endings come.
func (b *backlog) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.filled.Signal()
}

// next waits for endings and, unless somebody waits for it, until a write is due. It returns all that are there. They
// stay in the backlog until drop. There are none if the backlog is closed and empty.
func (b *backlog) next() []ending {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.waiting) == 0 && !b.closed {
		b.filled.Wait()
	}
	if rest := gatherTime - time.Since(b.wrote); rest > 0 {
		due := false
		timer := time.AfterFunc(rest, func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			due = true
			b.filled.Signal()
		})
		defer timer.Stop()
		for !due && !b.hurry && !b.closed {
			b.filled.Wait()
		}
	}
	b.wrote = time.Now()
	return b.waiting
}

// drop takes the n oldest endings out of the backlog.
func (b *backlog) drop(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.waiting[:n] {
		b.size -= sizeOf(e.record)
	}
	b.waiting = b.waiting[n:]
	b.done += n
	b.hurry = false
	b.freed.Broadcast()
}

// record keeps all endings until the backlog is closed. After a failure it keeps
// nothing more; an *UnsavedError then counts the matches that are lost.
func (b *backlog) record(rec Recorder, tell func(Event), cancel context.CancelCauseFunc) error {
	var failure *UnsavedError
	for group := b.next(); len(group) > 0; group = b.next() {
		if failure == nil {
			if err := keep(group, rec, tell); err != nil {
				failure = &UnsavedError{Err: err}
				cancel(err)
			}
		}
		if failure != nil {
			for _, e := range group {
				if e.void == nil {
					failure.Matches++
				}
			}
		}
		b.drop(len(group))
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
	if e.Matches == 1 {
		return e.Err.Error() + "; 1 finished match is not saved"
	}
	return fmt.Sprintf("%v; %d finished matches are not saved", e.Err, e.Matches)
}

// Unwrap returns the error of the Recorder.
func (e *UnsavedError) Unwrap() error { return e.Err }

// sizeOf returns about how many bytes of memory a record takes.
func sizeOf(r results.Record) int {
	const summary, ply = 1 << 10, 64
	size := summary + ply*len(r.Moves)
	if r.Evidence != nil {
		for _, talk := range [2]results.Talk{r.Evidence.South, r.Evidence.North} {
			size += len(talk.Stderr)
			for _, line := range talk.Lines {
				size += ply + len(line.Text)
			}
		}
	}
	return size
}

// keep keeps a group of endings and then tells of them.
func keep(group []ending, rec Recorder, tell func(Event)) error {
	var records []results.Record
	for _, e := range group {
		if e.void == nil {
			records = append(records, e.record)
		} else if err := rec.PutVoid(e.job.Key, e.void.Error()); err != nil {
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
		if e.void != nil {
			tell(Event{MatchVoid: &MatchVoid{e.job, e.void.Error(), e.again}})
		} else {
			tell(Event{MatchEnded: &MatchEnded{
				Key: e.job.Key, Slot: e.job.Slot, Record: e.record, What: e.what, Disqualified: e.disqualified,
			}})
		}
	}
	return nil
}
