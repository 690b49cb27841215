package results

import (
	"bytes"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// Put stores records of a tournament, all in one transaction, which is on the disk when Put returns:
// either all of them are kept or, with an error, none. A match that is stored already stays as it is.
// Evidence is stored with its record. The stored ratings move on over the slots that are now without a gap
// from the first; of equal matches they have the first alone (see Repeats). A record that does not agree with
// itself (see Record.Check) or that is not in the schedule is refused.
func (s *Store) Put(name string, order Order, records []Record) error {
	for _, record := range records {
		if err := record.Check(); err != nil {
			return s.wrap(err)
		}
		if _, ok := order.Slot(record.Key); !ok {
			return s.wrap(fmt.Errorf("record of %v: there is no such match in tournament %q", record.Key, name))
		}
	}
	return s.updateFold(name, func(room room, last *ratingFold) (*ratingFold, error) {
		for _, record := range records {
			if err := room.put(record); err != nil {
				return nil, err
			}
		}
		fold, err := room.fold(last, order)
		if err != nil {
			return nil, err
		}
		return fold, room.moveRatings(fold, order)
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

// Evidence gives what is kept of a match that a bot lost by a fault, and false where nothing is: of
// other matches, and of those that an earlier sembra recorded.
func (s *Store) Evidence(name string, key Key) (evidence Evidence, found bool, err error) {
	if err := key.check(); err != nil {
		return Evidence{}, false, s.wrap(fmt.Errorf("match %v: %w", key, err))
	}
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		evidence, found, err = room.readEvidence(key)
		return err
	})
	return evidence, found, err
}

// Ratings gives the stored ratings of a tournament. Over the slots that they cover they equal those of a
// Ladder to which every match but the repeats was added; of a tournament that an earlier sembra stored and
// nobody has gone on with, they equal those of one to which every match was.
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
