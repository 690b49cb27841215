package store

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

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
	summaries = make([]results.Numbered, 0, len(numbers)) // a list that grows would be copied several times
	err = b.recorded(func(number int, raw, value []byte) error {
		key := b.Schedule.Key(number) // its names are those of the plan, and take no memory
		if key.Of(b.replaced) {
			return nil
		}
		summaries = append(summaries, results.Numbered{Number: number, Summary: results.Summary{Key: key}})
		return decodeSummary(raw, value, &summaries[len(summaries)-1].Summary)
	})
	slices.SortFunc(summaries, func(a, b results.Numbered) int { return cmp.Compare(a.Number, b.Number) })
	return summaries, err
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
	return inBatches(b, 256, numbers, func(in buckets, m *results.Numbered) (found bool, err error) {
		m.Summary, found, err = in.readSummary(b.Schedule.Key(m.Number))
		return found, err
	})
}

// Select yields the recorded matches that pass a filter, with their notes, in schedule order. See Matches.
func (b *Records) Select(filter results.Filter) iter.Seq2[results.Noted, error] {
	return filter.Apply(b.Tournament.WithNotes(b.Matches()))
}

// Bodies yields recorded matches with their bodies and evidence, in the same order. It holds only a few of
// them in memory, and no transaction while the caller works. The first error ends it.
func (b *Records) Bodies(matches iter.Seq2[results.Noted, error]) iter.Seq2[results.Noted, error] {
	return inBatches(b, 64, matches, func(in buckets, m *results.Noted) (bool, error) {
		record := results.Record{Summary: m.Summary}
		err := in.readBody(&record)
		m.Body, m.Evidence = record.Body, record.Evidence
		return true, err
	})
}

// inBatches yields those of some matches that read finds, as it completes them. It reads as many as size says in one
// transaction, which is over when it yields them. The first error ends it.
func inBatches[T any](
	b *Records, size int, all iter.Seq2[T, error], read func(buckets, *T) (found bool, err error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var some []T
		flush := func(last error) (more bool) {
			found := some[:0]
			err := b.view(func(in buckets) error {
				for _, one := range some {
					ok, err := read(in, &one)
					if err != nil {
						return err
					}
					if ok {
						found = append(found, one)
					}
				}
				return nil
			})
			some = nil
			for _, one := range found {
				if !yield(one, nil) {
					return false
				}
			}
			if err = cmp.Or(err, last); err != nil {
				yield(*new(T), err)
			}
			return err == nil
		}
		for one, err := range all {
			if err == nil {
				some = append(some, one)
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
