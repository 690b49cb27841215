package store

import (
	"bytes"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/schedule"
)

// Put stores records of a tournament, all in one transaction, which is on the disk when Put returns:
// either all of them are kept or, with an error, none. A match that is stored already stays as it is.
// Evidence is stored with its record. The stored ratings move on over the slots that are now without a gap
// from the first; of equal matches they have the first alone (see Repeats). A record that does not agree with
// itself (see Record.Check) or that is not in the schedule is refused.
func (s *Store) Put(name string, order *schedule.Schedule, records []results.Record) error {
	for _, record := range records {
		if err := record.Check(); err != nil {
			return s.wrap(err)
		}
		if _, ok := order.Slot(record.Key); !ok {
			return s.wrap(fmt.Errorf("record of %v: there is no such match in tournament %q", record.Key, name))
		}
	}
	var fresh []results.Key
	err := s.updateFold(name, func(room room, last *results.RatingFold) (*results.RatingFold, error) {
		for _, record := range records {
			isNew, err := room.put(record)
			if err != nil {
				return nil, err
			}
			if isNew {
				fresh = append(fresh, record.Key)
			}
		}
		fold, err := room.fold(last, order)
		if err != nil {
			return nil, err
		}
		return fold, room.moveRatings(fold, order)
	})
	if err == nil {
		s.feed.add(name, wroteRecord, fresh...)
	}
	return err
}

// PutVoid notes that a match was void. It can be so several times, and each is kept.
func (s *Store) PutVoid(name string, key results.Key, reason string) error {
	if err := key.Check(); err != nil {
		return s.wrap(fmt.Errorf("void match %v: %w", key, err))
	}
	err := s.update(func(tx *bolt.Tx) error {
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
	if err == nil {
		s.feed.add(name, wroteVoid, key)
	}
	return err
}

func isNumbered(raw, prefix []byte) bool {
	return bytes.HasPrefix(raw, prefix) && len(raw) == len(prefix)+4
}

// Voids gives the void matches of a tournament, by South, North, pair and number.
func (s *Store) Voids(name string) (voids []results.VoidMatch, err error) {
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
			voids = append(voids, results.VoidMatch{Key: key, Number: number, Reason: reason})
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
func (s *Store) Done(name string, order *schedule.Schedule) (done []bool, err error) {
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

// Summaries gives the summaries of all recorded matches in schedule order. It reads no body. Recorded
// matches that are not in the schedule are an error that names them.
func (s *Store) Summaries(name string, order *schedule.Schedule) (summaries []results.Slotted, err error) {
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

// Record reads one match, with its evidence; found is false where it is not recorded.
func (s *Store) Record(name string, key results.Key) (record results.Record, found bool, err error) {
	if err := key.Check(); err != nil {
		return results.Record{}, false, s.wrap(fmt.Errorf("match %v: %w", key, err))
	}
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		if record.Summary, found, err = room.summary(key); err != nil || !found {
			return err
		}
		if record.Body, err = room.body(key); err != nil {
			return err
		}
		evidence, blamed, err := room.readEvidence(key)
		if blamed {
			record.Evidence = &evidence
		}
		return err
	})
	return record, found && err == nil, err
}

// Ratings gives the stored ratings of a tournament. Over the slots that they cover they equal what a
// RatingFold comes to.
func (s *Store) Ratings(name string) (ratings results.Ratings, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err == nil {
			ratings, err = room.ratings()
		}
		return err
	})
	return ratings, err
}
