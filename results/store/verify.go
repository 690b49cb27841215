package store

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/schedule"
)

// Difference is one thing in a file that is not as it should be.
type Difference struct {
	Tournament string      // "" where it is the file's own
	Slot       int         // of the match in the schedule; 0 where it has none, or it is of no match
	Key        results.Key // of the match; zero where it is of none
	What       string
}

// String says the difference on one line: "spring: match 12 (a - b, pair 3): its hash is wrong".
func (d Difference) String() string {
	line := d.What
	switch {
	case d.Slot > 0:
		line = fmt.Sprintf("match %d (%s): %s", d.Slot, d.Key, line)
	case d.Key != results.Key{}:
		line = fmt.Sprintf("match %s: %s", d.Key, line)
	}
	if d.Tournament != "" {
		line = d.Tournament + ": " + line
	}
	return results.Visible([]byte(line), 0)
}

// Verification is what is to be verified, and who is told of it.
type Verification struct {
	Tournament string                // its name; "" is every tournament of the file
	Workers    int                   // matches looked at at once; at least 1
	Tell       func(Difference)      // called once a difference, in schedule order within a tournament
	Progress   func(done, total int) // called now and then with the number of matches; may be nil

	keysAtOnce int // read in one transaction; 0 is 1000
}

// Verified is what was looked at.
type Verified struct {
	Tournaments, Matches int
	Differences          int
}

// Verify referees every recorded match again, folds the ratings again and looks at every checksum. It
// goes on after a difference; only where the pages of the file do not hang together does it stop there,
// as nothing that is read from such a file means anything. Its error says that a tournament is unknown
// or that the file could not be read any further. Nothing may be written to the file meanwhile.
//
// What cannot be told from the rest of a record is taken as it is: the scores, the seeds and the
// processor times. They have their checksums.
func (s *Store) Verify(v Verification) (Verified, error) {
	v.keysAtOnce = cmp.Or(v.keysAtOnce, 1000)
	a := audit{store: s, Verification: v}
	if s.db.IsReadOnly() { // else it was done when the file was opened
		if err := s.checkFile(); err != nil {
			a.tell(Difference{What: err.Error()})
			return a.verified, nil
		}
	}
	if err := a.list(); err != nil {
		return a.verified, err
	}
	for _, d := range a.dockets {
		if err := a.index(d); err != nil {
			return a.verified, err
		}
		a.total += d.matches
	}
	for _, d := range a.dockets {
		if err := a.hear(d); err != nil {
			return a.verified, err
		}
		a.verified.Tournaments++
	}
	return a.verified, nil
}

// checkFile looks at every page of the file.
func (s *Store) checkFile() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	if err := checkPages(s.file, info.Size(), true); err != nil {
		return err
	}
	return checkMetas(s.file, info.Size())
}

// audit is one verification under way.
type audit struct {
	Verification
	store       *Store
	dockets     []*docket
	done, total int // matches
	verified    Verified
}

func (a *audit) tell(d Difference) {
	a.verified.Differences++
	a.Tell(d)
}

// heard counts matches that were looked at.
func (a *audit) heard(matches int) {
	a.verified.Matches += matches
	a.done += matches
	if a.Progress != nil {
		a.Progress(a.done, a.total)
	}
}

// docket is a tournament that is verified.
type docket struct {
	name    string
	about   *results.Tournament // nil where the manifest cannot be used
	order   *schedule.Schedule  // nil without about
	parts   []presence          // of the match in each slot, that of slot n at index n-1
	matches int                 // recorded

	unplaced map[results.Key]bool // matches of a schedule that follows from its records, which has no slot for them
}

// presence says which parts of a match are there.
type presence uint8

const (
	hasSummary presence = 1 << iota
	hasBody
	hasEvidence
)

// tellOf tells of a difference of the tournament itself.
func (a *audit) tellOf(d *docket, format string, args ...any) {
	a.tell(Difference{Tournament: d.name, What: fmt.Sprintf(format, args...)})
}

