package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/safe"
)

// Difference is one thing in a file that is not as it should be.
type Difference struct {
	Tournament string      // "" if it concerns the whole file
	Number     int         // of the match in the schedule, from 1; 0 if it concerns no match or one without a number
	Key        results.Key // of the match; zero if it concerns no match
	What       string
}

// String returns the difference as one line: "spring: match 12 (a - b, pair 3): its hash is wrong".
func (d Difference) String() string {
	line := d.What
	switch {
	case d.Number > 0:
		line = fmt.Sprintf("match %d (%s): %s", d.Number, d.Key, line)
	case d.Key != results.Key{}:
		line = fmt.Sprintf("match %s: %s", d.Key, line)
	}
	if d.Tournament != "" {
		line = d.Tournament + ": " + line
	}
	return safe.Line(strings.TrimSpace(line))
}

// Verification says what to verify, and receives the result.
type Verification struct {
	Tournament string                // the name of a tournament; "": all of the file
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
// Scores, seeds and CPU times do not follow from the rest of a record, so only their checksums are
// verified.
func (s *Store) Verify(v Verification) (Verified, error) {
	if s.run == nil { // otherwise opening the file checked it
		damage, err := s.check()
		if err != nil {
			return Verified{}, err
		}
		if damage != nil {
			v.Tell(Difference{What: damage.Error()})
			return Verified{Differences: 1}, nil
		}
	}
	return s.verify(v, true)
}

// checkSound checks what may be damaged in a file whose pages form a tree, before anything is written: all that Verify
// checks, except that it referees no match, which takes much longer.
func (s *Store) checkSound() error {
	var damage error
	tell := func(d Difference) { damage = cmp.Or(damage, errors.New(d.String())) }
	_, err := s.verify(Verification{Tell: tell}, false)
	if errors.Is(err, ErrNone) {
		err = nil // nothing was run yet
	}
	if err = cmp.Or(err, damage); err != nil {
		const refused = "%w, so nothing is written to it (hint: sembra verify --db %s lists all damage)"
		return fmt.Errorf(refused, s.wrap(err), s.path)
	}
	return nil
}

// verify is Verify after the check of the pages. Without referee, it plays no match again.
func (s *Store) verify(v Verification, referee bool) (Verified, error) {
	r := verifier{Verification: v, store: s, referee: referee}
	defer r.flush()
	var tournaments []*tournamentCheck
	err := s.view(func(tx *bolt.Tx) (err error) {
		tournaments, err = r.list(tx)
		return err
	})
	for _, t := range tournaments {
		if err != nil {
			break
		}
		r.flush()
		err = t.verify()
		r.verified.Tournaments++
	}
	return r.verified, err
}

// verifier is a verification under way.
type verifier struct {
	Verification
	store    *Store
	referee  bool
	total    int // matches
	verified Verified
	pending  []Difference // not told yet
}

func (v *verifier) report(d Difference) {
	v.verified.Differences++
	v.pending = append(v.pending, d)
}

// flush reports the differences. No transaction may be open, because whoever is told may take long.
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

// list finds the tournaments to verify with what is stored of them, and checks what is around them.
func (v *verifier) list(tx *bolt.Tx) (wanted []*tournamentCheck, err error) {
	v.reportUnknown(tx.Cursor(), topBuckets())
	v.reportUnknown(tx.Bucket([]byte(bucketOurs)).Cursor(), []string{keySchema})
	var known []string
	tournaments := tx.Bucket([]byte(bucketTournaments))
	err = tournaments.ForEach(func(raw, value []byte) error {
		name := string(raw)
		known = append(known, name)
		if v.Tournament != "" && v.Tournament != name {
			return nil
		}
		t := &tournamentCheck{verifier: v, name: name}
		in, err := bucketsIn(tx, name)
		if err != nil {
			t.reportf("a part of it is missing")
		} else if err := t.open(in); err != nil {
			t.reportf("%v", err)
		} else {
			t.index(in)
			v.total += len(t.numbers)
			wanted = append(wanted, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, kind := range topBuckets()[2:] {
		v.reportUnknown(tx.Bucket([]byte(kind)).Cursor(), known)
	}
	switch {
	case len(known) == 0:
		return nil, ErrNone
	case v.Tournament != "" && !slices.Contains(known, v.Tournament):
		return nil, NewUnknownError(v.Tournament, known...)
	}
	return wanted, nil
}

// reportUnknown reports what is in a bucket beside its known parts.
func (v *verifier) reportUnknown(cursor *bolt.Cursor, known []string) {
	for raw, _ := cursor.First(); raw != nil; raw, _ = cursor.Next() {
		if !slices.Contains(known, string(raw)) {
			v.report(Difference{What: fmt.Sprintf("it has an unknown part: %.40q", raw)})
		}
	}
}
