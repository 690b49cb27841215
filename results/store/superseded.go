package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/schedule"
)

// appendGeneration appends to the key of a match the number of the replacement that superseded it.
func appendGeneration(raw []byte, generation int) []byte {
	return binary.BigEndian.AppendUint32(raw, uint32(generation))
}

// splitGeneration splits the key of a superseded match.
func splitGeneration(raw []byte) (key []byte, generation int, err error) {
	if len(raw) < 4 {
		return nil, 0, fmt.Errorf("%q is not the key of a superseded match", raw)
	}
	return raw[:len(raw)-4], int(binary.BigEndian.Uint32(raw[len(raw)-4:])), nil
}

// undone returns the error for a replacement of bots that would undo matches of later stages; nil if it
// undoes none. The book begun has all records. Slots are those that are recorded.
func (s *Store) undone(begun *Book, slots []int32, kept *schedule.Schedule, bots []string) error {
	undo := &results.UndoError{Tournament: begun.Tournament.Name, Bots: bots}
	for _, slot := range slots {
		if _, stays := kept.Slot(begun.Schedule.Key(int(slot))); stays {
			continue
		}
		undo.Matches++
		if stage := begun.Schedule.Stage(int(slot)); !slices.Contains(undo.Stages, stage) {
			undo.Stages = append(undo.Stages, stage)
		}
	}
	if undo.Matches == 0 {
		return nil
	}
	slices.Sort(undo.Stages)
	return s.wrap(undo)
}

// withoutUndo returns a refusal that recommends no replacement that would be refused too, because it would undo
// matches of later stages. The bots in replaced are to be replaced in any case.
func (s *Store) withoutUndo(refused *results.ChangeError, begun *Book, slots []int32, replaced []string) error {
	bots := slices.Concat(replaced, refused.Replace)
	kept, err := s.openBook(begun.Tournament, bots)
	if err != nil {
		return err
	}
	if undo := new(results.UndoError); errors.As(s.undone(begun, slots, kept.Schedule, bots), &undo) {
		refused.Replace = nil
	}
	return refused
}

// supersede moves all recorded matches of some bots to the superseded ones.
func (b buckets) supersede(bots []string, generation int) error {
	var moved [][]byte
	keys := newKeyReader()
	cursor := b.summaries.Cursor()
	for raw, _ := cursor.First(); raw != nil; raw, _ = cursor.Next() {
		key, err := keys.read(raw)
		if err != nil {
			return err
		}
		if key.Of(bots) {
			moved = append(moved, slices.Clone(raw))
		}
	}
	for _, part := range []struct {
		from *bolt.Bucket
		to   string
	}{
		{b.summaries, bucketOldSummaries},
		{b.bodies, bucketOldBodies},
		{b.evidence, bucketOldEvidence},
		{b.workers, bucketOldWorkers},
	} {
		if part.from == nil && part.to == bucketOldWorkers {
			continue
		}
		to, err := b.whole.CreateBucketIfNotExists([]byte(part.to))
		if err != nil {
			return err
		}
		if part.from == nil {
			continue
		}
		for _, raw := range moved {
			if err := move(part.from, to, raw, generation); err != nil {
				return err
			}
		}
	}
	return nil
}

// move moves the value of a match to the superseded ones, with a checksum for its new key. A match has no
// value in some buckets.
func move(from, to *bolt.Bucket, raw []byte, generation int) error {
	value := from.Get(raw)
	if value == nil {
		return nil
	}
	payload, err := unseal(raw, value)
	if err != nil {
		return fmt.Errorf("damaged: a part of the match %q cannot be superseded: %w", raw, err)
	}
	moved := appendGeneration(slices.Clone(raw), generation)
	if err := to.Put(moved, seal(moved, append([]byte{valueVersion}, payload...))); err != nil {
		return err
	}
	return from.Delete(raw)
}

// Superseded returns the superseded matches in the order of the schedule, and those of a slot in the order in
// which they were played.
func (b *Book) Superseded() (matches []results.Noted, err error) {
	err = b.view(func(in buckets) error {
		if in.oldSummaries == nil {
			return nil
		}
		keys := newKeyReader()
		return in.oldSummaries.ForEach(func(raw, value []byte) error {
			m, err := readSuperseded(keys, raw, value)
			if err != nil {
				return err
			}
			slot, ok := b.Schedule.Slot(m.Key)
			if !ok {
				return fmt.Errorf("the superseded match %v is not in the schedule of tournament %q", m.Key, in.name)
			}
			m.Slot = slot
			matches = append(matches, m)
			return nil
		})
	})
	slices.SortStableFunc(matches, func(a, b results.Noted) int { return a.Slot - b.Slot })
	return matches, err
}

func readSuperseded(keys *keyReader, raw, value []byte) (m results.Noted, err error) {
	key, generation, err := splitGeneration(raw)
	if err != nil {
		return m, err
	}
	m.Superseded = generation
	if m.Key, err = keys.read(key); err != nil {
		return m, err
	}
	return m, decodeSummary(raw, value, &m.Summary)
}

// SelectSuperseded yields the superseded matches that pass a filter, in the order of Superseded.
func (b *Book) SelectSuperseded(filter results.Filter) iter.Seq2[results.Noted, error] {
	return func(yield func(results.Noted, error) bool) {
		all, err := b.Superseded()
		if err != nil {
			yield(results.Noted{}, err)
			return
		}
		for _, match := range all {
			if filter.Passes(match.Slotted) && !yield(match, nil) {
				return
			}
		}
	}
}

// SupersededRecord reads the record of a superseded match, with its evidence.
func (b *Book) SupersededRecord(m results.Noted) (results.Record, error) {
	err := b.view(func(in buckets) error { return in.readSupersededBody(&m) })
	return results.Record{Summary: m.Summary, Body: m.Body, Evidence: m.Evidence, Worker: m.Worker}, err
}

// readSupersededBody reads what is kept of a superseded match beside its summary.
func (b buckets) readSupersededBody(m *results.Noted) (err error) {
	raw := appendGeneration(appendKey(nil, m.Key), m.Superseded)
	value := b.oldBodies.Get(raw)
	if value == nil {
		return fmt.Errorf("damaged: the body of the superseded match %v is missing", m.Key)
	}
	if m.Body, err = decodeBody(m.Key, raw, value); err != nil {
		return err
	}
	if m.Evidence, err = decodeEvidence(m.Key, raw, b.oldEvidence.Get(raw)); err != nil || b.oldWorkers == nil {
		return err
	}
	m.Worker, err = decodeWorker(m.Key, raw, b.oldWorkers.Get(raw))
	return err
}
