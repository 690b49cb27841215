package store

import (
	"errors"
	"fmt"
	"math"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
	"sembra/results/schedule"
)

// tournamentCheck is the verification of one tournament.
type tournamentCheck struct {
	*verifier
	name    string
	about   *results.Tournament // nil if the manifest cannot be used
	order   *schedule.Schedule  // nil without about
	matches int                 // recorded
	numbers []int               // that are recorded, in order

	late          []string // what is reported after the matches
	ratings       results.Ratings
	ratingsDamage error
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
	t.about, t.order = &m.Plan, schedule.New(m.Plan)
	if schedule.DependsOnResults(m.Plan) {
		_ = in.follow(t.order, nil) // verifyMatches reports the damaged ones
	}
	return nil
}

// index notes which matches are stored, and reports those that are not whole or have no number. With sums, or without a
// schedule, it checks their checksums, which verifyMatches does otherwise. It also reads all that is stored of a
// tournament beside its matches, because a run may add to it later.
func (t *tournamentCheck) index(in buckets, sums bool) {
	t.ratings, t.ratingsDamage = in.readRatings()
	if sums && t.ratingsDamage != nil {
		t.reportf("%v", t.ratingsDamage)
	}
	sums = sums || t.order == nil
	var strangers []results.Key
	t.indexPart("summary", in.summaries, sums, func(raw []byte, key results.Key) {
		t.matches++
		if sums && in.bodies.Get(raw) == nil {
			t.report(Difference{Tournament: t.name, Key: key, What: "its body is missing, but its summary is stored"})
		}
		if t.order == nil {
			return
		}
		if number, ok := t.order.Number(key); ok {
			t.numbers = append(t.numbers, number)
		} else {
			strangers = append(strangers, key)
		}
	})
	slices.Sort(t.numbers)
	t.indexPart("body", in.bodies, sums, func(raw []byte, key results.Key) {
		if in.summaries.Get(raw) == nil {
			t.report(Difference{Tournament: t.name, Key: key, What: "its summary is missing, but its body is stored"})
		}
	})
	t.indexVoids(in)
	if len(strangers) > 0 { // one damaged match can take all later stages away
		t.late = append(t.late, fmt.Sprintf("recorded matches are not in the schedule that follows from the plan and the "+
			"results, and were not refereed (%d: %s)", len(strangers), listKeys(strangers)))
	}
	for sums && len(t.late) > 0 {
		t.reportf("%s", t.late[0])
		t.late = t.late[1:]
	}
}

// indexPart calls a function for each stored part of a match.
func (t *tournamentCheck) indexPart(what string, part *bolt.Bucket, sums bool, note func(raw []byte, key results.Key)) {
	keys := newKeyReader()
	_ = part.ForEach(func(raw, value []byte) error {
		key, err := keys.read(raw)
		if err != nil {
			t.reportf("the %s of a match has a bad key: %v", what, err)
			return nil
		}
		if sums {
			if _, err := unseal(raw, value); err != nil {
				t.report(Difference{Tournament: t.name, Key: key, What: fmt.Sprintf("its %s is damaged: %v", what, err)})
			}
		}
		note(raw, key)
		return nil
	})
}

// indexVoids checks the notes of void matches.
func (t *tournamentCheck) indexVoids(in buckets) {
	keys := newKeyReader()
	var before results.VoidMatch
	_ = in.voids.ForEach(func(raw, value []byte) error {
		void, err := readVoid(keys, raw, value)
		next, placed := 1, t.order == nil || t.about.Staged()
		if void.Key == before.Key {
			next = before.Attempt + 1
		}
		if !placed {
			_, placed = t.order.Number(void.Key)
		}
		switch before = void; {
		case err != nil:
			t.late = append(t.late, err.Error())
		case void.Attempt != next:
			t.late = append(t.late, fmt.Sprintf("the notes of void matches of %v: number %d follows, but number %d is missing",
				void.Key, void.Attempt, next))
		case !placed:
			t.late = append(t.late, fmt.Sprintf("%v is noted as void, but it is not in the schedule", void.Key))
		}
		return nil
	})
}

// verify verifies an indexed tournament.
func (t *tournamentCheck) verify() (err error) {
	var fold *results.RatingFold
	if t.order == nil {
		t.count(t.matches)
	} else if fold, err = t.verifyMatches(); err != nil {
		return err
	}
	for _, what := range t.late {
		t.reportf("%s", what)
	}
	switch {
	case t.ratingsDamage != nil:
		t.reportf("%v", t.ratingsDamage)
	case fold != nil:
		t.compareRatings(t.ratings, fold.Ratings())
	}
	return nil
}

// compareRatings compares the stored ratings with the fold over all matches before the first that is missing.
func (t *tournamentCheck) compareRatings(stored, want results.Ratings) {
	switch {
	case stored.Rating != want.Rating:
		t.reportf("the stored ratings start at %v with K %v, but the manifest says %v and %v",
			stored.Rating.Start, stored.Rating.K, want.Rating.Start, want.Rating.K)
	case stored.Covered > want.Covered:
		t.reportf("the stored ratings cover %d matches, but match %d is missing or damaged", stored.Covered, want.Covered+1)
	case stored.Covered < want.Covered:
		t.reportf("the stored ratings cover %d matches, but the first %d are recorded", stored.Covered, want.Covered)
	case !slices.Equal(stored.Bots, want.Bots) || len(stored.Elo) != len(want.Elo):
		t.reportf("the stored ratings are those of the bots %q, but the tournament has the bots %q", stored.Bots, want.Bots)
	default:
		for i, bot := range want.Bots {
			if math.Float64bits(stored.Elo[i]) != math.Float64bits(want.Elo[i]) {
				t.reportf("the stored rating of %s is %v, but its matches give %v", bot, stored.Elo[i], want.Elo[i])
			}
		}
	}
}
