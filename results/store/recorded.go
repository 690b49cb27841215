package store

import (
	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// Recorded gives the summaries of all recorded matches by their keys, for schedules that follow from
// them. It reads no body.
func (s *Store) Recorded(name string) (recorded map[results.Key]results.Summary, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		room, err := enter(tx, name)
		if err != nil {
			return err
		}
		var damage error
		recorded = room.recorded(func(err error) {
			if damage == nil {
				damage = err
			}
		})
		return damage
	})
	if err != nil {
		return nil, err
	}
	return recorded, nil
}

// recorded reads the summaries that can be read, and tells of the others.
func (r room) recorded(tell func(error)) map[results.Key]results.Summary {
	all := make(map[results.Key]results.Summary)
	keys := newKeyReader()
	cursor := r.summaries.Cursor()
	for raw, value := cursor.First(); raw != nil; raw, value = cursor.Next() {
		var s results.Summary
		var err error
		if s.Key, err = keys.read(raw); err == nil {
			err = decodeSummary(raw, value, &s)
		}
		if err != nil {
			tell(err)
			continue
		}
		all[s.Key] = s
	}
	return all
}
