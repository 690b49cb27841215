package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"sembra/engine"
	"sembra/results"
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
	numbers, err := in.numbers(t.order)
	if err != nil { // one damaged match can take all later stages away
		t.reportf("%v", err)
	}
	t.numbers = numbers
	_ = in.bodies.ForEach(func(raw, _ []byte) error {
		if in.summaries.Get(raw) != nil {
			return nil
		}
		key, err := readKey(raw)
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

// verify verifies the matches of an indexed tournament, and folds the ratings over all matches before the first that is
// missing. It reports differences in schedule order.
func (t *tournamentCheck) verify() error {
	var rules engine.Ruleset // nil: no match is refereed
	if t.referee {
		var err error
		if rules, err = t.plan.Conditions.Rules(); err == nil {
			err = t.plan.CheckOpenings(rules)
		}
		if err != nil {
			t.reportf("the manifest: %v", err)
		}
	}
	fold := t.plan.RatingFold()
	for some := range slices.Chunk(t.numbers, 100) {
		matches, err := t.read(some)
		for _, m := range matches { // no transaction is open any more
			if rules != nil && m.whole {
				m.differences = append(m.differences, t.plan.Verify(rules, m.record)...)
			}
			for _, what := range m.differences {
				t.report(Difference{Tournament: t.name, Number: m.number, Key: m.record.Key, What: what})
			}
			t.skipWithdrawn(fold)
			if m.summaryOK && m.number == fold.Covered()+1 {
				_ = fold.Add(m.record.Summary) // it fails only for unknown bots
			}
		}
		if err != nil {
			return err
		}
		t.count(len(some))
	}
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

// matchCheck is the verification of one match.
type matchCheck struct {
	number      int
	record      results.Record
	summaryOK   bool // it could be read
	whole       bool // so could all of it
	differences []string
}

// read reads some matches.
func (t *tournamentCheck) read(numbers []int) (matches []matchCheck, err error) {
	err = t.store.viewIn(t.name, func(in buckets) error {
		for _, number := range numbers {
			m := matchCheck{number: number}
			m.record.Key = t.order.Key(number)
			raw := appendKey(nil, m.record.Key)
			summary := in.summaries.Get(raw)
			if summary == nil {
				return fmt.Errorf("a run has since taken out match %d (hint: verify again after the run)", number)
			}
			m.decode(raw, summary, in.bodies.Get(raw), t.referee)
			matches = append(matches, m)
		}
		return nil
	})
	return matches, err
}

// decode decodes what is stored of a match. Unless it is to be refereed, only the checksum of the body is checked.
func (m *matchCheck) decode(raw, summary, body []byte, referee bool) {
	note := func(format string, args ...any) { m.differences = append(m.differences, fmt.Sprintf(format, args...)) }
	err := decodeSummary(raw, summary, &m.record.Summary)
	m.summaryOK = err == nil
	if err != nil {
		note("its summary is damaged: %v", errors.Unwrap(err))
	}
	_, err = unseal(raw, body)
	if err == nil && referee {
		err = errors.Unwrap(decodeBody(raw, body, &m.record))
	}
	switch {
	case body == nil:
		note("its body is missing, but its summary is stored")
	case err != nil:
		note("its body is damaged: %v", err)
	}
	m.whole = m.summaryOK && err == nil
	if m.summaryOK && m.record.Evidence != nil && m.record.Fault == results.NoFault {
		note("it has evidence of a fault, but no bot was at fault")
	}
}
