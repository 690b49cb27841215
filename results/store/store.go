package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Store is a database file. Several goroutines may use it at the same time. All its errors name the
// file. When a call finds the file damaged, its error says so, and every later call returns the same
// error.
type Store struct {
	path    string
	folders folders
	file    *os.File
	db      *bolt.DB
	feed    *feed     // what this store has written
	server  *server   // nil unless the store is shared
	copy    *fileCopy // nil unless file is a copy
	glance  glance    // zero unless Unlock was called

	mu     sync.Mutex
	broken error // why the file must not be touched any more; nil: it may be
}

// errInUse says that another process has locked a file.
var errInUse = errors.New("another sembra is using it: wait until it ends, or stop it")

// folders are where a store puts what is not in its file.
type folders struct {
	sockets []string // for the socket, in order of preference
	copies  string   // for copies of the file
}

func systemFolders() folders { return folders{sockets: socketFolders(), copies: os.TempDir()} }

// Open opens the file at path for reading and writing. It creates the file, readable by all and writable
// by its owner, if it does not exist. It treats an empty file as new, and also the beginning of a file in
// which nothing was ever saved: a kill or a full disk leaves one while bbolt creates the file. Only one
// process at a time can have the file open in this way. Open writes nothing to a file that is damaged or
// not a database of sembra; a *SchemaError says that another version of sembra wrote it.
func Open(path string) (*Store, error) { return openIn(systemFolders(), path) }

func openIn(f folders, path string) (*Store, error) {
	store, err := openStore(f, path, false)
	if err != nil {
		return nil, err
	}
	if err := store.initialise(); err != nil {
		_ = store.Close() // the first error is the one to report
		return nil, err
	}
	return store, nil
}

// OpenRead opens the file at path for reading only. Several processes can do so at the same time. The
// file must exist and have been written to; the error wraps fs.ErrNotExist if there is no file. If another
// process has it open for writing and shares it (see Store.Share), the store is a copy of the file as it
// is now.
func OpenRead(path string) (*Store, error) { return openReadIn(systemFolders(), path) }

func openReadIn(f folders, path string) (*Store, error) {
	store, err := openStore(f, path, true)
	if err != nil {
		return nil, err
	}
	err = store.view(func(tx *bolt.Tx) error {
		empty, err := checkSchema(tx)
		if err == nil && empty {
			err = &UnknownError{}
		}
		return err
	})
	if err != nil {
		_ = store.Close() // the first error is the one to report
		return nil, err
	}
	return store, nil
}

func openStore(f folders, path string, readOnly bool) (*Store, error) {
	file, err := openFile(path, readOnly)
	if err != nil {
		return nil, err
	}
	store := &Store{path: path, folders: f, file: file, feed: newFeed()}
	if err := store.open(readOnly); err != nil {
		store.drop()
		return nil, err
	}
	return store, nil
}

// openFile opens a file at a path that the user gave, which may be anything.
func openFile(path string, readOnly bool) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		what := "not a regular file"
		if info.IsDir() {
			what = "a directory, not a file"
		}
		return nil, fmt.Errorf("database %s: it is %s", path, what)
	}
	flags := os.O_RDWR | os.O_CREATE
	if readOnly {
		flags = os.O_RDONLY
	}
	file, err := os.OpenFile(path, flags, 0o644)
	if err == nil {
		return file, nil
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	if readOnly && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("database %s: %w (hint: run a tournament first, or name its file with --db)", path, err)
	}
	return nil, fmt.Errorf("database %s cannot be opened: %w", path, err)
}

// open locks the file and checks its pages before bbolt maps it.
func (s *Store) open(readOnly bool) (err error) {
	defer s.guard(&err)()
	if err := s.lock(readOnly); err != nil {
		return s.wrap(err)
	}
	if err := s.checkShape(readOnly); err != nil {
		return s.wrap(err)
	}
	s.db, err = bolt.Open(s.path, 0o644, &bolt.Options{
		Timeout:  time.Second,
		ReadOnly: readOnly,
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return s.file, nil },
	})
	if !errors.Is(err, bolterrors.ErrTimeout) {
		return s.wrap(err)
	}
	// On systems where lock does nothing, bbolt finds that the file is in use.
	if readOnly && s.copy == nil && s.takeCopy() == nil {
		return s.open(readOnly)
	}
	return s.wrap(errInUse)
}

