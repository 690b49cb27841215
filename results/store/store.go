// Package store keeps tournaments in a bbolt file.
//
// A [Store] is the file. [Records] are one tournament in it, with its schedule. The file holds a record
// completely or not at all. Its summary and its body are stored apart, because tables and ratings need
// summaries alone. The stored ratings are a fold over the records in schedule order; the transaction that
// adds records also updates the ratings. The matches left to play are those of the schedule without a
// stored record, so there is no other state to lose.
//
// Nobody holds the file: each transaction opens it, does its work and closes it. So everybody can read it while a run
// writes. Only one run at a time can have a file open for writing. A reader that needs much reads it in several
// transactions, and never waits for its user in one. [Store.Verify] reads everything in a file and referees every
// match again.
//
// The package never prints or plays a match, and starts no process but one of this program, which checks a file: see
// [IsCheckChild]. It writes nothing to a file that is damaged or that another program made, and never creates a file again
// that was removed under a run.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Store is a database file. Each transaction opens the file, does its work and closes it, so that several processes
// can use the file at the same time. Several goroutines may use a Store. All its errors name the file. When a call
// finds the file damaged, its error says so, and every later call returns the same error.
type Store struct {
	path   string
	beside string   // the path of the file behind symbolic links, which the names of the locks and copies follow
	run    *runLock // nil if the store only reads
	steps  []step   // see steps
	copied string   // see Copied
	temp   string   // the path of the temporary copy that is read instead of the file; "": the file is read
	at     uint64   // the last transaction in the temporary copy that wrote to the file

	mu     sync.Mutex  // guards what follows
	file   os.FileInfo // the file that every transaction must find; nil until the first one
	broken error       // why the file must not be touched any more; nil: it may be
	unused bool        // Open created the file, and nothing was written since
}

// ErrEmpty says that nothing was ever written to a file.
var ErrEmpty = errors.New("it is empty (hint: run a tournament first, or name its file with --db)")

// Open opens the file at path for reading and for writing a run. It creates the file, readable by all and writable
// by its owner, if it does not exist. It treats an empty file as new. Until Close, no other
// process can open the file in this way: the error names the process that has done so. Open writes nothing to a
// file that is damaged or not a database of sembra; a *SchemaError says that it cannot read the file's schema. It
// copies a file of an older schema (see Copied) and brings it to the newest one.
// Close removes a file that Open created and to which nothing was written.
func Open(path string) (*Store, error) { return openToWrite(path, steps()) }

func openToWrite(path string, steps []step) (*Store, error) {
	s := &Store{path: path, beside: target(path), steps: steps}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		s.unused = true
	}
	if err := checkRegular(path); err != nil {
		return nil, err
	}
	run, err := lockRun(s.beside)
	if err != nil {
		return nil, s.wrap(err)
	}
	s.run = run
	if info, missing := os.Stat(path); missing == nil && info.Size() > 0 {
		err = s.checkWhole()
	}
	if err == nil {
		err = s.transact(false, s.initialise)
		if err != nil && s.copied != "" {
			err = fmt.Errorf("%w; as it was before, it is in %s", err, s.copied)
		}
	}
	if err != nil {
		run.release()
		return nil, err
	}
	return s, nil
}

// checkWhole refuses a file of another program or of an unknown schema, and one whose pages are damaged. It copies one
// of an older schema.
func (s *Store) checkWhole() error {
	older, err := s.isOlder()
	if err != nil {
		return err
	}
	if older {
		return s.copyOlder()
	}
	damage, err := s.check()
	if err != nil {
		return err
	}
	return s.wrap(damage)
}

// OpenRead opens the file at path for reading only. The file must exist and have been written to; the error wraps
// fs.ErrNotExist if there is no file, and ErrEmpty if it is empty. Of a file of an older schema, the store reads a
// temporary copy, which Close removes.
func OpenRead(path string) (*Store, error) { return openToRead(path, steps()) }

