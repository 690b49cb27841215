package store

import (
	"fmt"
	"iter"
	"slices"
	"sync"

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
	slices.Sort(numbers)
	// A list that grows would be copied several times. Each of its pages is written right away: a page that Go's garbage
	// collector reads first is mapped twice.
	summaries = make([]results.Numbered, len(numbers))
	for i, number := range numbers {
		summaries[i].Number = number
	}
	summaries = summaries[:0]
	for match, err := range b.summaries(slices.Values(numbers)) {
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
		return in.readBody(newFinder(in.bodies), &record)
	})
	return record, found && err == nil, err
}

// Matches yields the recorded matches in schedule order, without their bodies. In contrast to Recorded, it holds only some
// thousands of them in memory. Meanwhile, no record may be put. The first error ends it; recorded matches that are not in the
// schedule are an error that names them.
func (b *Records) Matches() iter.Seq2[results.Numbered, error] {
	// Who goes through the matches again need not wait for that again.
	check := sync.OnceValue(func() error { return b.recorded(func(int) {}) })
	return func(yield func(results.Numbered, error) bool) {
		if b.isNew {
			return
		}
		if err := check(); err != nil {
			yield(results.Numbered{}, err)
			return
		}
		b.summaries(func(yield func(int) bool) {
			for number := 1; number <= b.Schedule.Len() && yield(number); number++ {
			}
		})(yield)
	}
}

// summaries yields those of the matches with these numbers that are recorded, without their bodies, and without the
// matches of replaced bots. The first error ends it.
func (b *Records) summaries(numbers iter.Seq[int]) iter.Seq2[results.Numbered, error] {
	return parallel.Map(1<<10, withoutError(numbers), func(to []results.Numbered, some []int) ([]results.Numbered, error) {
		err := b.view(func(in buckets) error {
			summaries := newFinder(in.summaries)
			for _, number := range some {
				match := results.Numbered{Number: number}
				match.Key = b.Schedule.Key(number)
				raw, value := summaries.find(match.Key)
				if value == nil || match.Key.Of(b.replaced) {
					continue
				}
				if err := decodeSummary(raw, value, &match.Summary); err != nil {
					return err
				}
				to = append(to, match)
			}
			return nil
		})
		return to, err
	})
}

// withoutError yields the numbers, and no error.
func withoutError(numbers iter.Seq[int]) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for number := range numbers {
			if !yield(number, nil) {
				return
			}
		}
	}
}

// Select yields the recorded matches that pass a filter, with their notes, in schedule order. See Matches.
func (b *Records) Select(filter results.Filter) iter.Seq2[results.Noted, error] {
	return filter.Apply(b.Tournament.WithNotes(b.Matches()))
}

// Bodies yields recorded matches with their bodies and evidence, in the same order. It holds only some
// hundreds of them in memory. Meanwhile, no record may be put. The first error ends it.
func (b *Records) Bodies(matches iter.Seq2[results.Noted, error]) iter.Seq2[results.Noted, error] {
	return parallel.Map(1<<7, matches, func(to []results.Noted, some []results.Noted) ([]results.Noted, error) {
		err := b.view(func(in buckets) error {
			bodies := newFinder(in.bodies)
			for _, match := range some {
				record := results.Record{Summary: match.Summary}
				if err := in.readBody(bodies, &record); err != nil {
					return err
				}
				match.Body, match.Evidence = record.Body, record.Evidence
				to = append(to, match)
			}
			return nil
		})
		return to, err
	})
}

// Standings returns how the tournament stands.
func (b *Records) Standings() (results.Standings, error) {
	return b.Tournament.Standings(b.Matches(), b.Schedule.Merits, b.Schedule.Unbroken())
}
