package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/schedule"
)

// TwiceError says that a match cannot be imported, because it is there already.
type TwiceError struct {
	results.Key
	Slot   int  // of the other one, from 1
	Stored bool // the other one is in the file; false: it is among the matches to import
}

// Error names the match.
func (e *TwiceError) Error() string {
	if e.Stored {
		return fmt.Sprintf("the match %v is in the tournament already, as match %d", e.Key, e.Slot)
	}
	return fmt.Sprintf("the match %v is there twice, first as match %d", e.Key, e.Slot)
}

// Import stores matches from elsewhere, all in one transaction: after an error, none of them is stored. They become an
// imported tournament in their order, or follow the matches of the imported tournament that has the plan's name. The
// plan is a tournament of the format results.Imported without bots, because the records name them. Import refuses a
// record that contradicts itself (see Record.Check), and with a *TwiceError one whose key is there already. It does not
// referee matches. An error of records ends it.
func (s *Store) Import(plan results.Tournament, records iter.Seq2[results.Record, error],
) (t results.Tournament, err error) {
	if err := s.checkSound(); err != nil {
		return t, err
	}
	err = s.update(func(tx *bolt.Tx) error {
		in, order, err := importInto(tx, &plan)
		if err != nil {
			return err
		}
		before := order.Len()
		var all []encodedRecord
		for record, err := range records {
			if err != nil {
				return err
			}
			if err := record.Check(); err != nil {
				return err
			}
			if !order.Append(record.Key) {
				slot, _ := order.Slot(record.Key)
				return &TwiceError{Key: record.Key, Slot: slot, Stored: slot <= before}
			}
			encoded, err := encodeRecord(appendKey(nil, record.Key), record)
			if err != nil {
				return err
			}
			all = append(all, encoded)
		}
		if err := in.putSorted(all); err != nil {
			return err
		}
		plan.Bots = order.Bots()
		manifest, err := checkedManifest(plan)
		if err != nil {
			return err
		}
		if err := in.about.Put([]byte(keyManifest), manifest); err != nil {
			return err
		}
		if err := in.putOrder(order); err != nil {
			return err
		}
		return in.extendRatings(results.NewRatingFold(plan), order)
	})
	if err != nil {
		return t, err
	}
	return plan, nil
}

// putSorted stores many records in one transaction, in the order of their keys: in another order, bbolt would move all
// larger keys of the transaction for each new one.
func (b buckets) putSorted(all []encodedRecord) error {
	slices.SortFunc(all, func(a, b encodedRecord) int { return bytes.Compare(a.key, b.key) })
	for _, encoded := range all {
		if err := b.put(encoded); err != nil {
			return err
		}
	}
	return nil
}

// importInto returns the buckets of the imported tournament with the name of the plan, and its matches so far. If there
// is none, it makes the buckets; otherwise the plan becomes that of the stored tournament.
func importInto(tx *bolt.Tx, plan *results.Tournament) (in buckets, order *schedule.Schedule, err error) {
	bucket := tx.Bucket([]byte(bucketTournaments)).Bucket([]byte(plan.Name))
	if bucket == nil {
		in, err = createIn(tx, *plan, nil)
		return in, schedule.New(*plan), err
	}
	old, err := manifest(bucket, plan.Name)
	if err != nil {
		return in, nil, err
	}
	switch {
	case old.Format != results.Imported:
		return in, nil, fmt.Errorf("there is a tournament %q already, and it is not imported "+
			"(hint: give another name)", old.Name)
	case old.Ruleset != plan.Ruleset || old.Rounds != plan.Rounds:
		return in, nil, fmt.Errorf("the imported tournament %q has matches of %s with at most %d rounds, not of %s "+
			"with at most %d (hint: give another name)", old.Name, old.Ruleset, old.Rounds, plan.Ruleset, plan.Rounds)
	}
	*plan, order = old, schedule.New(old)
	if in, err = bucketsIn(bucket, old.Name); err != nil {
		return in, nil, err
	}
	return in, order, in.readOrder(order)
}

// orderKey is the key of the checksum of the order of a tournament's matches.
func orderKey(tournament string) []byte { return []byte(tournament + "\x00" + keyOrder) }

// putOrder stores the order of an imported tournament's matches: for each match the places of South and of North among
// the bots, from 0, and the pair, as uvarints.
func (b buckets) putOrder(order *schedule.Schedule) error {
	at := make(map[string]uint64)
	for i, bot := range order.Bots() {
		at[bot] = uint64(i)
	}
	value := append(make([]byte, 0, 8*order.Len()+8), valueVersion)
	for slot := 1; slot <= order.Len(); slot++ {
		key := order.Key(slot)
		for _, number := range []uint64{at[key.South], at[key.North], uint64(key.Pair)} {
			value = binary.AppendUvarint(value, number)
		}
	}
	return b.about.Put([]byte(keyOrder), seal(orderKey(b.name), value))
}

// readOrder reads the order of an imported tournament's matches into its schedule.
func (b buckets) readOrder(order *schedule.Schedule) error {
	payload, err := unseal(orderKey(b.name), b.about.Get([]byte(keyOrder)))
	for err == nil && len(payload) > 0 {
		var key results.Key
		if key, payload, err = readListed(order.Bots(), payload); err == nil && !order.Append(key) {
			err = fmt.Errorf("the match %v is there twice", key)
		}
	}
	if err != nil {
		return fmt.Errorf("damaged: the order of the matches of tournament %q: %w", b.name, err)
	}
	return nil
}

// readListed reads the next match of an order.
func readListed(bots []string, payload []byte) (key results.Key, rest []byte, err error) {
	var numbers [3]uint64
	for i := range numbers {
		number, size := binary.Uvarint(payload)
		if size <= 0 {
			return key, nil, errShort
		}
		numbers[i], payload = number, payload[size:]
	}
	south, north, most := numbers[0], numbers[1], uint64(len(bots))
	if south >= most || north >= most {
		return key, nil, errors.New("it names a bot that is not in the tournament")
	}
	key = results.Key{South: bots[south], North: bots[north], Pair: int(min(numbers[2], 1<<40))}
	return key, payload, key.Check()
}