func openToRead(path string, steps []step) (*Store, error) {
	if err := checkRegular(path); err != nil {
		return nil, err
	}
	s := &Store{path: path, beside: target(path), steps: steps}
	older, err := s.isOlder()
	if err == nil && older {
		err = s.readCopy()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// checkRegular refuses a path, which a user gave and which may be anything, that does not name a regular file.
func checkRegular(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		return nil
	}
	if info.IsDir() {
		return fmt.Errorf("database %s: it is a directory, not a file", path)
	}
	return fmt.Errorf("database %s: %w", path, ErrIrregular)
}

// ErrIrregular says that a path names a device or a pipe.
var ErrIrregular = errors.New("it is not a regular file")

// initialise brings a new file, or one of an older schema, to the newest schema.
func (s *Store) initialise(db *bolt.DB) error {
	var missing []step
	err := db.View(func(tx *bolt.Tx) (err error) {
		_, missing, err = checkSchema(tx, s.steps)
		return err
	})
	if err != nil || len(missing) == 0 {
		return err
	}
	return db.Update(func(tx *bolt.Tx) error { return upgrade(tx, missing, s.steps) })
}

// Path returns the file's path as it was given.
func (s *Store) Path() string { return s.path }

// Copied returns the path of the copy of the file that Open made, because the file had an older schema; "" if it did not.
func (s *Store) Copied() string { return s.copied }

// ReadsCopy reports whether OpenRead made a temporary copy, because the file has an older schema.
func (s *Store) ReadsCopy() bool { return s.temp != "" }

// Close ends the use of the file. Further calls do nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = errors.New("the file is closed")
	if s.ReadsCopy() {
		_ = os.Remove(s.temp)
	}
	if s.run != nil {
		if info, err := os.Stat(s.beside); err == nil && s.unused && os.SameFile(info, s.file) {
			_ = os.Remove(s.beside) // of a run that was refused; an empty database does no harm
		}
		s.run.release()
		s.run = nil
	}
	return nil
}

// Transaction returns the number of the last transaction that wrote to the file, without waiting for anybody. It
// returns false if the file was removed or replaced, or cannot be read any more. If a temporary copy is read, it returns
// false if the file was written since, or somebody removed the copy.
func (s *Store) Transaction() (number uint64, ok bool) {
	known, err := s.state()
	if err != nil {
		return 0, false
	}
	file, err := s.openFile(known, os.O_RDONLY)
	if err != nil {
		return 0, false
	}
	defer file.Close()
	m, _, err := readMeta(file)
	if err != nil || !s.ReadsCopy() {
		return m.tx, err == nil
	}
	_, err = os.Stat(s.temp)
	return m.tx, err == nil && m.tx == s.at
}

// view runs a function in a read transaction, and update in a write transaction. Both turn panics of
// bbolt and faults in its mapping of the file into an error that says that the file is damaged. A newer sembra may
// bring the file to its schema between two read transactions: then view returns a *SchemaError.
func (s *Store) view(work func(*bolt.Tx) error) error {
	return s.transact(true, func(db *bolt.DB) error {
		return db.View(func(tx *bolt.Tx) error {
			if _, _, err := checkSchema(tx, s.steps); err != nil {
				return err
			}
			return work(tx)
		})
	})
}

func (s *Store) update(work func(*bolt.Tx) error) error {
	if s.run == nil {
		if _, broken := s.state(); broken != nil {
			return s.wrap(broken)
		}
		return s.wrap(errors.New("it is open for reading only"))
	}
	err := s.transact(false, func(db *bolt.DB) error { return db.Update(work) })
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.unused = false
	}
	return err
}

// viewIn is view for one tournament.
func (s *Store) viewIn(tournament string, work func(buckets) error) error {
	return s.view(func(tx *bolt.Tx) error { return inBuckets(tx, tournament, work) })
}

