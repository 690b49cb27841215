package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"sembra/engine"
	"sembra/results"
)

// ErrNone says that a file has no tournament.
var ErrNone = errors.New("there is no tournament in it yet: run one first (sembra run)")

// UnknownError says that a file does not have a tournament of that name.
type UnknownError struct{ engine.UnknownError }

// NewUnknownError returns the error for a tournament that is not among the known ones.
func NewUnknownError(name string, known ...string) *UnknownError {
	return &UnknownError{engine.UnknownError{Kind: "tournament", Name: name, Known: known}}
}

// Unwrap returns what is unknown and what is known.
func (e *UnknownError) Unwrap() error { return &e.UnknownError }

// unknown is the error for a tournament that is not among the known ones: an *UnknownError or, if there are none,
// ErrNone.
func unknown(name string, known []results.Tournament) error {
	if len(known) == 0 {
		return ErrNone
	}
	var names []string
	for _, t := range known {
		names = append(names, t.Name)
	}
	return NewUnknownError(name, names...)
}

// manifest is a tournament as it is stored: a line of JSON, and after it the openings of the plan.
type manifest struct {
	Plan     results.Tournament `json:"plan"`
	Number   uint64             `json:"number"`             // in the order of creation, from 1
	Isolated []string           `json:"isolated,omitempty"` // what the machine isolated, in the order of the runs
}

// betweenOpenings is in no text of a position.
const betweenOpenings = "|"

// readManifest reads the manifest of a tournament.
func readManifest(name string, value []byte) (m manifest, err error) {
	openings, err := decodeJSON([]byte(name), value, &m)
	if err == nil && m.Plan.Name != name {
		err = fmt.Errorf("it belongs to tournament %q", m.Plan.Name)
	}
	if err != nil {
		return m, fmt.Errorf("the manifest of tournament %q is damaged: %w", name, err)
	}
	if openings != "" {
		m.Plan.Openings = strings.Split(openings, betweenOpenings)
	}
	return m, nil
}

// manifest reads the manifest of this tournament.
func (b buckets) manifest() (manifest, error) {
	return readManifest(b.name, b.tournaments.Get([]byte(b.name)))
}

// putManifest stores a manifest that a store can keep.
func (b buckets) putManifest(m manifest) error {
	if err := m.Plan.Check(); err != nil {
		return err
	}
	return b.put(b.tournaments, m, strings.Join(m.Plan.Openings, betweenOpenings))
}

// manifests reads the tournaments of a file, in order of creation.
func manifests(tx *bolt.Tx) (all []results.Tournament, err error) {
	var found []manifest
	err = tx.Bucket([]byte(bucketTournaments)).ForEach(func(name, value []byte) error {
		m, err := readManifest(string(name), value)
		found = append(found, m)
		return err
	})
	slices.SortFunc(found, func(a, b manifest) int { return cmp.Compare(a.Number, b.Number) })
	for _, m := range found {
		all = append(all, m.Plan)
	}
	return all, err
}

// Tournaments returns all tournaments in order of creation.
func (s *Store) Tournaments() (all []results.Tournament, err error) {
	err = s.view(func(tx *bolt.Tx) (err error) {
		all, err = manifests(tx)
		return err
	})
	return all, err
}

// newestOf returns the newest tournament of a family. If there is none, it returns the tournament with that name,
// because a plan may name a tournament that has others of its family beside it.
func newestOf(all []results.Tournament, family string) (t results.Tournament, found bool) {
	for _, t := range slices.Backward(all) {
		if t.Family == family {
			return t, true
		}
	}
	at := slices.IndexFunc(all, func(t results.Tournament) bool { return t.Name == family })
	if at < 0 {
		return t, false
	}
	return all[at], true
}

// freshName returns the first of the names "spring", "spring-2", "spring-3" and so on that no tournament
// has, for the family "spring".
func freshName(all []results.Tournament, family string) string {
	name := family
	taken := func(t results.Tournament) bool { return t.Name == name }
	for number := 2; slices.ContainsFunc(all, taken); number++ {
		name = fmt.Sprintf("%s-%d", family, number)
	}
	return name
}

// create makes the buckets of a tournament without records. Its name must not be taken.
func create(tx *bolt.Tx, t results.Tournament) error {
	if err := t.Check(); err != nil {
		return err
	}
	tournaments, name := tx.Bucket([]byte(bucketTournaments)), []byte(t.Name)
	number, err := tournaments.NextSequence()
	if err != nil {
		return err
	}
	in := buckets{name: t.Name, tournaments: tournaments}
	if err := in.putManifest(manifest{Plan: t, Number: number}); err != nil {
		return err
	}
	for _, kind := range []string{bucketSummaries, bucketBodies, bucketVoids} {
		if _, err := tx.Bucket([]byte(kind)).CreateBucket(name); err != nil {
			return err
		}
	}
	return nil
}
