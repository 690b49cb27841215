package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"sembra/results"
	"sembra/results/schedule"
)

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
func (s *Store) Tournaments() (all []results.Tournament, err error) {
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
func tournaments(tx *bolt.Tx) ([]results.Tournament, error) {
	type numbered struct {
		number uint64
		results.Tournament
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
	all := make([]results.Tournament, len(found))
	for i := range found {
		all[i] = found[i].Tournament
	}
	return all, nil
}

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

// Tournament gives the tournament of a name, or the newest for "". A *UnknownError says that there is
// none.
func (s *Store) Tournament(name string) (results.Tournament, error) {
	all, err := s.Tournaments()
	if err != nil {
		return results.Tournament{}, err
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
	return results.Tournament{}, s.wrap(unknown)
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
func (s *Store) Create(t results.Tournament) error {
	value, err := checkedManifest(t)
	if err != nil {
		return s.wrap(err)
	}
	err = s.update(func(tx *bolt.Tx) error {
		parent := tx.Bucket([]byte(bucketTournaments))
		bucket, err := parent.CreateBucket([]byte(t.Name))
		if errors.Is(err, bolterrors.ErrBucketExists) {
			return fmt.Errorf("there is a tournament %q already", t.Name)
		}
		if err != nil {
			return err
		}
		for _, name := range []string{bucketAbout, bucketSummaries, bucketBodies, bucketVoids, bucketRatings} {
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
		room, err := roomIn(bucket, t.Name)
		if err != nil {
			return err
		}
		if err := room.about.Put([]byte(keyManifest), value); err != nil {
			return err
		}
		return room.writeRatings(results.NewRatingFold(t).Ratings())
	})
	if err == nil {
		s.feed.add(t.Name, wroteTournament)
	}
	return err
}

func checkedManifest(t results.Tournament) ([]byte, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	return encodeTournament(t)
}

// PutIsolation notes what the machine gives for isolation now, in one line, behind what it gave before;
// a line that equals the last one is not noted again.
func (s *Store) PutIsolation(name, line string) error {
	line = strings.ToValidUTF8(line, "\uFFFD")
	err := s.update(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		lines, err := decodeIsolation(name, room.about.Get([]byte(keyIsolation)))
		if err != nil || len(lines) > 0 && lines[len(lines)-1] == line {
			return err
		}
		value, err := encodeIsolation(name, append(lines, line))
		if err != nil {
			return err
		}
		return room.about.Put([]byte(keyIsolation), value)
	})
	if err == nil {
		s.feed.add(name, wroteTournament)
	}
	return err
}

// Isolation gives the lines that PutIsolation noted, in the order in which they were; nil if none was.
func (s *Store) Isolation(name string) (lines []string, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		lines, err = decodeIsolation(name, room.about.Get([]byte(keyIsolation)))
		return err
	})
	return lines, err
}

// Replace stores what Continue has merged, and folds the stored ratings again from the first slot, as
// the schedule has changed. What was noted of isolation stays. Every recorded match must be in the new schedule.
func (s *Store) Replace(t results.Tournament, order *schedule.Schedule) error {
	value, err := checkedManifest(t)
	if err != nil {
		return s.wrap(err)
	}
	err = s.updateFold(t.Name, func(room room, _ *results.RatingFold) (*results.RatingFold, error) {
		if _, err := room.slots(order); err != nil {
			return nil, err
		}
		if err := room.about.Put([]byte(keyManifest), value); err != nil {
			return nil, err
		}
		fold := results.NewRatingFold(t)
		return fold, room.moveRatings(fold, order)
	})
	if err == nil {
		s.feed.add(t.Name, wroteTournament)
	}
	return err
}
