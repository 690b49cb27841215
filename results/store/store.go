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

	"sembra/results"
)

// The layout of the file, buckets with their keys:
//
//	sembra
//	  schema            "2"
//	tournaments
//	  NAME
//	    about
//	      manifest      the Tournament; apart, because a commit writes a bucket's page anew with each bucket in it
//	      isolation     what the machine gave for isolation, if anything was noted
//	    number          order of creation, 8 bytes, big end first
//	    summaries       key of a match: its Summary
//	    bodies          key of a match: its Body
//	    evidence        key of a match: its Evidence, where there is any; the bucket is made with the first
//	    voids           key of a match and a number, 4 bytes, big end first: the reason
//	    ratings
//	      elo           the stored ratings
//
// Keys of matches: see appendKey; values: see seal.
const (
	schema = "2"

	bucketOurs        = "sembra"
	bucketTournaments = "tournaments"
	bucketAbout       = "about"
	bucketSummaries   = "summaries"
	bucketBodies      = "bodies"
	bucketEvidence    = "evidence"
	bucketVoids       = "voids"
	bucketRatings     = "ratings"

	keySchema    = "schema"
	keyManifest  = "manifest"
	keyNumber    = "number"
	keyIsolation = "isolation"
	keyElo       = "elo"
)

// Store is a file of tournaments. It is safe for use by several goroutines. All its errors name the
// file. Where the file turns out to be damaged, that one call says so, and all later ones too.
type Store struct {
	path string
	file *os.File
	db   *bolt.DB
	live *live // nil unless it is shared

	feed *feed // what this store has written

	copied  bool     // file is a copy
	scratch *scratch // then
	covers  place    // and what it has of the original's writes

	mu     sync.Mutex
	broken error // why the file is not touched any more

	folding sync.Mutex                     // held by who writes ratings
	folds   map[string]*results.RatingFold // by tournament: the fold of the ratings that this store wrote last
}

// Open opens the file at path for reading and writing, and makes it (readable by all, writable by its
// owner) if it is not there. A file without a byte, and the beginning of one in which nothing was ever
// saved, as a kill or a full disk during its making leave behind, are taken for a new one. Only one process at a time may have the file open so. Nothing is written to
// a file that is not whole or not ours.
func Open(path string) (*Store, error) {
	store, err := openStore(path, false)
	if err != nil {
		return nil, err
	}
	if err := store.initialise(); err != nil {
		_ = store.Close() // the first error is the one to tell
		return nil, err
	}
	return store, nil
}

// OpenRead opens the file at path for reading alone, beside other readers. It must be there and have
// been written to; an error that wraps fs.ErrNotExist says that it is not. Where another process has it
// open for writing and shares it (see Store.Share), the store is a copy of the file as it is now.
func OpenRead(path string) (*Store, error) {
	store, err := openStore(path, true)
	if err != nil {
		return nil, err
	}
	err = store.view(func(tx *bolt.Tx) error {
		empty, err := checkSchema(tx)
		if err == nil && empty {
			err = errors.New("there is no tournament in it yet: run one first (sembra run)")
		}
		return err
	})
	if err != nil {
		_ = store.Close() // the first error is the one to tell
		return nil, err
	}
	return store, nil
}

// openStore locks the file, checks its shape and only then lets bbolt at it.
func openStore(path string, readOnly bool) (_ *Store, err error) {
	store := &Store{path: path, feed: newFeed()}
	if store.file, err = openFile(path, readOnly); err != nil {
		return nil, err
	}
	if err := store.open(readOnly); err != nil {
		store.drop()
		return nil, err
	}
	return store, nil
}

// drop lets go of the file without bbolt, which may still hold locks of its own after a panic.
func (s *Store) drop() {
	unlock(s.file)
	_ = s.file.Close() // it may be closed already; there is nothing to lose
	if s.scratch != nil {
		s.scratch.remove()
	}
}

func (s *Store) open(readOnly bool) (err error) {
	defer s.guard(&err)()
	if err := s.claim(readOnly); err != nil {
		return s.openError(err)
	}
	info, err := s.file.Stat()
	switch {
	case err != nil:
		return s.wrap(err)
	case readOnly && unborn(s.file, info.Size()):
		return s.wrap(errors.New("it is empty: run a tournament first (sembra run), or say with --db where its file is"))
	case unborn(s.file, info.Size()):
		if err := s.file.Truncate(0); err != nil {
			return s.wrap(err)
		}
	default:
		if err := checkPages(s.file, info.Size(), !readOnly); err != nil {
			return s.wrap(err)
		}
	}
	s.db, err = bolt.Open(s.path, 0o644, &bolt.Options{
		Timeout:  time.Second,
		ReadOnly: readOnly,
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return s.file, nil },
	})
	if errors.Is(err, bolterrors.ErrTimeout) && readOnly && !s.copied { // where the lock is left to bbolt
		if copyErr := s.takeCopy(); copyErr == nil {
			return s.open(readOnly)
		}
	}
	if err != nil {
		return s.openError(err)
	}
	return nil
}

