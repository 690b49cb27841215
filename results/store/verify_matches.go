package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"sembra/results"
)

// verifyMatches referees the recorded matches again, several at the same time, and folds the ratings over
// all matches before the first that is missing. It reports differences in schedule order.
func (t *tournamentCheck) verifyMatches() (*results.RatingFold, error) {
	judge, problems := (*t.about).Judge()
	for _, problem := range problems {
		t.reportf("%s", problem)
	}
	const batch = 64 // matches of one worker
	workers := max(1, t.Workers)
	fold := (*t.about).RatingFold()
	complete := true
	for some := range slices.Chunk(t.numbers, workers*batch) {
		matches := make([]matchCheck, len(some))
		for i, number := range some {
			matches[i].number, matches[i].record.Key = number, t.order.Key(number)
		}
		if err := t.refereeAll(judge, matches, workers); err != nil {
			return nil, err
		}
		gone := 0
		for _, m := range matches {
			if m.gone {
				gone++
				continue
			}
			for _, what := range m.differences {
				t.report(Difference{Tournament: t.name, Number: m.number, Key: m.record.Key, What: what})
			}
			t.skipWithdrawn(fold)
			if m.summaryOK && m.number == fold.Covered()+1 {
				_ = fold.Add(m.record.Summary) // it fails only for unknown bots
			}
		}
		t.count(len(matches) - gone)
		complete = complete && gone == 0
	}
	if !complete {
		return nil, nil // the stored ratings are other ones by now
	}
	t.skipWithdrawn(fold)
	return fold, nil
}

// skipWithdrawn passes over the next matches from which a bot has withdrawn: the ratings leave them out.
func (t *tournamentCheck) skipWithdrawn(fold *results.RatingFold) {
	for fold.Covered() < t.order.Len() && t.order.Withdrawn(fold.Covered()+1) {
		fold.Skip()
	}
}

// matchCheck is the verification of one match.
type matchCheck struct {
	number      int
	gone        bool // a run has taken it out meanwhile, because it replaces a bot
	record      results.Record
	summaryOK   bool
	bodyOK      bool
	differences []string
}

func (m *matchCheck) reportf(format string, args ...any) {
	m.differences = append(m.differences, fmt.Sprintf(format, args...))
}

// refereeAll reads matches and referees them again, with some workers at the same time. The error is that of the file.
func (t *tournamentCheck) refereeAll(judge *results.Judge, matches []matchCheck, workers int) (err error) {
	parts := slices.Collect(slices.Chunk(matches, (len(matches)+workers-1)/workers))
	failures := make([]error, len(parts))
	var working sync.WaitGroup
	for i, part := range parts {
		working.Go(func() {
			failures[i] = t.store.viewIn(t.name, func(in buckets) error {
				for at := range part {
					part[at].read(in)
				}
				return nil
			})
			for at := range part {
				if m := &part[at]; m.summaryOK && m.bodyOK {
					m.differences = append(m.differences, judge.Referee(m.record)...)
				}
			}
		})
	}
	working.Wait()
	return cmp.Or(failures...)
}

// read reads what is stored of a match.
func (m *matchCheck) read(in buckets) {
	raw := appendKey(nil, m.record.Key)
	summary, body := in.summaries.Get(raw), in.bodies.Get(raw)
	if m.gone = summary == nil; m.gone {
		return
	}
	if err := decodeSummary(raw, summary, &m.record.Summary, nil); err != nil {
		m.reportf("its summary is damaged: %v", errors.Unwrap(err))
	} else {
		m.summaryOK = true
	}
	if body == nil {
		m.reportf("its body is missing, but its summary is stored")
	} else if err := decodeBody(raw, body, &m.record); err != nil {
		m.reportf("its body is damaged: %v", errors.Unwrap(err))
	} else {
		m.bodyOK = true
	}
	if m.summaryOK && m.record.Evidence != nil && m.record.Fault == results.NoFault {
		m.reportf("it has evidence of a fault, but no bot was at fault")
	}
}
