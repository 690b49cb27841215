package page

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"sembra/arena"
	"sembra/results"
	"sembra/results/store"
)

// Library is the database that the pages show. Several goroutines may use it at the
// same time. It reads the database in one of three ways:
//
//   - A library of [RunLibrary] reads the database of the run in this process.
//   - While a run in another process writes the file, it reads a copy of the file,
//     which it keeps up to date by what that process sends.
//   - Otherwise it reads the file itself, without its lock. So a run can begin at
//     any time.
//
// A library that nobody uses for a while closes the file or the copy.
type Library struct {
	path string
	own  *store.Store // of the run in this process; nil: there is none
	feed *arena.Feed  // of that run

	reading sync.Mutex     // held by whoever reads, because a book has one user at a time
	db      *store.Store   // the file, or a copy of it; nil: neither is open. Guarded by reading
	locked  bool           // db is the file, and keeps a run from opening it. Guarded by reading
	follows sync.WaitGroup // what keeps copies up to date

	mu        sync.Mutex   // guards what follows
	moment    Moment       // of a run in another process
	following *store.Store // the copy that is kept up to date; nil: there is none
	stop      func()       // ends that
	idle      *time.Timer
	closed    bool
}

// Moment is what happens in a library at a moment.
type Moment struct {
	Version int  // differs from an earlier one if Read may read something else
	Running bool // a run writes the database
	InPlay  arena.InPlay
	Boards  int // differs from an earlier one if InPlay has changed
}

// errClosed says that a library is used after Close.
var errClosed = errors.New("these pages have ended")

// idleAfter is how long an unused library keeps its file or copy open.
const idleAfter = time.Minute

// OpenLibrary returns the library of the database at path. The error says why it
// cannot be read. The database need not exist yet: until then it has no tournaments.
func OpenLibrary(path string) (*Library, error) {
	l := &Library{path: path}
	if _, err := l.Tournaments(); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// RunLibrary returns the library of a run in this process: the database that it
// writes, and its feed.
func RunLibrary(db *store.Store, feed *arena.Feed) *Library {
	return &Library{path: db.Path(), own: db, feed: feed}
}

// Close ends the use of the database, and waits until nobody reads it. The store of RunLibrary stays open.
func (l *Library) Close() error {
	l.mu.Lock()
	l.closed = true
	if l.idle != nil {
		l.idle.Stop()
	}
	l.mu.Unlock()
	l.rest()
	l.follows.Wait()
	return nil
}

// Tournaments returns all tournaments in order of creation. A database that does not
// exist has none.
func (l *Library) Tournaments() (all []results.Tournament, err error) {
	err = l.read(func(db *store.Store) (err error) {
		all, err = db.Tournaments()
		return err
	})
	if unknown := new(store.UnknownError); errors.Is(err, fs.ErrNotExist) || errors.As(err, &unknown) {
		return nil, nil
	}
	return all, err
}

// Read calls f with the tournament of a name, or with the newest one for "". Nobody
// else uses the book meanwhile, and f must not keep it. A run may begin to write the
// file while f reads; Read then calls f once more, and only the last call counts. A
// *store.UnknownError says that there is no such tournament.
func (l *Library) Read(ctx context.Context, name string, f func(*store.Book) error) error {
	err := l.read(func(db *store.Store) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		book, err := db.Book(name)
		if err != nil {
			return err
		}
		return f(book)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return &store.UnknownError{Name: name}
	}
	return err
}

// Now tells what happens. It costs little, and is meant to be asked a few times a
// second.
func (l *Library) Now() Moment {
	if l.own != nil {
		now := Moment{Running: true, Version: l.own.Written()}
		now.InPlay, now.Boards = l.feed.InPlay()
		return now
	}
	l.reading.Lock()
	_ = l.open() // the next Read returns the error
	l.reading.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.moment
}

// read calls work with the database, once more if the file changed meanwhile.
func (l *Library) read(work func(*store.Store) error) error {
	l.reading.Lock()
	defer l.reading.Unlock()
	if l.own != nil {
		l.mu.Lock()
		closed := l.closed
		l.mu.Unlock()
		if closed {
			return errClosed
		}
		return work(l.own)
	}
	for try := 1; ; try++ {
		if err := l.open(); err != nil {
			return err
		}
		err := work(l.db)
		if l.locked { // this system does not let a run begin meanwhile
			l.drop()
			return err
		}
		if l.db.Current() || try == mostTries {
			return err
		}
	}
}

// mostTries is how often a file is read that always changes meanwhile. A run begins
// once, and from then on its copy is read.
const mostTries = 3

// open opens the file, or a copy of it if a run writes it, unless the right one is
// open.
func (l *Library) open() error {
	l.mu.Lock()
	closed, followed := l.closed, l.following
	if l.idle == nil {
		l.idle = time.AfterFunc(idleAfter, l.rest)
	}
	l.idle.Reset(idleAfter)
	l.mu.Unlock()
	if closed {
		return errClosed
	}
	current := l.db != nil && l.db.Current()
	if current && l.db == followed {
		return nil
	}
	copied, err := store.OpenCopy(l.path)
	switch {
	case err == nil:
		l.drop()
		l.follow(copied)
		return nil
	case current && !l.db.Copied() && errors.Is(err, store.ErrNotShared):
		return nil
	}
	l.drop()
	if !errors.Is(err, store.ErrNotShared) {
		return err
	}
	if info, err := os.Stat(l.path); err == nil && info.Size() == 0 { // a run is about to write it
		return fs.ErrNotExist
	}
	if l.db, err = store.OpenRead(l.path); err != nil {
		l.db = nil
		return err
	}
	l.locked = !l.db.Unlock() && !l.db.Copied()
	return nil
}

// follow keeps a copy up to date from now on.
func (l *Library) follow(copied *store.Store) {
	ctx, stop := context.WithCancel(context.Background())
	l.db = copied
	l.mu.Lock()
	l.following, l.stop = copied, stop
	l.moment.Running = true
	l.mu.Unlock()
	l.follows.Go(func() {
		defer stop()
		// The next use of the library opens a new copy after an error, and tells of it if that fails too.
		_ = copied.Follow(ctx, func(changed bool, events []json.RawMessage) { l.note(copied, changed, events) })
		l.reading.Lock()
		defer l.reading.Unlock()
		if l.db == copied {
			l.drop()
		}
	})
}

// note notes what the process of a run has sent.
func (l *Library) note(copied *store.Store, changed bool, events []json.RawMessage) {
	var now arena.InPlay
	known := len(events) > 0 && json.Unmarshal(events[len(events)-1], &now) == nil
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.following != copied {
		return
	}
	if changed {
		l.moment.Version++
	}
	if known {
		l.moment.InPlay = now
		l.moment.Boards++
	}
}

// drop closes the file or the copy, if one is open. The caller reads.
func (l *Library) drop() {
	if l.db == nil {
		return
	}
	l.mu.Lock()
	if l.following != nil {
		l.stop()
		l.following = nil
	}
	l.moment = Moment{Version: l.moment.Version + 1, Boards: l.moment.Boards + 1}
	l.mu.Unlock()
	_ = l.db.Close() // it was only read
	l.db = nil
}

// rest closes what is open.
func (l *Library) rest() {
	l.reading.Lock()
	defer l.reading.Unlock()
	l.drop()
}