// claim locks the file. A reader that does not get it takes a copy, if there is somebody to give one.
func (s *Store) claim(readOnly bool) error {
	const (
		tries = 20
		pause = 50 * time.Millisecond
	)
	for try := 1; ; try++ {
		err := lock(s.file, readOnly)
		if !errors.Is(err, errInUse) {
			return err
		}
		if readOnly {
			err = s.takeCopy()
			if !errors.Is(err, errNobody) && !errors.Is(err, errCutOff) {
				return err
			}
		}
		if try == tries {
			return errInUse
		}
		time.Sleep(pause)
	}
}

// takeCopy puts a copy in the place of the file.
func (s *Store) takeCopy() error {
	scratch, covers, err := takeCopy(s.file)
	if err != nil {
		if !errors.Is(err, errNobody) && !errors.Is(err, errCutOff) {
			err = fmt.Errorf("another sembra is using it, and there is no copy to be had: %w", err)
		}
		return err
	}
	_ = s.file.Close() // nothing was done with it
	s.file, s.scratch, s.covers, s.copied = scratch.File, scratch, covers, true
	return nil
}

// openFile opens what may well be no file, and says what it is.
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
		return nil, fmt.Errorf("database %s: %w (run a tournament first, or say with --db where its file is)", path, err)
	}
	return nil, fmt.Errorf("database %s cannot be opened: %w", path, err)
}

func (s *Store) openError(err error) error {
	if errors.Is(err, errInUse) || errors.Is(err, bolterrors.ErrTimeout) {
		return s.wrap(errors.New("another sembra is using it: wait until that has ended, or stop it"))
	}
	return s.wrap(err)
}

// Path is the file's path as it was given.
func (s *Store) Path() string { return s.path }

// Close lets go of the file. It may be called twice.
func (s *Store) Close() error {
	if s.live != nil {
		s.live.close()
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
	if s.scratch != nil {
		s.scratch.remove()
	}
	return s.wrap(err)
}

// initialise writes the schema into a new file and refuses one that is not ours.
func (s *Store) initialise() error {
	empty := false
	err := s.view(func(tx *bolt.Tx) (err error) {
		empty, err = checkSchema(tx)
		return err
	})
	if err != nil || !empty {
		return err
	}
	return s.update(func(tx *bolt.Tx) error {
		ours, err := tx.CreateBucketIfNotExists([]byte(bucketOurs))
		if err != nil {
			return err
		}
		if _, err := tx.CreateBucketIfNotExists([]byte(bucketTournaments)); err != nil {
			return err
		}
		return ours.Put([]byte(keySchema), []byte(schema))
	})
}

// checkSchema sees whether the file is ours and of our version. A file without a bucket is empty: it
// may be new, or the remains of a kill before the first transaction.
func checkSchema(tx *bolt.Tx) (empty bool, err error) {
	ours := tx.Bucket([]byte(bucketOurs))
	if ours == nil {
		if first, _ := tx.Cursor().First(); first != nil {
			return false, errNoDatabase
		}
		return true, nil
	}
	got := ours.Get([]byte(keySchema))
	switch {
	case got == nil || tx.Bucket([]byte(bucketTournaments)) == nil:
		return false, errors.New("damaged: a part of it is missing")
	case string(got) != schema:
		return false, &SchemaError{Found: string(got)}
	}
	return false, nil
}

// view runs a function in a read transaction, update in one that writes. They keep panics of bbolt and
// faults in its mapping of the file from the caller, and say that the file is damaged.
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

// updateFold changes a tournament and its stored ratings. work is given the fold that they came from, if
// this store has written them, and gives the one that they come from now. After an error it is forgotten,
// as nothing of the change was kept.
func (s *Store) updateFold(name string, work func(room, *results.RatingFold) (*results.RatingFold, error)) error {
	s.folding.Lock()
	defer s.folding.Unlock()
	last := s.folds[name]
	delete(s.folds, name)
	var fold *results.RatingFold
	err := s.update(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err == nil {
			fold, err = work(room, last)
		}
		return err
	})
	if err != nil {
		return err
	}
	if s.folds == nil {
		s.folds = make(map[string]*results.RatingFold)
	}
	s.folds[name] = fold
	return nil
}

func (s *Store) usable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrap(s.broken)
}

// guard makes faults in the mapping panic, and what it returns, deferred, turns any panic into err.
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

// wrap puts the file in front of an error, once.
func (s *Store) wrap(err error) error {
	var done *storeError
	if err == nil || errors.As(err, &done) {
		return err
	}
	return &storeError{path: s.path, err: err}
}

// SchemaError says that another version of sembra wrote a file, in a layout that this one does not know.
type SchemaError struct{ Found string }

// Error names both schemas.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("it has schema %.20q, and this sembra knows schema %q: another version of sembra wrote it (hint: use that version, or another --db)",
		e.Found, schema)
}

// storeError is an error with the file that it happened in.
type storeError struct {
	path string
	err  error
}

func (e *storeError) Error() string { return fmt.Sprintf("database %s: %v", e.path, e.err) }
func (e *storeError) Unwrap() error { return e.err }
