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
	name     string
	complete bool                // all buckets are there
	about    *results.Tournament // nil if the manifest cannot be used
	order    *schedule.Schedule  // nil without about
	parts    []parts             // by slot less 1
	matches  int                 // recorded

	unplaced map[results.Key]bool // matches that a schedule that depends on results has no slot for

	superseded      []supersededKey // in the order of the stored keys
	supersededParts map[supersededKey]parts
}

// parts says which parts of a match are stored.
type parts uint8

const (
	hasSummary parts = 1 << iota
	hasBody
	hasEvidence
	hasWorker
)

// reportf reports a difference of the tournament itself.
func (t *tournamentCheck) reportf(format string, args ...any) {
	t.report(Difference{Tournament: t.name, What: fmt.Sprintf(format, args...)})
}

// open checks the parts of a tournament and reads its manifest. The error says why there is no schedule.
func (t *tournamentCheck) open(bucket *bolt.Bucket) error {
	t.reportUnknown(bucket.Cursor(), t.name,
		keyNumber, bucketAbout, bucketSummaries, bucketBodies, bucketEvidence, bucketWorkers, bucketVoids, bucketRatings,
		bucketOldSummaries, bucketOldBodies, bucketOldEvidence, bucketOldWorkers)
	in, err := bucketsIn(bucket, t.name)
	if err != nil {
		return errors.New("a part of it is missing")
	}
	t.complete = true
	t.reportUnknown(in.about.Cursor(), t.name, keyManifest, keyIsolation)
	t.reportUnknown(in.ratings.Cursor(), t.name, keyElo)
	if _, err := in.readIsolation(); err != nil {
		t.reportf("%v", err)
	}
	about, err := manifest(bucket, t.name)
	if err != nil {
		return err
	}
	if err := about.Check(); err != nil {
		return fmt.Errorf("the manifest: %w", errors.Unwrap(err))
	}
	order := schedule.New(about)
	t.about, t.order = &about, order
	if schedule.Grows(about) {
		_ = in.follow(t.order, nil) // verifyMatches reports the damaged ones
	}
	t.parts = make([]parts, t.order.Len())
	return nil
}