// list finds the tournaments and looks at what is around them.
func (a *audit) list() error {
	return a.store.view(func(tx *bolt.Tx) error {
		a.strangers(tx.Cursor(), "", []string{bucketOurs, bucketTournaments})
		a.strangers(tx.Bucket([]byte(bucketOurs)).Cursor(), "", []string{keySchema})
		parent := tx.Bucket([]byte(bucketTournaments))
		unknown := &UnknownError{Name: a.Tournament}
		numbers := make(map[uint64]bool)
		err := parent.ForEach(func(raw, value []byte) error {
			name := string(raw)
			if value != nil {
				a.tell(Difference{What: fmt.Sprintf("%q is there among the tournaments and is none", name)})
				return nil
			}
			unknown.Known = append(unknown.Known, name)
			var number uint64
			if stored := parent.Bucket(raw).Get([]byte(keyNumber)); len(stored) == 8 {
				number = binary.BigEndian.Uint64(stored)
			}
			if number < 1 || number > parent.Sequence() || numbers[number] {
				a.tell(Difference{Tournament: name, What: "its number in the order of creation is damaged"})
			}
			numbers[number] = true
			if a.Tournament == "" || a.Tournament == name {
				a.open(parent.Bucket(raw), name)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(unknown.Known) == 0 || a.Tournament != "" && !slices.Contains(unknown.Known, a.Tournament) {
			return unknown
		}
		return nil
	})
}

// strangers tells of what is in a bucket and does not belong there.
func (a *audit) strangers(cursor *bolt.Cursor, tournament string, known []string) {
	for raw, _ := cursor.First(); raw != nil; raw, _ = cursor.Next() {
		if !slices.Contains(known, string(raw)) {
			a.tell(Difference{Tournament: tournament, What: fmt.Sprintf("a part that does not belong there: %.40q", raw)})
		}
	}
}

// open puts a tournament on the list, if all its parts are there.
func (a *audit) open(bucket *bolt.Bucket, name string) {
	d := &docket{name: name, unplaced: make(map[results.Key]bool)}
	a.strangers(bucket.Cursor(), name, []string{
		keyNumber, bucketAbout, bucketSummaries, bucketBodies, bucketEvidence, bucketVoids, bucketRatings,
	})
	r, err := roomIn(bucket, name)
	if err != nil {
		a.tellOf(d, "a part of it is missing")
		return
	}
	a.strangers(r.about.Cursor(), name, []string{keyManifest, keyIsolation})
	a.strangers(r.folded.Cursor(), name, []string{keyElo})
	a.dockets = append(a.dockets, d)
	if _, err := decodeIsolation(name, r.about.Get([]byte(keyIsolation))); err != nil {
		a.tellOf(d, "%v", err)
	}
	t, err := manifest(bucket, name)
	if err != nil {
		a.tellOf(d, "%v", err)
		return
	}
	if err := t.Check(); err != nil {
		a.tellOf(d, "the manifest: %v", errors.Unwrap(err))
		return
	}
	d.about = &t
	d.order = schedule.New(t)
	if schedule.Grows(t) {
		d.order.Follow(r.recorded(func(error) {})) // of those whose summaries can be read
	}
	d.parts = make([]presence, d.order.Len())
}

// scan gives all entries of a bucket of a tournament, some in a transaction. What it gives is gone when
// visit returns.
func (a *audit) scan(d *docket, of func(room) *bolt.Bucket, visit func(raw, value []byte)) error {
	var last []byte
	for more := true; more; {
		err := a.store.view(func(tx *bolt.Tx) error {
			room, err := enter(tx, d.name)
			if err != nil {
				return err
			}
			bucket := of(room)
			if bucket == nil {
				more = false
				return nil
			}
			cursor := bucket.Cursor()
			raw, value := cursor.Seek(last)
			if last != nil && string(raw) == string(last) {
				raw, value = cursor.Next()
			}
			for count := 0; raw != nil && count < a.keysAtOnce; count++ {
				visit(raw, value)
				last = append(last[:0], raw...)
				raw, value = cursor.Next()
			}
			more = raw != nil
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// index notes which parts of which matches are there, and tells of those that have no slot. Without a
// schedule it looks at the checksums, as that is all that can be done.
func (a *audit) index(d *docket) error {
	for _, shelf := range []struct {
		what   string
		part   presence
		of     func(room) *bolt.Bucket
		decode func(key results.Key, raw, value []byte) error
	}{
		{"a summary", hasSummary, func(r room) *bolt.Bucket { return r.summaries }, func(key results.Key, raw, value []byte) error {
			s := results.Summary{Key: key}
			return decodeSummary(raw, value, &s)
		}},
		{"a body", hasBody, func(r room) *bolt.Bucket { return r.bodies }, func(key results.Key, raw, value []byte) error {
			_, err := decodeBody(key, raw, value)
			return err
		}},
		{"evidence", hasEvidence, func(r room) *bolt.Bucket { return r.evidence }, func(key results.Key, raw, value []byte) error {
			_, err := decodeEvidence(key, raw, value)
			return err
		}},
	} {
		keys := newKeyReader()
		err := a.scan(d, shelf.of, func(raw, value []byte) {
			key, err := keys.read(raw)
			if err != nil {
				a.tellOf(d, "%s has a bad key: %v", shelf.what, err)
				return
			}
			if d.order == nil {
				if shelf.part == hasSummary {
					d.matches++
				}
				if err := shelf.decode(key, raw, value); err != nil {
					a.tellOf(d, "%v", err)
				}
				return
			}
			slot, ok := d.order.Slot(key)
			if !ok && d.about.Staged() {
				d.unplaced[key] = true
				return
			}
			if !ok || slot < 1 || slot > len(d.parts) {
				a.tell(Difference{Tournament: d.name, Key: key, What: fmt.Sprintf("there is %s of it, and it is not in the schedule", shelf.what)})
				return
			}
			if d.parts[slot-1] == 0 {
				d.matches++
			}
			d.parts[slot-1] |= shelf.part
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// hear looks at a tournament that is indexed.
func (a *audit) hear(d *docket) error {
	var fold *results.RatingFold
	if d.order == nil {
		a.heard(d.matches)
	} else {
		var err error
		if fold, err = a.hearMatches(d); err != nil {
			return err
		}
	}
	if err := a.hearVoids(d); err != nil {
		return err
	}
	a.tellUnplaced(d)
	return a.hearRatings(d, fold)
}

// tellUnplaced tells of the matches that have no slot, in one line, as one that is damaged takes those of
// all stages after it along. They are not refereed.
func (a *audit) tellUnplaced(d *docket) {
	if len(d.unplaced) == 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(d.unplaced), func(a, b results.Key) int {
		return cmp.Or(cmp.Compare(a.Pair, b.Pair), cmp.Compare(a.South, b.South), cmp.Compare(a.North, b.North))
	})
	a.tellOf(d, "matches have no place in the schedule as it follows from those before them, and were not looked at (%d: %s)",
		len(keys), listKeys(keys))
}

// hearVoids looks at the notes of void matches.
func (a *audit) hearVoids(d *docket) error {
	keys := newKeyReader()
	var before results.VoidMatch
	return a.scan(d, func(r room) *bolt.Bucket { return r.voids }, func(raw, value []byte) {
		if len(raw) < 4 {
			a.tellOf(d, "%q is not the key of a void match", raw)
			return
		}
		key, err := keys.read(raw[:len(raw)-4])
		if err != nil {
			a.tellOf(d, "the note of a void match has a bad key: %v", err)
			return
		}
		if _, err := decodeVoid(key, raw, value); err != nil {
			a.tellOf(d, "%v", err)
		}
		void := results.VoidMatch{Key: key, Number: int(binary.BigEndian.Uint32(raw[len(raw)-4:]))}
		if want := before.Number + 1; void.Key == before.Key && void.Number != want || void.Key != before.Key && void.Number != 1 {
			a.tellOf(d, "notes of void matches before number %d of %v are missing", void.Number, void.Key)
		}
		before = void
		if d.order != nil {
			if _, ok := d.order.Slot(void.Key); !ok && d.about.Staged() {
				d.unplaced[void.Key] = true
			} else if !ok {
				a.tell(Difference{Tournament: d.name, Key: void.Key, What: "it is noted as void, and is not in the schedule"})
			}
		}
	})
}

// hearRatings compares the stored ratings with the fold over the unbroken run of slots.
func (a *audit) hearRatings(d *docket, fold *results.RatingFold) error {
	var got results.Ratings
	var damage error
	err := a.store.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, d.name)
		if err == nil {
			got, damage = room.ratings()
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case damage != nil:
		a.tellOf(d, "%v", damage)
		return nil
	case d.order == nil:
		return nil
	}
	want := fold.Ratings()
	switch {
	case got.Rating != want.Rating:
		a.tellOf(d, "the stored ratings start at %v with K %v, and the manifest says %v and %v",
			got.Rating.Start, got.Rating.K, want.Rating.Start, want.Rating.K)
		return nil
	case got.Slots > want.Slots:
		a.tellOf(d, "the stored ratings are of %s, and match %d is missing or damaged", firstMatches(got.Slots), want.Slots+1)
		return nil
	case got.Slots < want.Slots:
		a.tellOf(d, "the stored ratings are of %s, and %s are there", firstMatches(got.Slots), firstMatches(want.Slots))
		return nil
	case !slices.Equal(got.Bots, want.Bots):
		a.tellOf(d, "the stored ratings are of the bots %q, and those of the tournament are %q", got.Bots, want.Bots)
		return nil
	}
	for i, bot := range want.Bots {
		if math.Float64bits(got.Elo[i]) != math.Float64bits(want.Elo[i]) {
			a.tellOf(d, "the stored rating of %s is %v, and its matches make it %v", bot, got.Elo[i], want.Elo[i])
		}
	}
	return nil
}

func firstMatches(n int) string {
	switch n {
	case 0:
		return "no match"
	case 1:
		return "the first match"
	}
	return fmt.Sprintf("the first %d matches", n)
}
