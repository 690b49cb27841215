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
	if schedule.Grows(b.Tournament) {
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
	fold := b.fold
	b.fold = nil // unless the transaction succeeds, the fold may be ahead of the file
	about := b.Tournament
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
			fold = results.NewRatingFold(b.Tournament)
		}
		if err := in.extendRatings(fold, b.Schedule); err != nil {
			return err
		}
		if fold.Covered() < stored.Covered {
			return fmt.Errorf("damaged: the ratings of tournament %q cover match %d, which is missing", in.name, fold.Covered()+1)
		}
		complete := b.Schedule.Over() || b.Schedule.Complete() && fold.Covered() == b.Schedule.Len()
		if !complete || len(about.Replacing) == 0 {
			return nil
		}
		about.Replacing = nil
		m, err := in.manifest()
		if err != nil {
			return err
		}
		m.Plan = about
		return in.putManifest(m)
	})
	if err != nil {
		return err
	}
	b.fold, b.Tournament = fold, about
	return nil
}

// Recorded returns the summaries of the recorded matches in schedule order. It reads no body. Recorded
// matches that are not in the schedule are an error that names them.
func (b *Records) Recorded() (summaries []results.Numbered, err error) {
	if b.isNew {
		return nil, nil
	}
	err = b.view(func(in buckets) error {
		numbers, err := b.catchUp(in)
		if err == nil {
			summaries, err = in.inOrder(numbers, b.Schedule.Len())
		}
		return err
	})
	if len(b.replaced) > 0 {
		summaries = slices.DeleteFunc(summaries, func(m results.Numbered) bool { return m.Key.Of(b.replaced) })
	}
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
	const most = 256 // in one transaction
	return func(yield func(results.Numbered, error) bool) {
		if b.isNew {
			return
		}
		err := b.view(func(in buckets) error { _, err := b.catchUp(in); return err })
		for number := 1; number <= b.Schedule.Len() && err == nil; {
			var matches []results.Numbered
			err = b.view(func(in buckets) error {
				for end := min(number+most, b.Schedule.Len()+1); number < end; number++ {
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
			for _, match := range matches {
				if !yield(match, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(results.Numbered{}, err)
		}
	}
}

// Select yields the recorded matches that pass a filter, with their notes, in schedule order. See Matches.
func (b *Records) Select(filter results.Filter) iter.Seq2[results.Noted, error] {
	return filter.Apply(results.WithNotes(b.Tournament, b.Matches()))
}

// Bodies yields recorded matches with their bodies and evidence, in the same order. It holds only a few of
// them in memory, and no transaction while the caller works. The first error ends it.
func (b *Records) Bodies(matches iter.Seq2[results.Noted, error]) iter.Seq2[results.Noted, error] {
	const most = 64 // in one transaction
	return func(yield func(results.Noted, error) bool) {
		for some, err := range batches(matches, most) {
			read, wrong := b.readBodies(some)
			for _, match := range some[:read] {
				if !yield(match, nil) {
					return
				}
			}
			if err = cmp.Or(wrong, err); err != nil {
				yield(results.Noted{}, err)
				return
			}
		}
	}
}

// batches yields the values of a sequence, several at a time. The last ones come with its first error.
func batches[T any](all iter.Seq2[T, error], size int) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		var some []T
		for value, err := range all {
			if err != nil {
				yield(some, err)
				return
			}
			if some = append(some, value); len(some) == size {
				if !yield(some, nil) {
					return
				}
				some = some[:0]
			}
		}
		if len(some) > 0 {
			yield(some, nil)
		}
	}
}

// readBodies reads bodies and evidence of a few matches in one transaction, and returns how many it could read.
func (b *Records) readBodies(matches []results.Noted) (read int, err error) {
	if len(matches) == 0 {
		return 0, nil
	}
	err = b.view(func(in buckets) error {
		for i := range matches {
			record := results.Record{Summary: matches[i].Summary}
			if err := in.readBody(&record); err != nil {
				return err
			}
			matches[i].Body, matches[i].Evidence = record.Body, record.Evidence
			read++
		}
		return nil
	})
	return read, err
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
	return results.NewStandings(b.Tournament, recorded, b.Schedule.Merits(), b.Schedule.Unbroken(recorded))
}
