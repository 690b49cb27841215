package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"sembra/engine"
	"sembra/results"
	"sembra/results/safe"
	"sembra/results/schedule"
)

// Difference is one thing in a file that is not as it should be.
type Difference struct {
	Tournament string      // "" if it concerns the whole file
	Number     int         // of the match in the schedule, from 1; 0 if it concerns no match or one without a number
	Key        results.Key // of the match; zero if it concerns no match
	What       string
}

// String returns the difference as one line: "spring: match 12 (a - b, pair 3): its hash is wrong".
func (d Difference) String() string {
	line := d.What
	switch {
	case d.Number > 0:
		line = fmt.Sprintf("match %d (%s): %s", d.Number, d.Key, line)
	case d.Key != results.Key{}:
		line = fmt.Sprintf("match %s: %s", d.Key, line)
	}
	if d.Tournament != "" {
		line = d.Tournament + ": " + line
	}
	return safe.Line(strings.TrimSpace(line))
}

// Verification says what to verify, and receives the result.
type Verification struct {
	Tournament string                // the name of a tournament; "": all of the file
	Report     func(Difference)      // called for each difference, in schedule order within a tournament
	Progress   func(done, total int) // called from time to time with numbers of matches; may be nil
}

// Verified counts what was verified.
type Verified struct {
	Tournaments, Matches int
	Differences          int
}

// Verify referees every recorded match again, computes the ratings again and checks every checksum. It
// continues after a difference, except after damage to the pages of the file, because then nothing
// that it reads can be trusted. The error says that a tournament is unknown, or that the file could not be
// read any further. A run may write matches meanwhile: it verifies those that were stored when it began.
//
// Scores, seeds and CPU times do not follow from the rest of a record, so only their checksums are
// verified.
func (s *Store) Verify(v Verification) (Verified, error) {
	if s.run == nil { // otherwise opening the file checked it
		damage, err := s.check()
		if err != nil {
			return Verified{}, err
		}
		if damage != nil {
			v.Report(Difference{What: damage.Error()})
			return Verified{Differences: 1}, nil
		}
	}
	return s.verify(v, true)
}

// checkSound checks what may be damaged in a file whose pages form a tree, before anything is written: all that Verify
// checks, except that it referees no match, which takes much longer.
func (s *Store) checkSound() error {
	var damage error // the first
	report := func(d Difference) {
		if damage == nil {
			damage = errors.New(d.String())
		}
	}
	_, err := s.verify(Verification{Report: report}, false)
	if errors.Is(err, ErrNone) {
		err = nil // nothing was run yet
	}
	if err == nil {
		err = damage
	}
	if err != nil {
		const refused = "%w, so nothing is written to it (hint: sembra verify --db %s lists all damage)"
		return fmt.Errorf(refused, s.wrap(err), s.path)
	}
	return nil
}

// verify is Verify after the check of the pages. Without referee, it plays no match again.
func (s *Store) verify(v Verification, referee bool) (Verified, error) {
	r := verifier{Verification: v, store: s, referee: referee}
	defer r.flush()
	var tournaments []*tournamentCheck
	err := s.view(func(tx *bolt.Tx) (err error) {
		tournaments, err = r.list(tx)
		return err
	})
	for _, t := range tournaments {
		if err != nil {
			break
		}
		r.flush()
		err = t.verify()
		r.verified.Tournaments++
	}
	return r.verified, err
}

// verifier is a verification under way.
type verifier struct {
	Verification
	store    *Store
	referee  bool
	total    int // matches
	verified Verified
	pending  []Difference // not reported yet
}

func (v *verifier) add(d Difference) {
	v.verified.Differences++
	v.pending = append(v.pending, d)
}

// flush reports the differences. No transaction may be open, because Report may take long.
func (v *verifier) flush() {
	for _, d := range v.pending {
		v.Report(d)
	}
	v.pending = nil
}

// count adds matches that were verified.
func (v *verifier) count(matches int) {
	v.flush()
	v.verified.Matches += matches
	if v.Progress != nil {
		v.Progress(v.verified.Matches, v.total)
	}
}

// list finds the tournaments to verify with what is stored of them, and checks what is around them.
func (v *verifier) list(tx *bolt.Tx) (wanted []*tournamentCheck, err error) {
	v.reportUnknown(tx.Cursor(), topBuckets())
	v.reportUnknown(tx.Bucket([]byte(bucketOurs)).Cursor(), []string{keySchema})
	var known []string
	tournaments := tx.Bucket([]byte(bucketTournaments))
	err = tournaments.ForEach(func(raw, value []byte) error {
		name := string(raw)
		known = append(known, name)
		if v.Tournament != "" && v.Tournament != name {
			return nil
		}
		t := &tournamentCheck{verifier: v, name: name}
		in, err := bucketsIn(tx, name)
		if err != nil {
			t.reportf("a part of it is missing")
		} else if err := t.open(in); err != nil {
			t.reportf("%v", err)
		} else {
			t.index(in)
			v.total += len(t.numbers)
			wanted = append(wanted, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, kind := range topBuckets()[2:] {
		v.reportUnknown(tx.Bucket([]byte(kind)).Cursor(), known)
	}
	if len(known) == 0 {
		return nil, ErrNone
	}
	if v.Tournament != "" && !slices.Contains(known, v.Tournament) {
		return nil, NewUnknownError(v.Tournament, known...)
	}
	return wanted, nil
}

// reportUnknown reports what is in a bucket beside its known parts.
func (v *verifier) reportUnknown(cursor *bolt.Cursor, known []string) {
	for raw, _ := cursor.First(); raw != nil; raw, _ = cursor.Next() {
		if !slices.Contains(known, string(raw)) {
			v.add(Difference{What: fmt.Sprintf("it has an unknown part: %.40q", raw)})
		}
	}
}

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
	t.add(Difference{Tournament: t.name, What: fmt.Sprintf(format, args...)})
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
			t.add(Difference{Tournament: t.name, Key: key, What: "its summary is missing, but its body is stored"})
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
		before = void
		switch {
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
				t.add(Difference{Tournament: t.name, Number: m.number, Key: m.record.Key, What: what})
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
	for fold.Covered() < t.order.Known() && t.order.Withdrawn(fold.Covered()+1) {
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
