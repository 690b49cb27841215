package store

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
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
	parts   []parts             // by slot less 1
	matches int                 // recorded

	voids         []Difference // about the notes of void matches
	ratings       results.Ratings
	ratingsDamage error

	unplaced map[results.Key]bool // matches that a schedule that depends on results has no slot for
}

// parts says which parts of a match are stored.
type parts uint8

const (
	hasSummary parts = 1 << iota
	hasBody
)

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
	if schedule.Grows(m.Plan) {
		_ = in.follow(t.order, nil) // verifyMatches reports the damaged ones
	}
	t.parts = make([]parts, t.order.Len())
	return nil
}

// index notes which parts of which matches are stored, and reports those without a slot. With sums, or without a
// schedule, it checks the checksums of the parts. It also reads all that is stored of a tournament beside its matches,
// because a run may add to it later.
func (t *tournamentCheck) index(in buckets, sums bool) error {
	t.ratings, t.ratingsDamage = in.readRatings()
	t.indexVoids(in)
	for _, kind := range []struct {
		what   string
		part   parts
		bucket *bolt.Bucket
	}{{"summary", hasSummary, in.summaries}, {"body", hasBody, in.bodies}} {
		keys := newKeyReader()
		err := kind.bucket.ForEach(func(raw, value []byte) error {
			key, err := keys.read(raw)
			if err != nil {
				t.reportf("the %s of a match has a bad key: %v", kind.what, err)
				return nil
			}
			if t.order != nil {
				t.place(key, kind.part, kind.what)
			} else if kind.part == hasSummary {
				t.matches++
			}
			if !sums && t.order != nil {
				return nil // verifyMatches reads it
			}
			if _, err := unseal(raw, value); err != nil {
				t.report(Difference{Tournament: t.name, Key: key, What: fmt.Sprintf("its %s is damaged: %v", kind.what, err)})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if !sums {
		return nil
	}
	for i, stored := range t.parts {
		if stored == hasSummary || stored == hasBody {
			t.report(Difference{Tournament: t.name, Slot: i + 1, Key: t.order.Key(i + 1), What: "a part of it is missing"})
		}
	}
	for _, d := range t.voids {
		t.report(d)
	}
	return t.ratingsDamage
}

// place notes a part of a match in its slot.
func (t *tournamentCheck) place(key results.Key, part parts, what string) {
	slot, ok := t.order.Slot(key)
	switch {
	case ok && slot >= 1 && slot <= len(t.parts):
		if t.parts[slot-1] == 0 {
			t.matches++
		}
		t.parts[slot-1] |= part
	case !ok && t.about.Staged():
		t.unplaced[key] = true
	default:
		what = fmt.Sprintf("its %s is stored, but it is not in the schedule", what)
		t.report(Difference{Tournament: t.name, Key: key, What: what})
	}
}

// verify verifies an indexed tournament.
func (t *tournamentCheck) verify() error {
	var fold *results.RatingFold
	if t.order == nil {
		t.count(t.matches)
	} else {
		var err error
		if fold, err = t.verifyMatches(); err != nil {
			return err
		}
	}
	for _, d := range t.voids {
		t.report(d)
	}
	t.reportUnplaced()
	switch {
	case t.ratingsDamage != nil:
		t.reportf("%v", t.ratingsDamage)
	case fold != nil:
		t.compareRatings(t.ratings, fold.Ratings())
	}
	return nil
}

// indexVoids checks the notes of void matches. What it finds is reported after the matches.
func (t *tournamentCheck) indexVoids(in buckets) {
	keys := newKeyReader()
	var before results.VoidMatch
	note := func(key results.Key, format string, args ...any) {
		t.voids = append(t.voids, Difference{Tournament: t.name, Key: key, What: fmt.Sprintf(format, args...)})
	}
	_ = in.voids.ForEach(func(raw, value []byte) error {
		void, err := readVoid(keys, raw, value)
		if err != nil {
			note(results.Key{}, "%v", err)
		}
		if void.Number == 0 && void.Key == (results.Key{}) {
			return nil // the key is bad
		}
		next := 1
		if void.Key == before.Key {
			next = before.Number + 1
		}
		if void.Number != next {
			note(results.Key{}, "the notes of void matches of %v: number %d follows, but number %d is missing",
				void.Key, void.Number, next)
		}
		before = void
		if t.order == nil {
			return nil
		}
		if _, ok := t.order.Slot(void.Key); !ok && t.about.Staged() {
			t.unplaced[void.Key] = true
		} else if !ok {
			note(void.Key, "it is noted as void, but it is not in the schedule")
		}
		return nil
	})
}

// reportUnplaced reports in one line the matches without a slot: one damaged match can take the slots of
// all later stages away. These matches are not refereed.
func (t *tournamentCheck) reportUnplaced() {
	if len(t.unplaced) == 0 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(t.unplaced), func(a, b results.Key) int {
		return cmp.Or(cmp.Compare(a.Pair, b.Pair), cmp.Compare(a.South, b.South), cmp.Compare(a.North, b.North))
	})
	t.reportf("matches are not in the schedule that follows from the earlier results, and were not refereed (%d: %s)",
		len(keys), listKeys(keys))
}

// compareRatings compares the stored ratings with the fold over all slots before the first that is missing.
func (t *tournamentCheck) compareRatings(stored, want results.Ratings) {
	switch {
	case stored.Rating != want.Rating:
		t.reportf("the stored ratings start at %v with K %v, but the manifest says %v and %v",
			stored.Rating.Start, stored.Rating.K, want.Rating.Start, want.Rating.K)
		return
	case stored.Slots > want.Slots:
		t.reportf("the stored ratings cover %s, but match %d is missing or damaged", firstMatches(stored.Slots), want.Slots+1)
		return
	case stored.Slots < want.Slots:
		t.reportf("the stored ratings cover %s, but %s are recorded", firstMatches(stored.Slots), firstMatches(want.Slots))
		return
	case !slices.Equal(stored.Bots, want.Bots):
		t.reportf("the stored ratings are those of the bots %q, but the tournament has the bots %q", stored.Bots, want.Bots)
		return
	}
	for i, bot := range want.Bots {
		if math.Float64bits(stored.Elo[i]) != math.Float64bits(want.Elo[i]) {
			t.reportf("the stored rating of %s is %v, but its matches give %v", bot, stored.Elo[i], want.Elo[i])
		}
	}
}

func firstMatches(n int) string {
	switch n {
	case 0:
		return "no match"
	case 1:
		return "the first match"
	}
	return fmt.Sprintf("the first %d matches", n)
}
