package store

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// Difference is one thing in a file that is not as it should be.
type Difference struct {
	Tournament string      // "" if it concerns the whole file
	Slot       int         // of the match in the schedule, from 1; 0 if it concerns no match or one without a slot
	Key        results.Key // of the match; zero if it concerns no match
	What       string
}

// String returns the difference as one line: "spring: match 12 (a - b, pair 3): its hash is wrong".
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

// Verification says what to verify, and receives the result.
type Verification struct {
	Tournament string                // the name of a tournament; "": all of the file
	Workers    int                   // matches refereed at the same time, at least 1
	Tell       func(Difference)      // called for each difference, in schedule order within a tournament
	Progress   func(done, total int) // called from time to time with numbers of matches; may be nil
}

// Verified counts what was verified.
type Verified struct {
	Tournaments, Matches int
	Differences          int
}

// Verify referees every recorded match again, computes the ratings again and checks every checksum. It
// continues after a difference, except after damage to the pages of the file, because then nothing
// that it reads can be trusted. The error says that a tournament is unknown, or that the file could not be
// read any further. A run may write matches meanwhile: it verifies those that were stored when it began.
//
// Scores, seeds and processor times do not follow from the rest of a record, so only their checksums are
// verified.
func (s *Store) Verify(v Verification) (Verified, error) {
	r := verifier{Verification: v, store: s}
	defer r.flush()
	if s.run == nil { // otherwise opening the file checked it
		var damage error
		err := s.withFile(true, func(file *os.File) error {
			damage = checkFile(file)
			return nil
		})
		if err != nil {
			return r.verified, err
		}
		if damage != nil {
			r.report(Difference{What: damage.Error()})
			return r.verified, nil
		}
	}
	var tournaments []*tournamentCheck
	err := s.view(func(tx *bolt.Tx) (err error) {
		tournaments, err = r.list(tx)
		for _, t := range tournaments {
			if err == nil {
				err = inBuckets(tx, t.name, t.index)
			}
			r.total += t.matches
		}
		return err
	})
	if err != nil {
		return r.verified, err
	}
	r.flush()
	for _, t := range tournaments {
		if err := t.verify(); err != nil {
			return r.verified, err
		}
		r.verified.Tournaments++
	}
	return r.verified, nil
}

// checkFile checks every page of a file.
func checkFile(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := checkPages(file, info.Size(), true); err != nil {
		return err
	}
	return checkMetas(file)
}

// verifier is a verification under way.
type verifier struct {
	Verification
	store    *Store
	total    int // matches
	verified Verified
	pending  []Difference // not told yet
}

func (v *verifier) report(d Difference) {
	v.verified.Differences++
	v.pending = append(v.pending, d)
}

// flush tells the differences. No transaction may be open, because whoever is told may take long.
func (v *verifier) flush() {
	for _, d := range v.pending {
		v.Tell(d)
	}
	v.pending = nil
}

// count adds matches that were verified.
func (v *verifier) count(matches int) {
	v.flush()
	v.verified.Matches += matches
	if v.Progress != nil {
		v.Progress(v.verified.Matches, v.total)
	}
}

// list finds the tournaments to verify, and checks what is around them.
func (v *verifier) list(tx *bolt.Tx) (wanted []*tournamentCheck, err error) {
	v.reportUnknown(tx.Cursor(), "", bucketOurs, bucketTournaments)
	v.reportUnknown(tx.Bucket([]byte(bucketOurs)).Cursor(), "", keySchema)
	parent := tx.Bucket([]byte(bucketTournaments))
	unknown := &UnknownError{Name: v.Tournament}
	numbers := make(map[uint64]bool)
	err = parent.ForEach(func(raw, value []byte) error {
		name := string(raw)
		if value != nil {
			v.report(Difference{What: fmt.Sprintf("%q is among the tournaments, but it is not a tournament", name)})
			return nil
		}
		unknown.Known = append(unknown.Known, name)
		var number uint64
		if stored := parent.Bucket(raw).Get([]byte(keyNumber)); len(stored) == 8 {
			number = binary.BigEndian.Uint64(stored)
		}
		if number < 1 || number > parent.Sequence() || numbers[number] {
			v.report(Difference{Tournament: name, What: "its number in the order of creation is damaged"})
		}
		numbers[number] = true
		if v.Tournament != "" && v.Tournament != name {
			return nil
		}
		t := &tournamentCheck{verifier: v, name: name, unplaced: make(map[results.Key]bool)}
		if err := t.open(parent.Bucket(raw)); err != nil {
			t.reportf("%v", err)
		}
		if t.complete {
			wanted = append(wanted, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(unknown.Known) == 0 || v.Tournament != "" && !slices.Contains(unknown.Known, v.Tournament) {
		return nil, unknown
	}
	return wanted, nil
}

// reportUnknown reports what is in a bucket beside its known parts.
func (v *verifier) reportUnknown(cursor *bolt.Cursor, tournament string, known ...string) {
	for raw, _ := cursor.First(); raw != nil; raw, _ = cursor.Next() {
		if !slices.Contains(known, string(raw)) {
			v.report(Difference{Tournament: tournament, What: fmt.Sprintf("it has an unknown part: %.40q", raw)})
		}
	}
}
