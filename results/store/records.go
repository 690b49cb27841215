package store

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"

	"sembra/results"
	"sembra/results/parallel"
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
		complete = b.Schedule.Over() || b.Schedule.Complete() && fold.Covered() == b.Schedule.Len()
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
	if b.isNew {
		return nil, nil
	}
	numbers, err := b.numbers()
	if err != nil {
		return nil, err
	}
	numbers = slices.DeleteFunc(numbers, func(number int) bool { return b.Schedule.Key(number).Of(b.replaced) })
	slices.Sort(numbers)
	// A list that grows would be copied several times. Each of its pages is written right away: a page that Go's garbage
	// collector reads first is mapped twice.
	summaries = make([]results.Numbered, len(numbers))
	for i, number := range numbers {
		summaries[i].Number = number
	}
	failures := make([]error, len(b.Tournament.Bots))
	parallel.Do(len(failures), func(bot int) {
		failures[bot] = b.view(func(in buckets) error {
			return in.readAs(b.Tournament.Bots[bot], b.Schedule, numbers, summaries)
		})
	})
	summaries = slices.DeleteFunc(summaries, func(m results.Numbered) bool { return m.Key == results.Key{} })
	return summaries, cmp.Or(failures...)
}

// Record reads the match with a number, from 1 to the length of the schedule, with its evidence. Found is
// false if the match is not recorded.
func (b *Records) Record(number int) (record results.Record, found bool, err error) {
	key := b.Schedule.Key(number)
	err = b.view(func(in buckets) error {
		if record.Summary, found, err = in.readSummary(key); err != nil || !found {
			return err
		}
		value, err := in.body(key)
		if err != nil {
			return err
		}
		return decodeBody(appendKey(nil, key), value, &record)
	})
	return record, found && err == nil, err
}

// Matches yields the recorded matches in schedule order, without their bodies. In contrast to Recorded, it holds only a
// few of them in memory. It holds no transaction while the caller works. The first error ends it; recorded matches that
// are not in the schedule are an error that names them.
func (b *Records) Matches() iter.Seq2[results.Numbered, error] {
	numbers := func(yield func(results.Numbered, error) bool) {
		if b.isNew {
			return
		}
		if err := b.recorded(func(int, []byte, []byte) error { return nil }); err != nil {
			yield(results.Numbered{}, err)
			return
		}
		for number := 1; number <= b.Schedule.Len() && yield(results.Numbered{Number: number}, nil); number++ {
		}
	}
	found := inBatches(b, 1<<13, numbers, func(in buckets, m results.Numbered) ([]byte, error) {
		return in.summaries.Get(appendKey(make([]byte, 0, 64), b.Schedule.Key(m.Number))), nil
	})
	return parallel.Map(found, func(s stored[results.Numbered]) (results.Numbered, error) {
		s.match.Key = b.Schedule.Key(s.match.Number)
		raw := appendKey(make([]byte, 0, 64), s.match.Key)
		return s.match, b.store.wrap(decodeSummary(raw, s.value, &s.match.Summary))
	})
}

// Select yields the recorded matches that pass a filter, with their notes, in schedule order. See Matches.
func (b *Records) Select(filter results.Filter) iter.Seq2[results.Noted, error] {
	return filter.Apply(b.Tournament.WithNotes(b.Matches()))
}

// Bodies yields recorded matches with their bodies and evidence, in the same order. It holds only a few of
// them in memory, and no transaction while the caller works. The first error ends it.
func (b *Records) Bodies(matches iter.Seq2[results.Noted, error]) iter.Seq2[results.Noted, error] {
	found := inBatches(b, 1<<11, matches, func(in buckets, m results.Noted) ([]byte, error) { return in.body(m.Key) })
	return parallel.Map(found, func(s stored[results.Noted]) (results.Noted, error) {
		record := results.Record{Summary: s.match.Summary}
		err := decodeBody(appendKey(nil, record.Key), s.value, &record)
		s.match.Body, s.match.Evidence = record.Body, record.Evidence
		return s.match, b.store.wrap(err)
	})
}

// stored is a match with a stored value of it, which is not decoded yet.
type stored[T any] struct {
	match T
	value []byte
}

// inBatches yields those of some matches that have a value, which get finds. It reads as many as size says in one
// transaction, which is over when it yields them: bbolt maps a page of the file once for all of them. The first error
// ends it.
func inBatches[T any](
	b *Records, size int, all iter.Seq2[T, error], get func(buckets, T) ([]byte, error),
) iter.Seq2[stored[T], error] {
	return func(yield func(stored[T], error) bool) {
		var some []stored[T]
		flush := func(last error) (more bool) {
			read := 0
			err := b.view(func(in buckets) error {
				for i := range some {
					value, err := get(in, some[i].match)
					if err != nil {
						return err
					}
					some[i].value = bytes.Clone(value)
					read++
				}
				return nil
			})
			for i, one := range some[:read] {
				if some[i] = (stored[T]{}); one.value != nil && !yield(one, nil) {
					return false
				}
			}
			some = some[:0]
			if err = cmp.Or(err, last); err != nil {
				yield(stored[T]{}, err)
			}
			return err == nil
		}
		for one, err := range all {
			if err == nil {
				some = append(some, stored[T]{match: one})
			}
			if (err != nil || len(some) == size) && !flush(err) {
				return
			}
		}
		if len(some) > 0 {
			flush(nil)
		}
	}
}

// Standings returns how the tournament stands.
func (b *Records) Standings() (results.Standings, error) {
	summaries, err := b.Recorded()
	if err != nil {
		return results.Standings{}, err
	}
	return b.StandingsOf(summaries)
}

// StandingsOf is Standings if the recorded matches are known already.
func (b *Records) StandingsOf(recorded []results.Numbered) (results.Standings, error) {
	return b.Tournament.Standings(recorded, b.Schedule.Merits(), b.Schedule.Unbroken(recorded))
}
