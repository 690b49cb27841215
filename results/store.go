package results

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// The layout of the file, buckets with their keys:
//
//	sembra
//	  schema            "1"
//	tournaments
//	  NAME
//	    manifest        the Tournament
//	    number          order of creation, 8 bytes, big end first
//	    summaries       key of a match: its Summary
//	    bodies          key of a match: its Body
//	    voids           key of a match and a number, 4 bytes, big end first: the reason
//	    ratings
//	      elo           the stored ratings
//
// Keys of matches: see appendKey; values: see seal.
const (
	schema = "1"

	bucketOurs        = "sembra"
	bucketTournaments = "tournaments"
	bucketSummaries   = "summaries"
	bucketBodies      = "bodies"
	bucketVoids       = "voids"
	bucketRatings     = "ratings"

	keySchema   = "schema"
	keyManifest = "manifest"
	keyNumber   = "number"
	keyElo      = "elo"
)

// Store is a file of tournaments. It is safe for use by several goroutines. All its errors name the
// file. Where the file turns out to be damaged, that one call says so, and all later ones too.
type Store struct {
	path string
	file *os.File
	db   *bolt.DB

	mu     sync.Mutex
	broken error // why the file is not touched any more
}

// Open opens the file at path for reading and writing, and makes it (readable by all, writable by its
// owner) if it is not there. A file without a byte, as a kill during its making leaves behind, is
// taken for a new one. Only one process at a time may have the file open so. Nothing is written to
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
// been written to; an error that wraps fs.ErrNotExist says that it is not.
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
	store := &Store{path: path}
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
}

func (s *Store) open(readOnly bool) (err error) {
	defer s.guard(&err)()
	if err := lock(s.file, readOnly); err != nil {
		return s.openError(err)
	}
	info, err := s.file.Stat()
	switch {
	case err != nil:
		return s.wrap(err)
	case info.Size() == 0 && readOnly:
		return s.wrap(errors.New("it is empty: run a tournament first (sembra run), or say with --db where its file is"))
	case info.Size() > 0:
		if err := checkPages(s.file, info.Size(), !readOnly); err != nil {
			return s.wrap(err)
		}
	}
	s.db, err = bolt.Open(s.path, 0o644, &bolt.Options{
		Timeout:  time.Second,
		ReadOnly: readOnly,
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return s.file, nil },
	})
	if err != nil {
		return s.openError(err)
	}
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
	s.mu.Lock()
	broken := s.broken
	s.broken = errors.New("the file is closed")
	s.mu.Unlock()

	if broken != nil {
		s.drop()
		return nil
	}
	if err := s.db.Close(); err != nil {
		return s.wrap(err)
	}
	return nil
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
		return false, fmt.Errorf("it has schema %.20q, and this sembra knows %q: another version of sembra wrote it", got, schema)
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

// storeError is an error with the file that it happened in.
type storeError struct {
	path string
	err  error
}

func (e *storeError) Error() string { return fmt.Sprintf("database %s: %v", e.path, e.err) }
func (e *storeError) Unwrap() error { return e.err }

// UnknownError says that a file has no tournament of a name.
type UnknownError struct {
	Name  string   // "" where any would have done
	Known []string // in order of creation
}

// Error lists the tournaments that are known.
func (e *UnknownError) Error() string {
	if len(e.Known) == 0 {
		return "there is no tournament in it yet: run one first (sembra run)"
	}
	return fmt.Sprintf("there is no tournament %q in it (known: %s)", e.Name, strings.Join(e.Known, ", "))
}

