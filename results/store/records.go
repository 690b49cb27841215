package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"sync"

	"sembra/results"
	"sembra/results/schedule"
)

// Put stores records with their evidence, in one transaction, which is on the disk when Put returns.
// After an error, none of them is stored. A match that is stored already stays as it is. Put refuses a
// record that contradicts itself (see Record.Check) or is not in the schedule. The stored ratings then
// cover all matches up to the first that is not recorded; of equal matches they count only the first (see
// Repeats).
func (b *Records) Put(records []results.Record) error {
	for _, record := range records {
		if err := record.Check(); err != nil {
			return b.store.wrap(err)
		}
	}
	if err := b.prepare(); err != nil {
		return err
	}
	if schedule.DependsOnResults(b.Tournament) {
		for _, record := range records { // all before the check below: one may decide the stage of another
			b.Schedule.Add(record.Summary)
		}
	}
	for _, record := range records {
		if _, ok := b.Schedule.Number(record.Key); !ok {
			return b.store.wrap(fmt.Errorf("record of %v: there is no such match in tournament %q",
				record.Key, b.Tournament.Name))
		}
	}
	fold, complete := b.fold, false
	b.fold = nil // unless the transaction succeeds, the fold may be ahead of the file
	err := b.update(func(in buckets) error {
		for _, record := range records {
			if err := in.putRecord(record); err != nil {
				return err
			}
		}
		stored, err := in.readRatings()
		if err != nil {
			return err
		}
		if fold == nil || fold.Covered() != stored.Covered {
			fold = b.Tournament.RatingFold()
		}
		if err := in.extendRatings(fold, b.Schedule); err != nil {
			return err
		}
		if fold.Covered() < stored.Covered {
			return fmt.Errorf("damaged: the ratings of %q cover match %d, which is missing", in.name, fold.Covered()+1)
		}
		complete = b.Schedule.Over() || b.Schedule.Final() && fold.Covered() == b.Schedule.Known()
		if !complete || len(b.Tournament.Replacing) == 0 {
			return nil
		}
		m, err := in.manifest()
		if err != nil {
			return err
		}
		m.Plan.Replacing = nil
		return in.putManifest(m)
	})
	if err != nil {
		return err
	}
	if b.fold = fold; complete {
		b.Tournament.Replacing = nil
	}
	return nil
}

// Recorded returns the summaries of the recorded matches in schedule order. It reads no body. Recorded
// matches that are not in the schedule are an error that names them.
func (b *Records) Recorded() (summaries []results.Numbered, err error) {
	for match, err := range b.Matches() {
		if err != nil {
			return nil, err
		}
		summaries = append(summaries, match)
	}
	return summaries, nil
}

// Record reads the match with a number, from 1 to the length of the schedule, with its evidence. Found is
// false if the match is not recorded.
func (b *Records) Record(number int) (record results.Record, found bool, err error) {
	key := b.Schedule.Key(number)
	err = b.view(func(in buckets) error {
		if record.Summary, found, err = in.readSummary(key); err != nil || !found {
			return err
		}
		return in.readBody(&record)
	})
	return record, found && err == nil, err
}

// Matches yields the recorded matches in schedule order, without their bodies. In contrast to Recorded, it holds only a
// thousand of them in memory. Meanwhile, no record may be put. Going through them again yields the same matches. The
// first error ends it; recorded matches that are not in the schedule are an error that names them.
func (b *Records) Matches() iter.Seq2[results.Numbered, error] {
	numbers := sync.OnceValues(b.numbers)
	return func(yield func(results.Numbered, error) bool) {
		if b.isNew {
			return
		}
		all, err := numbers()
		if err != nil {
			yield(results.Numbered{}, err)
			return
		}
		for some := range slices.Chunk(all, 1000) { // in a transaction each, which never waits for who goes through them
			matches, err := b.summaries(some)
			for _, match := range matches {
				if !yield(match, nil) {
					return
				}
			}
			if err != nil {
				yield(results.Numbered{}, err)
				return
			}
		}
	}
}

// summaries reads the matches with some numbers, without their bodies. It leaves out those that a run in another
// process has taken out meanwhile. With an error, it returns the matches before the one that cannot be read.
func (b *Records) summaries(numbers []int) (matches []results.Numbered, err error) {
	err = b.view(func(in buckets) error {
		for _, number := range numbers {
			summary, found, err := in.readSummary(b.Schedule.Key(number))
			if err != nil {
				return err
			}
			if found {
				matches = append(matches, results.Numbered{Number: number, Summary: summary})
			}
		}
		return nil
	})
	return matches, err
}

// Select yields the recorded matches that pass a filter, with their notes, in schedule order. See Matches.
func (b *Records) Select(filter results.Filter) iter.Seq2[results.Noted, error] {
	return filter.Apply(b.Tournament.WithNotes(b.Matches()))
}

// Bodies yields recorded matches with their bodies and evidence, in the same order. It holds only a hundred of them in
// memory. Meanwhile, no record may be put. The first error ends it.
func (b *Records) Bodies(matches iter.Seq2[results.Noted, error]) iter.Seq2[results.Noted, error] {
	return func(yield func(results.Noted, error) bool) {
		for some, wrong := range chunks(matches, 100) {
			read, err := b.bodies(some)
			for _, match := range read {
				if !yield(match, nil) {
					return
				}
			}
			if err == nil {
				err = wrong
			}
			if err != nil {
				yield(results.Noted{}, err)
				return
			}
		}
	}
}

// chunks yields matches as lists of some size; the last one can be shorter. An error ends it, with the matches before.
func chunks(matches iter.Seq2[results.Noted, error], size int) iter.Seq2[[]results.Noted, error] {
	return func(yield func([]results.Noted, error) bool) {
		var some []results.Noted
		for match, err := range matches {
			if err != nil {
				yield(some, err)
				return
			}
			some = append(some, match)
			if len(some) == size {
				if !yield(some, nil) {
					return
				}
				some = nil
			}
		}
		yield(some, nil)
	}
}

// bodies reads the bodies and the evidence of some matches. With an error, it returns the matches before the one that
// cannot be read.
func (b *Records) bodies(matches []results.Noted) (read []results.Noted, err error) {
	err = b.view(func(in buckets) error {
		for _, match := range matches {
			record := results.Record{Summary: match.Summary}
			if err := in.readBody(&record); err != nil {
				return err
			}
			match.Body, match.Evidence = record.Body, record.Evidence
			read = append(read, match)
		}
		return nil
	})
	return read, err
}

// Standings returns how the tournament stands.
func (b *Records) Standings() (results.Standings, error) {
	return b.Tournament.Standings(b.Matches(), b.Schedule.Merits, b.Schedule.GaplessUntil())
}

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
