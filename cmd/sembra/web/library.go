package web

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"sync"

	"sembra/arena"
	"sembra/results"
	"sembra/results/store"
)

// Library is the database that the pages show. It holds the file only while it reads, so that a run can write it
// meanwhile. Several goroutines may use it at the same time.
type Library struct {
	path string
	feed Feed // of the run in this process; nil: there is none

	mu sync.Mutex   // guards what follows
	db *store.Store // of the newest file that was there; nil: there was none
}

// Feed tells which matches a run plays, as [arena.Feed] does.
type Feed interface {
	// InPlay returns the matches that are being played now. The number differs from that of an earlier call only if
	// something has changed since.
	InPlay() (now arena.InPlay, number int)
}

// Moment is what happens in a library at a moment.
type Moment struct {
	Version Version
	Running bool // the run in this process plays matches
	InPlay  arena.InPlay
	Boards  int // differs from an earlier one if InPlay has changed
}

// Version differs from an earlier one if what a library reads may have changed.
type Version struct {
	file        *store.Store // nil: there is none
	transaction uint64
	written     bool // a run writes it, in this process or another one
}

// OpenLibrary returns the library of the database at path. The error says why it cannot be read. The database need not
// exist yet: until then it has no tournaments.
func OpenLibrary(path string) (*Library, error) {
	l := &Library{path: path}
	if _, err := l.Tournaments(); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// NewRunLibrary returns the library of a run in this process: the database that it writes, and its feed.
func NewRunLibrary(path string, feed Feed) *Library {
	return &Library{path: path, feed: feed}
}

// Close ends the use of the database.
func (l *Library) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db != nil {
		_ = l.db.Close() // it only reads
	}
}

// Tournaments returns all tournaments in order of creation. A database that does not exist has none.
func (l *Library) Tournaments() ([]results.Tournament, error) {
	db, _, err := l.open()
	if db == nil {
		return nil, err
	}
	return db.Tournaments()
}

// Read calls f with the tournament of a name, or with the newest one for "". A *store.UnknownError or
// store.ErrNone says that there is none.
func (l *Library) Read(ctx context.Context, name string, f func(*store.Records) error) error {
	db, _, err := l.open()
	switch {
	case err != nil:
		return err
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case db == nil:
		return store.NewUnknownError(name)
	}
	records, err := db.Records(name)
	if err != nil {
		return err
	}
	return f(records)
}

// Now tells what happens. It costs little, and is meant to be asked a few times a second.
func (l *Library) Now() Moment {
	db, version, _ := l.open() // the next Read returns the error
	version.written = db != nil && db.Running()
	now := Moment{Version: version}
	if l.feed != nil {
		now.Running = version.written // the pages may stay when the run has ended
		now.InPlay, now.Boards = l.feed.InPlay()
	}
	return now
}

// unfinished says of a tournament that is not complete whether a run plays it. Of another process it is only known that
// it writes the database: it most likely plays the newest tournament.
func (l *Library) unfinished(name string) string {
	now := l.Now()
	played := now.InPlay.Tournament
	if all, err := l.Tournaments(); err == nil && l.feed == nil && len(all) > 0 {
		played = all[len(all)-1].Name
	}
	if now.Version.written && name == played {
		return "running"
	}
	return "stopped"
}

// open returns the store of the file that is there now; nil if there was never one. If it is gone, the error is a
// *refusal.
func (l *Library) open() (*store.Store, Version, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db != nil {
		if transaction, ok := l.db.Transaction(); ok {
			return l.db, Version{file: l.db, transaction: transaction}, nil
		}
	}
	db, err := store.OpenRead(l.path)
	nothing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrEmpty) || errors.Is(err, store.ErrNone)
	switch {
	case nothing && l.db != nil:
		return nil, Version{}, &refusal{
			status: http.StatusServiceUnavailable, title: "No database",
			what: "the database of these pages is gone: it was removed, renamed or emptied",
		}
	case nothing:
		return nil, Version{}, nil
	case err != nil:
		return nil, Version{}, err
	}
	if l.db != nil {
		_ = l.db.Close() // it only reads
	}
	l.db = db
	transaction, _ := db.Transaction()
	return db, Version{file: db, transaction: transaction}, nil
}
