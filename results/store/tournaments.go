package store

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"sembra/results"
)

// UnknownError says that a file has no tournament with a name.
type UnknownError struct {
	Name  string   // "" if any tournament was wanted
	Known []string // in order of creation
}

// Error lists the tournaments that are known.
func (e *UnknownError) Error() string {
	if len(e.Known) == 0 {
		return "there is no tournament in it yet: run one first (sembra run)"
	}
	return fmt.Sprintf("there is no tournament %q in it (known: %s)", e.Name, strings.Join(e.Known, ", "))
}

func unknown(name string, known []results.Tournament) *UnknownError {
	e := &UnknownError{Name: name}
	for _, t := range known {
		e.Known = append(e.Known, t.Name)
	}
	return e
}

// Tournaments returns all tournaments in order of creation.
func (s *Store) Tournaments() (all []results.Tournament, err error) {
	err = s.view(func(tx *bolt.Tx) (err error) {
		all, err = tournaments(tx)
		return err
	})
	return all, err
}

// tournaments reads the manifests of all tournaments, in order of creation.
func tournaments(tx *bolt.Tx) ([]results.Tournament, error) {
	type numbered struct {
		number uint64
		results.Tournament
	}
	var found []numbered
	parent := tx.Bucket([]byte(bucketTournaments))
	if parent == nil {
		return nil, errPartMissing
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
	slices.SortFunc(found, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	all := make([]results.Tournament, len(found))
	for i := range found {
		all[i] = found[i].Tournament
	}
	return all, nil
}

// manifest reads the manifest of a tournament from its bucket, other parts of which may be missing.
func manifest(bucket *bolt.Bucket, name string) (results.Tournament, error) {
	var value []byte
	if about := bucket.Bucket([]byte(bucketAbout)); about != nil {
		value = about.Get([]byte(keyManifest))
	}
	if value == nil {
		return results.Tournament{}, fmt.Errorf("the manifest of tournament %q is missing", name)
	}
	return decodeTournament(name, value)
}

// Tournament returns the tournament with a name, or the newest one for "". A *UnknownError says that
// there is none.
func (s *Store) Tournament(name string) (results.Tournament, error) {
	all, err := s.Tournaments()
	if err != nil {
		return results.Tournament{}, err
	}
	for _, t := range slices.Backward(all) {
		if name == "" || t.Name == name {
			return t, nil
		}
	}
	return results.Tournament{}, s.wrap(unknown(name, all))
}

// newest finds the newest tournament of a family. If there is none, it finds the tournament with that
// name, because a plan may name a tournament that has others of its family beside it.
func (s *Store) newest(family string) (t results.Tournament, found bool, err error) {
	all, err := s.Tournaments()
	if err != nil {
		return results.Tournament{}, false, err
	}
	for _, t := range slices.Backward(all) {
		if t.Family == family {
			return t, true, nil
		}
	}
	for _, t := range all {
		if t.Name == family {
			return t, true, nil
		}
	}
	return results.Tournament{}, false, nil
}

// freshName returns the first of the names "spring", "spring-2", "spring-3" and so on that no tournament
// has, for the family "spring".
func (s *Store) freshName(family string) (string, error) {
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

// create stores a tournament without records. Its name must not be taken.
func (s *Store) create(t results.Tournament) error {
	value, err := checkedManifest(t)
	if err != nil {
		return s.wrap(err)
	}
	return s.update(func(tx *bolt.Tx) error {
		_, err := createIn(tx, t, value)
		return err
	})
}

// createIn makes the buckets of a tournament without records.
func createIn(tx *bolt.Tx, t results.Tournament, manifest []byte) (in buckets, err error) {
	parent := tx.Bucket([]byte(bucketTournaments))
	bucket, err := parent.CreateBucket([]byte(t.Name))
	if errors.Is(err, bolterrors.ErrBucketExists) {
		return in, fmt.Errorf("there is a tournament %q already", t.Name)
	}
	if err != nil {
		return in, err
	}
	for _, name := range []string{bucketAbout, bucketSummaries, bucketBodies, bucketVoids, bucketRatings} {
		if _, err := bucket.CreateBucket([]byte(name)); err != nil {
			return in, err
		}
	}
	number, err := parent.NextSequence()
	if err != nil {
		return in, err
	}
	if err := bucket.Put([]byte(keyNumber), binary.BigEndian.AppendUint64(nil, number)); err != nil {
		return in, err
	}
	if in, err = bucketsIn(bucket, t.Name); err != nil {
		return in, err
	}
	if err := in.about.Put([]byte(keyManifest), manifest); err != nil {
		return in, err
	}
	return in, in.putRatings(results.NewRatingFold(t).Ratings())
}

func checkedManifest(t results.Tournament) ([]byte, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	return encodeJSON([]byte(t.Name), t)
}