// transact opens the file, calls work, and closes the file.
func (s *Store) transact(readOnly bool, work func(*bolt.DB) error) error {
	return s.withFile(readOnly, func(file *os.File) error {
		db, err := bolt.Open(s.path, 0o644, &bolt.Options{
			Timeout:  s.patience(),
			ReadOnly: readOnly,
			OpenFile: func(string, int, os.FileMode) (*os.File, error) { return file, nil },
		})
		if errors.Is(err, bolterrors.ErrTimeout) {
			return errInUse
		}
		if err != nil {
			return fmt.Errorf("it cannot be opened: %w", err)
		}
		err = checkSize(db, file)
		if err == nil {
			err = work(db)
		}
		if closed := db.Close(); err == nil {
			err = closed
		}
		return err
	})
}

// checkSize checks that the file has all its pages.
func checkSize(db *bolt.DB, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return db.View(func(tx *bolt.Tx) error {
		if info.Size() < tx.Size() {
			return fmt.Errorf("truncated: it has %d of at least %d bytes", info.Size(), tx.Size())
		}
		return nil
	})
}

// withFile calls work with the file open and locked. A panic, or a fault in bbolt's mapping, means that the file is
// damaged.
func (s *Store) withFile(readOnly bool, work func(*os.File) error) (err error) {
	known, err := s.state()
	if err != nil {
		return s.wrap(err)
	}
	flags := os.O_RDWR
	if readOnly {
		flags = os.O_RDONLY
	}
	var file *os.File
	if s.ReadsCopy() {
		file, err = os.OpenFile(s.temp, flags, 0)
	} else {
		file, err = s.openFile(known, flags)
	}
	if err != nil {
		return s.wrap(err)
	}
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if trouble := recover(); trouble != nil {
			err = s.setDamaged(trouble)
			unlock(file) // closing the file does not do that while bbolt's mapping of it is left
		}
		_ = file.Close() // bbolt may have done that already
	}()
	if err := s.lock(file, readOnly); err != nil {
		return s.wrap(err)
	}
	if known == nil {
		if err := s.meet(file); err != nil {
			return s.wrap(err)
		}
	}
	return s.wrap(work(file))
}

// state returns the file that was found before, nil if there was none, and why it must not be touched any more.
func (s *Store) state() (known os.FileInfo, broken error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file, s.broken
}

// openFile opens the file. Only the first transaction of a run may create it.
func (s *Store) openFile(known os.FileInfo, flags int) (*os.File, error) {
	if known == nil && s.run != nil {
		flags |= os.O_CREATE
	}
	file, err := os.OpenFile(s.path, flags, 0o644)
	if err == nil {
		if err := checkSame(known, file); err != nil {
			file.Close()
			return nil, err
		}
		return file, nil
	}
	if pathError := new(fs.PathError); errors.As(err, &pathError) {
		err = pathError.Err
	}
	if errors.Is(err, fs.ErrNotExist) && known != nil {
		return nil, errors.New("it was removed")
	}
	if errors.Is(err, fs.ErrNotExist) && s.run == nil {
		return nil, fmt.Errorf("%w (hint: run a tournament first, or name its file with --db)", err)
	}
	return nil, fmt.Errorf("it cannot be opened: %w", err)
}

// checkSame refuses a file that is not the one that was found before, if there was one.
func checkSame(known os.FileInfo, file *os.File) error {
	if known == nil {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(known, info) {
		return errors.New("another file has taken its place")
	}
	if info.Size() == 0 { // bbolt would begin a new database in it
		return errors.New("damaged: somebody has emptied it")
	}
	return nil
}

// meet notes which file it is, in the first transaction, and refuses one that is not a database.
func (s *Store) meet(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 && s.run == nil {
		return ErrEmpty
	}
	if info.Size() > 0 {
		if _, _, err := readMeta(file); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file = info
	return nil
}

// setDamaged notes that the file must not be touched any more, and returns the error that says so.
func (s *Store) setDamaged(trouble any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = fmt.Errorf("damaged: reading it failed (%v)", trouble)
	return s.wrap(s.broken)
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
