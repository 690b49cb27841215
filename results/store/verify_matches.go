package store

import (
	"errors"
	"fmt"
	"iter"

	"sembra/results"
)

// verifyMatches referees the recorded matches again, several at the same time, and folds the ratings over
// all slots before the first that is missing. It reports differences in schedule order.
func (t *tournamentCheck) verifyMatches() (*results.RatingFold, error) {
	judge, problems := results.NewJudge(*t.about)
	for _, problem := range problems {
		t.reportf("%s", problem)
	}
	work, ordered := make(chan *batch), make(chan *batch, 2*t.Workers)
	go func() {
		defer close(work)
		defer close(ordered)
		for b := range t.batches() {
			ordered <- b
			work <- b
		}
	}()
	for range max(1, t.Workers) {
		go func() {
			for b := range work {
				b.err = t.referee(judge, b.matches)
				close(b.done)
			}
		}()
	}
	fold := results.NewRatingFold(*t.about)
	var failure error
	complete := true
	for b := range ordered {
		<-b.done
		if failure == nil {
			failure = b.err
		}
		if failure != nil {
			continue // until all workers are done
		}
		gone := 0
		for _, m := range b.matches {
			if m.gone {
				gone++
				continue
			}
			for _, what := range m.differences {
				t.report(Difference{Tournament: t.name, Slot: m.slot, Key: m.record.Key, What: what})
			}
			if m.summaryOK && m.slot == fold.Slots()+1 {
				_ = fold.Add(m.record.Summary) // it fails only for bots without a slot
			}
		}
		t.count(len(b.matches) - gone)
		complete = complete && gone == 0
	}
	if !complete {
		return nil, failure // the stored ratings are other ones by now
	}
	return fold, failure
}

// batch is some matches that one worker verifies in one go.
type batch struct {
	matches []*matchCheck
	err     error         // of the file
	done    chan struct{} // closed when the batch is verified
}

// matchCheck is the verification of one match.
type matchCheck struct {
	slot        int
	stored      parts
	gone        bool // a run has taken it out meanwhile, because it replaces a bot
	record      results.Record
	summaryOK   bool
	bodyOK      bool
	differences []string
}

func (m *matchCheck) reportf(format string, args ...any) {
	m.differences = append(m.differences, fmt.Sprintf(format, args...))
}

// batches yields the matches of which any part is stored, in schedule order.
func (t *tournamentCheck) batches() iter.Seq[*batch] {
	const size = 64
	return func(yield func(*batch) bool) {
		b := &batch{done: make(chan struct{})}
		for m := range t.checks() {
			if b.matches = append(b.matches, m); len(b.matches) < size {
				continue
			}
			if !yield(b) {
				return
			}
			b = &batch{done: make(chan struct{})}
		}
		if len(b.matches) > 0 {
			yield(b)
		}
	}
}

// checks yields what batches yields, one by one.
func (t *tournamentCheck) checks() iter.Seq[*matchCheck] {
	return func(yield func(*matchCheck) bool) {
		for i, stored := range t.parts {
			if stored == 0 {
				continue
			}
			m := &matchCheck{slot: i + 1, stored: stored}
			m.record.Key = t.order.Key(i + 1)
			if !yield(m) {
				return
			}
		}
	}
}

// referee reads matches and referees them again. The error is that of the file.
func (t *tournamentCheck) referee(judge *results.Judge, matches []*matchCheck) error {
	err := t.store.viewIn(t.name, func(in buckets) error {
		for _, m := range matches {
			m.read(in)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, m := range matches {
		if m.summaryOK && m.bodyOK {
			m.differences = append(m.differences, judge.Referee(m.record)...)
		}
	}
	return nil
}

// read reads the stored parts of a match.
func (m *matchCheck) read(in buckets) {
	key, stored := m.record.Key, m.stored
	raw := appendKey(nil, key)
	if m.gone = stored&hasSummary != 0 && in.summaries.Get(raw) == nil; m.gone {
		return
	}
	var err error
	if stored&hasSummary == 0 {
		m.reportf("its summary is missing, but another part is stored")
	} else if err = decodeSummary(raw, in.summaries.Get(raw), &m.record.Summary); err != nil {
		m.reportf("its summary is damaged: %v", errors.Unwrap(err))
	} else {
		m.summaryOK = true
	}
	if stored&hasBody == 0 {
		m.reportf("its body is missing, but another part is stored")
	} else if m.record.Body, err = decodeBody(key, raw, in.bodies.Get(raw)); err != nil {
		m.reportf("its body is damaged: %v", errors.Unwrap(err))
	} else {
		m.bodyOK = true
	}
	if stored&hasWorker != 0 {
		if _, err := decodeWorker(key, raw, in.workers.Get(raw)); err != nil {
			m.reportf("its worker is damaged: %v", errors.Unwrap(err))
		}
	}
	if stored&hasEvidence == 0 {
		return
	}
	if _, err := decodeEvidence(key, raw, in.evidence.Get(raw)); err != nil {
		m.reportf("its evidence is damaged: %v", errors.Unwrap(err))
	}
	if m.summaryOK && m.record.Fault == results.NoFault {
		m.reportf("it has evidence of a fault, but no bot was at fault")
	}
}
