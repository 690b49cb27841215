package store

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"sembra/results"
)

// PutVoid notes that a match has no result because of a fault of the runner, and why. A match can be void
// several times; each time is kept.
func (b *Records) PutVoid(key results.Key, reason string) error {
	if err := key.Check(); err != nil {
		return b.store.wrap(fmt.Errorf("void match %v: %w", key, err))
	}
	if err := b.prepare(); err != nil {
		return err
	}
	return b.update(func(in buckets) error {
		prefix := appendKey(nil, key)
		number := uint32(1)
		cursor := in.voids.Cursor()
		for raw, _ := cursor.Seek(prefix); isNumbered(raw, prefix); raw, _ = cursor.Next() {
			number = binary.BigEndian.Uint32(raw[len(prefix):]) + 1
		}
		raw := binary.BigEndian.AppendUint32(prefix, number)
		return in.voids.Put(raw, seal(raw, append([]byte{valueVersion}, reason...)))
	})
}

func isNumbered(raw, prefix []byte) bool {
	return bytes.HasPrefix(raw, prefix) && len(raw) == len(prefix)+4
}

// readVoid reads a void match.
func readVoid(raw, value []byte) (void results.VoidMatch, err error) {
	if len(raw) < 4 {
		return void, fmt.Errorf("%q is not the key of a void match", raw)
	}
	prefix, number := raw[:len(raw)-4], raw[len(raw)-4:]
	if void.Key, err = readKey(prefix); err != nil {
		return void, fmt.Errorf("the note of a void match has a bad key: %w", err)
	}
	void.Attempt = int(binary.BigEndian.Uint32(number))
	reason, err := unseal(raw, value)
	if err != nil {
		return void, fmt.Errorf("the note of a void match, %v, is damaged: %w", void.Key, err)
	}
	void.Reason = string(reason)
	return void, nil
}

// SelectVoids returns the void matches of the schedule that pass a filter, sorted by South, North, pair and number.
func (b *Records) SelectVoids(filter results.Filter) (voids []results.VoidMatch, err error) {
	err = b.view(func(in buckets) error {
		return in.voids.ForEach(func(raw, value []byte) error {
			void, err := readVoid(raw, value)
			if err != nil {
				return err
			}
			var ok bool
			void.Number, ok = b.Schedule.Number(void.Key)
			summary := results.Summary{Key: void.Key, Result: results.Void}
			if ok && filter.Passes(results.Numbered{Number: void.Number, Summary: summary}) {
				voids = append(voids, void)
			}
			return nil
		})
	})
	return voids, err
}
