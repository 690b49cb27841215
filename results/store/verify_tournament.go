package store

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"sembra/results"
	"sembra/results/parallel"
	"sembra/results/schedule"
)

// tournamentCheck is the verification of one tournament.
type tournamentCheck struct {
	*verifier
	name    string
	plan    results.Tournament
	order   *schedule.Schedule
	numbers []int            // of the recorded matches, in order
	ratings *results.Ratings // that are stored; nil if they are damaged
}

// reportf reports a difference of the tournament itself.
func (t *tournamentCheck) reportf(format string, args ...any) {
	t.report(Difference{Tournament: t.name, What: fmt.Sprintf(format, args...)})
}

// open reads the manifest of a tournament. The error says why there is no schedule.
func (t *tournamentCheck) open(in buckets) error {
	m, err := in.manifest()
	if err != nil {
		return err
	}
	if err := m.Plan.Check(); err != nil {
		return fmt.Errorf("the manifest: %w", errors.Unwrap(err))
	}
	t.plan, t.order = m.Plan, schedule.New(m.Plan)
	if schedule.DependsOnResults(m.Plan) {
		_ = in.follow(t.order, nil) // reading the matches reports the damaged ones
	}
	return nil
}

// index notes which matches are stored, and reports what has no place. It also reads all that is stored of a tournament
// beside its matches, because a run may add to it later.
func (t *tournamentCheck) index(in buckets) {
	if ratings, err := in.readRatings(); err != nil {
		t.reportf("%v", err)
	} else {
		t.ratings = &ratings
	}
	err := in.recorded(t.order, func(number int) { t.numbers = append(t.numbers, number) })
	if err != nil { // one damaged match can take all later stages away
		t.reportf("%v", err)
	}
	slices.Sort(t.numbers)
	_ = in.bodies.ForEach(func(raw, _ []byte) error {
		if in.summaries.Get(raw) != nil {
			return nil
		}
		key, err := readKey(raw, results.Key{})
		if err != nil {
			t.reportf("the body of a match has a bad key: %v", err)
		} else {
			t.report(Difference{Tournament: t.name, Key: key, What: "its summary is missing, but its body is stored"})
		}
		return nil
	})
	t.indexVoids(in)
}

// indexVoids checks the notes of void matches.
func (t *tournamentCheck) indexVoids(in buckets) {
	var before results.VoidMatch
	_ = in.voids.ForEach(func(raw, value []byte) error {
		void, err := readVoid(raw, value)
		next := 1
		if void.Key == before.Key {
			next = before.Attempt + 1
		}
		_, placed := t.order.Number(void.Key)
		switch before = void; {
		case err != nil:
			t.reportf("%v", err)
		case void.Attempt != next:
			t.reportf("the notes of void matches of %v: number %d follows, but number %d is missing",
				void.Key, void.Attempt, next)
		case !placed && !t.plan.Staged():
			t.reportf("%v is noted as void, but it is not in the schedule", void.Key)
		}
		return nil
	})
}

// verify verifies the matches of an indexed tournament, several at the same time, and folds the ratings over all
// matches before the first that is missing. It reports differences in schedule order.
func (t *tournamentCheck) verify() error {
	var judge *results.Judge // nil: no match is refereed
	if t.referee {
		var problems []string
		judge, problems = t.plan.Judge()
		for _, problem := range problems {
			t.reportf("%s", problem)
		}
	}
	const often = 2048 // matches
	fold, told := t.plan.RatingFold(), 0
	for m, err := range t.checked(judge) {
		if err != nil {
			return err
		}
		for _, what := range m.differences {
			t.report(Difference{Tournament: t.name, Number: m.number, Key: m.summary.Key, What: what})
		}
		t.skipWithdrawn(fold)
		if m.summaryOK && m.number == fold.Covered()+1 {
			_ = fold.Add(m.summary) // it fails only for unknown bots
		}
		if told++; told == often {
			t.count(told)
			told = 0
		}
	}
	t.count(told)
	t.skipWithdrawn(fold)
	want := fold.Ratings()
	switch {
	case t.ratings == nil:
	case t.ratings.Covered > want.Covered:
		t.reportf("the stored ratings cover %d matches, but match %d is missing or damaged",
			t.ratings.Covered, want.Covered+1)
	case !reflect.DeepEqual(*t.ratings, want):
		t.reportf("the stored ratings are not those that its matches give")
	}
	return nil
}

// skipWithdrawn passes over the next matches from which a bot has withdrawn: the ratings leave them out.
func (t *tournamentCheck) skipWithdrawn(fold *results.RatingFold) {
	for fold.Covered() < t.order.Len() && t.order.Withdrawn(fold.Covered()+1) {
		fold.Skip()
	}
}

// checked yields what is found of the matches, in schedule order. It reads and referees several of them at the same time.
// The error is that of the file.
func (t *tournamentCheck) checked(judge *results.Judge) iter.Seq2[matchCheck, error] {
	numbers := withoutError(slices.Values(t.numbers))
	return parallel.Map(1<<8, numbers, func(made []matchCheck, some []int) ([]matchCheck, error) {
		err := t.store.viewIn(t.name, func(in buckets) error { // which is over before the matches are refereed
			summaries, bodies := newFinder(in.summaries), newFinder(in.bodies)
			for _, number := range some {
				m := matchCheck{number: number}
				m.summary.Key = t.order.Key(number)
				raw, summary := summaries.find(m.summary.Key)
				if summary == nil {
					return fmt.Errorf("a run has since taken out match %d (hint: verify again after the run)", number)
				}
				_, body := bodies.find(m.summary.Key)
				m.raw, m.stored = raw, [2][]byte{bytes.Clone(summary), bytes.Clone(body)}
				made = append(made, m)
			}
			return nil
		})
		for i := range made {
			made[i].referee(judge)
		}
		return made, err
	})
}

// matchCheck is the verification of one match.
type matchCheck struct {
	number      int
	raw         []byte    // its key
	stored      [2][]byte // its summary and its body, until it is refereed
	summary     results.Summary
	summaryOK   bool
	differences []string
}

// referee decodes what is stored of a match and referees it again. Without a judge, it only checks the checksum of the
// body.
func (m *matchCheck) referee(judge *results.Judge) {
	summary, body := m.stored[0], m.stored[1]
	m.stored = [2][]byte{}
	note := func(format string, args ...any) { m.differences = append(m.differences, fmt.Sprintf(format, args...)) }
	err := decodeSummary(m.raw, summary, &m.summary)
	if m.summaryOK = err == nil; err != nil {
		note("its summary is damaged: %v", errors.Unwrap(err))
	}
	record := results.Record{Summary: m.summary}
	if _, err = unseal(m.raw, body); err == nil && judge != nil {
		err = errors.Unwrap(decodeBody(m.raw, body, &record))
	}
	switch {
	case body == nil:
		note("its body is missing, but its summary is stored")
	case err != nil:
		note("its body is damaged: %v", err)
	}
	if m.summaryOK && record.Evidence != nil && record.Fault == results.NoFault {
		note("it has evidence of a fault, but no bot was at fault")
	}
	if m.summaryOK && err == nil && judge != nil {
		m.differences = append(m.differences, judge.Referee(record)...)
	}
}
