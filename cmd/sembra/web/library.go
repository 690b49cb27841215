package web

import (
	"context"
	"errors"
	"io/fs"
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

	mu      sync.Mutex   // guards what follows
	db      *store.Store // nil: there is no file yet
	opening int          // counts the files that were opened
	closed  bool
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
	Written bool // a run writes the database, in this process or another one
	Running bool // the run in this process plays matches
	InPlay  arena.InPlay
	Boards  int // differs from an earlier one if InPlay has changed
}

// Version differs from an earlier one if what a library reads may have changed.
type Version struct {
	opening     int
	transaction uint64
}

// errClosed says that a library is used after Close.
var errClosed = errors.New("these pages have ended")

// OpenLibrary returns the library of the database at path. The error says why it cannot be read. The database need not
// exist yet: until then it has no tournaments.
func OpenLibrary(path string) (*Library, error) {
	l := &Library{path: path}
	if _, err := l.Tournaments(); err != nil {
		return nil, err
	}
	return l, nil
}

// RunLibrary returns the library of a run in this process: the database that it writes, and its feed.
func RunLibrary(path string, feed Feed) *Library {
	return &Library{path: path, feed: feed}
}

// Close ends the use of the database. It does not wait for those who read.
func (l *Library) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.drop()
}

// Tournaments returns all tournaments in order of creation. A database that does not exist has none.
func (l *Library) Tournaments() ([]results.Tournament, error) {
	db, _, err := l.open()
	if db == nil {
		return nil, err
	}
	return db.Tournaments()
}

// Read calls f with the tournament of a name, or with the newest one for "". A *store.UnknownError says that there is
// no such tournament.
func (l *Library) Read(ctx context.Context, name string, f func(*store.Records) error) error {
	db, _, err := l.open()
	switch {
	case err != nil:
		return err
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case db == nil:
		return &store.UnknownError{Name: name}
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
	now := Moment{Version: version, Written: db != nil && db.Running()}
	if l.feed != nil {
		now.Running = true
		now.InPlay, now.Boards = l.feed.InPlay()
	}
	return now
}

// open returns the store of the file that is there now; nil if there is none, or if nothing was written to it.
func (l *Library) open() (*store.Store, Version, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, Version{}, errClosed
	}
	if l.db != nil {
		if transaction, ok := l.db.Transaction(); ok {
			return l.db, Version{l.opening, transaction}, nil
		}
		l.drop()
	}
	db, err := store.OpenRead(l.path)
	unknown := new(store.UnknownError)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrEmpty) || errors.As(err, &unknown):
		return nil, Version{opening: l.opening}, nil
	case err != nil:
		return nil, Version{opening: l.opening}, err
	}
	l.db = db
	l.opening++
	transaction, _ := db.Transaction()
	return db, Version{l.opening, transaction}, nil
}

// drop gives up the file that was read so far.
func (l *Library) drop() {
	if l.db != nil {
		_ = l.db.Close() // it was only read
		l.db = nil
		l.opening++
	}
}