// scan calls visit for all entries of a bucket of the tournament, some in each transaction. The entry is
// valid only until visit returns.
func (t *tournamentCheck) scan(bucketOf func(buckets) *bolt.Bucket, visit func(raw, value []byte)) error {
	var last []byte
	for more := true; more; {
		err := t.store.viewIn(t.name, func(in buckets) error {
			bucket := bucketOf(in)
			if bucket == nil {
				more = false
				return nil
			}
			cursor := bucket.Cursor()
			raw, value := cursor.Seek(last)
			if last != nil && string(raw) == string(last) {
				raw, value = cursor.Next()
			}
			for count := 0; raw != nil && count < t.keysAtOnce; count++ {
				visit(raw, value)
				last = append(last[:0], raw...)
				raw, value = cursor.Next()
			}
			more = raw != nil
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// index notes which parts of which matches are stored, and reports those without a slot. Without a
// schedule it checks the checksums, which is all that is possible then.
func (t *tournamentCheck) index() error {
	t.supersededParts = make(map[supersededKey]parts)
	checkSummary := func(key results.Key, raw, value []byte) error {
		return decodeSummary(raw, value, &results.Summary{Key: key})
	}
	checkBody := func(key results.Key, raw, value []byte) error {
		_, err := decodeBody(key, raw, value)
		return err
	}
	checkEvidence := func(key results.Key, raw, value []byte) error {
		_, err := decodeEvidence(key, raw, value)
		return err
	}
	checkWorker := func(key results.Key, raw, value []byte) error {
		_, err := decodeWorker(key, raw, value)
		return err
	}
	for _, kind := range []struct {
		what     string
		part     parts
		bucketOf func(buckets) *bolt.Bucket
		check    func(key results.Key, raw, value []byte) error
		old      bool // of superseded matches
	}{
		{"summary", hasSummary, func(in buckets) *bolt.Bucket { return in.summaries }, checkSummary, false},
		{"body", hasBody, func(in buckets) *bolt.Bucket { return in.bodies }, checkBody, false},
		{"evidence", hasEvidence, func(in buckets) *bolt.Bucket { return in.evidence }, checkEvidence, false},
		{"worker", hasWorker, func(in buckets) *bolt.Bucket { return in.workers }, checkWorker, false},
		{"summary", hasSummary, func(in buckets) *bolt.Bucket { return in.oldSummaries }, checkSummary, true},
		{"body", hasBody, func(in buckets) *bolt.Bucket { return in.oldBodies }, checkBody, true},
		{"evidence", hasEvidence, func(in buckets) *bolt.Bucket { return in.oldEvidence }, checkEvidence, true},
		{"worker", hasWorker, func(in buckets) *bolt.Bucket { return in.oldWorkers }, checkWorker, true},
	} {
		keys := newKeyReader()
		err := t.scan(kind.bucketOf, func(raw, value []byte) {
			ofMatch, generation, err := raw, 0, error(nil)
			if kind.old {
				ofMatch, generation, err = splitGeneration(raw)
			}
			var key results.Key
			if err == nil {
				key, err = keys.read(ofMatch)
			}
			if err != nil {
				t.reportf("the %s of a match has a bad key: %v", kind.what, err)
				return
			}
			if t.order != nil && kind.old {
				t.placeSuperseded(supersededKey{key, generation}, kind.part, kind.what)
				return
			}
			if t.order != nil {
				t.place(key, kind.part, kind.what)
				return
			}
			if kind.part == hasSummary {
				t.matches++
			}
			if err := kind.check(key, raw, value); err != nil {
				t.reportf("%v", err)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
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

// supersededKey names a superseded match.
type supersededKey struct {
	results.Key
	generation int // the number of the replacement
}

// placeSuperseded notes a part of a superseded match. The replacement must be one of its bots, and the match
// must still be in the schedule.
func (t *tournamentCheck) placeSuperseded(key supersededKey, part parts, what string) {
	if stored := t.supersededParts[key]; stored != 0 {
		t.supersededParts[key] = stored | part
		return
	}
	problem := ""
	all := t.about.Replacements
	if _, ok := t.order.Slot(key.Key); !ok {
		problem = "it is not in the schedule"
	} else if key.generation < 1 || key.generation > len(all) || !key.Of(all[key.generation-1].Bots) {
		problem = fmt.Sprintf("replacement %d is none of its bots", key.generation)
	}
	if problem != "" {
		what = fmt.Sprintf("its %s is stored as superseded, but %s", what, problem)
		t.report(Difference{Tournament: t.name, Key: key.Key, What: what})
		return
	}
	t.matches++
	t.superseded = append(t.superseded, key)
	t.supersededParts[key] = part
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
	if err := t.verifyVoids(); err != nil {
		return err
	}
	t.reportUnplaced()
	return t.verifyRatings(fold)
}

// verifyVoids checks the notes of void matches.
func (t *tournamentCheck) verifyVoids() error {
	keys := newKeyReader()
	var before results.VoidMatch
	return t.scan(func(in buckets) *bolt.Bucket { return in.voids }, func(raw, value []byte) {
		void, err := readVoid(keys, raw, value)
		if err != nil {
			t.reportf("%v", err)
		}
		if void.Number == 0 && void.Key == (results.Key{}) {
			return // the key is bad
		}
		next := 1
		if void.Key == before.Key {
			next = before.Number + 1
		}
		if void.Number != next {
			t.reportf("the notes of void matches of %v: number %d follows, but number %d is missing",
				void.Key, void.Number, next)
		}
		before = void
		if t.order == nil {
			return
		}
		if _, ok := t.order.Slot(void.Key); !ok && t.about.Staged() {
			t.unplaced[void.Key] = true
		} else if !ok {
			t.report(Difference{Tournament: t.name, Key: void.Key, What: "it is noted as void, but it is not in the schedule"})
		}
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

// verifyRatings compares the stored ratings with the fold over all slots before the first that is missing.
func (t *tournamentCheck) verifyRatings(fold *results.RatingFold) error {
	var stored results.Ratings
	var damage error
	err := t.store.viewIn(t.name, func(in buckets) error {
		stored, damage = in.readRatings()
		return nil
	})
	switch {
	case err != nil:
		return err
	case damage != nil:
		t.reportf("%v", damage)
	case fold != nil:
		t.compareRatings(stored, fold.Ratings())
	}
	return nil
}

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