// lock locks the file. A reader that does not get the lock takes a copy from the process that has it.
func (s *Store) lock(readOnly bool) error {
	const (
		tries = 20
		pause = 50 * time.Millisecond
	)
	for try := 1; ; try++ {
		err := lock(s.file, readOnly)
		if errors.Is(err, errInUse) && readOnly {
			err = s.takeCopy()
		}
		retry := errors.Is(err, errInUse) || errors.Is(err, errNobody) || errors.Is(err, errCutOff)
		if !retry {
			return err
		}
		switch {
		case try < tries:
		case errors.Is(err, errNobody) && err != errNobody: // its socket may be where this process may not look
			return fmt.Errorf("%w; its results so far cannot be read: %w", errInUse, err)
		default:
			return errInUse
		}
		time.Sleep(pause)
	}
}

// takeCopy replaces the file by a copy from the process that has it open for writing.
func (s *Store) takeCopy() error {
	c, err := receiveCopy(s.folders, s.file)
	switch {
	case errors.Is(err, errNobody) || errors.Is(err, errCutOff):
		return err
	case err != nil:
		return fmt.Errorf("another sembra is using it, and no copy can be made: %w", err)
	}
	_ = s.file.Close() // it was not written to
	s.file, s.copy = c.File, c
	return nil
}

// checkShape checks the pages of the file. It empties a file that has only the beginning of a database.
func (s *Store) checkShape(readOnly bool) error {
	info, err := s.file.Stat()
	switch {
	case err != nil:
		return err
	case !unborn(s.file, info.Size()):
		return checkPages(s.file, info.Size(), !readOnly)
	case readOnly:
		return errors.New("it is empty (hint: run a tournament first, or name its file with --db)")
	}
	return s.file.Truncate(0)
}

// initialise writes the schema into a new file, and refuses a file of another program or schema.
func (s *Store) initialise() error {
	empty := false
	err := s.view(func(tx *bolt.Tx) (err error) {
		empty, err = checkSchema(tx)
		return err
	})
	if err != nil || !empty {
		return err
	}
	return s.update(writeSchema)
}

// Path returns the file's path as it was given.
func (s *Store) Path() string { return s.path }

// Copied reports whether the store is a copy of the file, because another process has the file open for
// writing.
func (s *Store) Copied() bool { return s.copy != nil }

// Written returns the number of writes to the file since it was opened for writing.
func (s *Store) Written() int { return s.feed.len() }

// Close closes the file. Further calls do nothing.
func (s *Store) Close() error {
	if s.server != nil {
		s.server.close()
	}
	s.mu.Lock()
	broken := s.broken
	s.broken = errors.New("the file is closed")
	s.mu.Unlock()

	if broken != nil {
		s.drop()
		return nil
	}
	err := s.db.Close()
	if s.copy != nil {
		s.copy.remove()
	}
	return s.wrap(err)
}

// drop closes the file without bbolt, which may still hold locks of its own after a panic.
func (s *Store) drop() {
	unlock(s.file)
	_ = s.file.Close() // it may be closed already; there is nothing to lose
	if s.copy != nil {
		s.copy.remove()
	}
}

// view runs a function in a read transaction, and update in a write transaction. Both turn panics of
// bbolt and faults in its mapping of the file into an error that says that the file is damaged.
func (s *Store) view(work func(*bolt.Tx) error) (err error) {
	if err := s.usable(); err != nil {
		return err
	}
	defer s.guard(&err)()
	return s.wrap(s.db.View(work))
}

func (s *Store) update(work func(*bolt.Tx) error) (err error) {
	if err := s.usable(); err != nil {
		return err
	}
	defer s.guard(&err)()
	return s.wrap(s.db.Update(work))
}

// viewIn is view for one tournament, and updateIn is update for one.
func (s *Store) viewIn(tournament string, work func(buckets) error) error {
	return s.view(func(tx *bolt.Tx) error { return inBuckets(tx, tournament, work) })
}

func (s *Store) updateIn(tournament string, work func(buckets) error) error {
	return s.update(func(tx *bolt.Tx) error { return inBuckets(tx, tournament, work) })
}

func (s *Store) usable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrap(s.broken)
}

// guard makes faults in the mapping panic. The function that it returns must be deferred; it turns any
// panic into err.
func (s *Store) guard(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		trouble := recover()
		if trouble == nil {
			return
		}
		damage := fmt.Errorf("damaged: reading it failed (%v)", trouble)
		s.mu.Lock()
		s.broken = damage
		s.mu.Unlock()
		*err = s.wrap(damage)
	}
}

// wrap puts the name of the file before an error, once.
func (s *Store) wrap(err error) error {
	var done *storeError
	if err == nil || errors.As(err, &done) {
		return err
	}
	return &storeError{path: s.path, err: err}
}

// storeError is an error with the file that it happened in.
type storeError struct {
	path string
	err  error
}

func (e *storeError) Error() string { return fmt.Sprintf("database %s: %v", e.path, e.err) }
func (e *storeError) Unwrap() error { return e.err }