// Tournaments gives all tournaments in order of creation.
func (s *Store) Tournaments() (all []Tournament, err error) {
	err = s.view(func(tx *bolt.Tx) (err error) {
		all, err = tournaments(tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// tournaments reads the manifests of all tournaments, in order of creation.
func tournaments(tx *bolt.Tx) ([]Tournament, error) {
	type numbered struct {
		number uint64
		Tournament
	}
	var found []numbered
	parent := tx.Bucket([]byte(bucketTournaments))
	if parent == nil {
		return nil, errors.New("damaged: a part of it is missing")
	}
	err := parent.ForEachBucket(func(name []byte) error {
		t, err := manifest(parent.Bucket(name), string(name))
		if err != nil {
			return err
		}
		number := parent.Bucket(name).Get([]byte(keyNumber))
		if len(number) != 8 {
			return fmt.Errorf("the number of tournament %q is damaged", name)
		}
		found = append(found, numbered{binary.BigEndian.Uint64(number), t})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b numbered) int {
		return int(min(max(int64(a.number)-int64(b.number), -1), 1))
	})
	all := make([]Tournament, len(found))
	for i := range found {
		all[i] = found[i].Tournament
	}
	return all, nil
}

func manifest(bucket *bolt.Bucket, name string) (Tournament, error) {
	value := bucket.Get([]byte(keyManifest))
	if value == nil {
		return Tournament{}, fmt.Errorf("the manifest of tournament %q is missing", name)
	}
	return decodeTournament(name, value)
}

// Tournament gives the tournament of a name, or the newest for "". A *UnknownError says that there is
// none.
func (s *Store) Tournament(name string) (Tournament, error) {
	all, err := s.Tournaments()
	if err != nil {
		return Tournament{}, err
	}
	if name == "" && len(all) > 0 {
		return all[len(all)-1], nil
	}
	unknown := &UnknownError{Name: name}
	for _, t := range all {
		if t.Name == name {
			return t, nil
		}
		unknown.Known = append(unknown.Known, t.Name)
	}
	return Tournament{}, s.wrap(unknown)
}

// Newest gives the newest tournament of a family, and false where there is none.
func (s *Store) Newest(family string) (Tournament, bool, error) {
	all, err := s.Tournaments()
	if err != nil {
		return Tournament{}, false, err
	}
	for _, t := range slices.Backward(all) {
		if t.Family == family {
			return t, true, nil
		}
	}
	return Tournament{}, false, nil
}

// FreshName gives the first of "spring", "spring-2", "spring-3" and so on that no tournament has, for
// the family "spring".
func (s *Store) FreshName(family string) (string, error) {
	all, err := s.Tournaments()
	if err != nil {
		return "", err
	}
	taken := make(map[string]bool, len(all))
	for _, t := range all {
		taken[t.Name] = true
	}
	name := family
	for number := 2; taken[name]; number++ {
		name = fmt.Sprintf("%s-%d", family, number)
	}
	return name, nil
}

// Create begins a tournament. Its name must not be taken.
func (s *Store) Create(t Tournament) error {
	value, err := checkedManifest(t)
	if err != nil {
		return s.wrap(err)
	}
	return s.update(func(tx *bolt.Tx) error {
		parent := tx.Bucket([]byte(bucketTournaments))
		bucket, err := parent.CreateBucket([]byte(t.Name))
		if errors.Is(err, bolterrors.ErrBucketExists) {
			return fmt.Errorf("there is a tournament %q already", t.Name)
		}
		if err != nil {
			return err
		}
		for _, name := range []string{bucketSummaries, bucketBodies, bucketVoids, bucketRatings} {
			if _, err := bucket.CreateBucket([]byte(name)); err != nil {
				return err
			}
		}
		number, err := parent.NextSequence()
		if err != nil {
			return err
		}
		if err := bucket.Put([]byte(keyNumber), binary.BigEndian.AppendUint64(nil, number)); err != nil {
			return err
		}
		if err := bucket.Put([]byte(keyManifest), value); err != nil {
			return err
		}
		room, err := roomIn(bucket, t.Name)
		if err != nil {
			return err
		}
		return room.writeRatings(storedRatings{ladder: NewLadder(t.Rating, t.Bots)})
	})
}

func checkedManifest(t Tournament) ([]byte, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	return encodeTournament(t)
}

// Replace stores what Continue has merged, and folds the stored ratings again from the first slot, as
// the schedule has changed. Every recorded match must be in the new schedule.
func (s *Store) Replace(t Tournament, order Order) error {
	value, err := checkedManifest(t)
	if err != nil {
		return s.wrap(err)
	}
	return s.update(func(tx *bolt.Tx) error {
		room, err := enter(tx, t.Name)
		if err != nil {
			return err
		}
		if _, err := room.slots(order); err != nil {
			return err
		}
		if err := room.bucket.Put([]byte(keyManifest), value); err != nil {
			return err
		}
		ratings := storedRatings{ladder: NewLadder(t.Rating, t.Bots)}
		return room.moveRatings(ratings, order)
	})
}

// Put stores records of a tournament, all in one transaction, which is on the disk when Put returns:
// either all of them are kept or, with an error, none. A match that is stored already stays as it is.
// The stored ratings move on over the slots that are now without a gap from the first. A record that
// does not agree with itself (see Record.Check) or that is not in the schedule is refused.
func (s *Store) Put(name string, order Order, records []Record) error {
	for _, record := range records {
		if err := record.Check(); err != nil {
			return s.wrap(err)
		}
		if _, ok := order.Slot(record.Key); !ok {
			return s.wrap(fmt.Errorf("record of %v: there is no such match in tournament %q", record.Key, name))
		}
	}
	return s.update(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		for _, record := range records {
			if err := room.put(record); err != nil {
				return err
			}
		}
		ratings, err := room.ratings()
		if err != nil {
			return err
		}
		return room.moveRatings(ratings, order)
	})
}

// VoidMatch is a match that came to nothing by a failure of the runner's own. It is played again.
type VoidMatch struct {
	Key
	Number int    // from 1, of the voids of this key
	Reason string // what failed
}

// PutVoid notes that a match was void. It can be so several times, and each is kept.
func (s *Store) PutVoid(name string, key Key, reason string) error {
	if err := key.check(); err != nil {
		return s.wrap(fmt.Errorf("void match %v: %w", key, err))
	}
	return s.update(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		prefix := appendKey(nil, key)
		number := uint32(1)
		cursor := room.voids.Cursor()
		for raw, _ := cursor.Seek(prefix); isNumbered(raw, prefix); raw, _ = cursor.Next() {
			number = binary.BigEndian.Uint32(raw[len(prefix):]) + 1
		}
		raw := binary.BigEndian.AppendUint32(prefix, number)
		return room.voids.Put(raw, encodeVoid(raw, reason))
	})
}

func isNumbered(raw, prefix []byte) bool {
	return bytes.HasPrefix(raw, prefix) && len(raw) == len(prefix)+4
}

// Voids gives the void matches of a tournament, by South, North, pair and number.
func (s *Store) Voids(name string) (voids []VoidMatch, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		keys := newKeyReader()
		return room.voids.ForEach(func(raw, value []byte) error {
			if len(raw) < 4 {
				return fmt.Errorf("%q is not the key of a void match", raw)
			}
			key, err := keys.read(raw[:len(raw)-4])
			if err != nil {
				return err
			}
			reason, err := decodeVoid(key, raw, value)
			if err != nil {
				return err
			}
			number := int(binary.BigEndian.Uint32(raw[len(raw)-4:]))
			voids = append(voids, VoidMatch{Key: key, Number: number, Reason: reason})
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return voids, nil
}

// Done says which slots of the schedule are recorded: that of slot n is at index n-1. It reads only
// keys. Recorded matches that are not in the schedule are an error that names them.
func (s *Store) Done(name string, order Order) (done []bool, err error) {
	done = make([]bool, order.Len())
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		slots, err := room.slots(order)
		for _, slot := range slots {
			done[slot-1] = true
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return done, nil
}

// Slotted is a summary with the place of its match in the schedule.
type Slotted struct {
	Slot int // from 1
	Summary
}

// Summaries gives the summaries of all recorded matches in schedule order. It reads no body. Recorded
// matches that are not in the schedule are an error that names them.
func (s *Store) Summaries(name string, order Order) (summaries []Slotted, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		slots, err := room.slots(order)
		if err != nil {
			return err
		}
		summaries, err = room.place(slots, order.Len())
		return err
	})
	if err != nil {
		return nil, err
	}
	return summaries, nil
}

// Body gives the body of one recorded match.
func (s *Store) Body(name string, key Key) (body Body, err error) {
	if err := key.check(); err != nil {
		return Body{}, s.wrap(fmt.Errorf("match %v: %w", key, err))
	}
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		body, err = room.body(key)
		return err
	})
	return body, err
}

// Ratings gives the stored ratings of a tournament. Over the slots that they cover they equal a
// Ladder's.
func (s *Store) Ratings(name string) (ratings Ratings, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		stored, err := room.ratings()
		if err != nil {
			return err
		}
		ratings = Ratings{Slots: stored.slots, Elo: make(map[string]float64, len(stored.ladder.bots))}
		for _, bot := range stored.ladder.bots {
			ratings.Elo[bot] = stored.ladder.Elo(bot)
		}
		return nil
	})
	return ratings, err
}
