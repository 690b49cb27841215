package store

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"sembra/results"
)

// outside is the plan of an import, and matches for it.
func outside(t *testing.T) (plan results.Tournament, records []results.Record) {
	t.Helper()
	c := cup(t, "awale", 2)
	for slot, key := range []results.Key{{South: "b", North: "a", Pair: 2}, {South: "a", North: "b", Pair: 1}, {South: "c", North: "b", Pair: 1}} {
		records = append(records, playedMatch(t, c, 4*slot, key))
	}
	plan = results.Tournament{
		Name: "club", Family: "club", Ruleset: "awale", Format: results.Imported, Rounds: 1,
		Rating: results.Rating{Start: 1500, K: 16},
	}
	return plan, records
}

// each yields records, and then an error if there is one.
func each(records []results.Record, end error) iter.Seq2[results.Record, error] {
	return func(yield func(results.Record, error) bool) {
		for _, record := range records {
			if !yield(record, nil) {
				return
			}
		}
		if end != nil {
			yield(results.Record{}, end)
		}
	}
}

// TestImport: an import is stored as a whole or not at all, in its order, and can be added to.
func TestImport(t *testing.T) {
	t.Parallel()
	plan, records := outside(t)
	store := openNew(t)
	failure := errors.New("line 57 is wrong")
	if _, err := store.Import(plan, each(records, failure)); !errors.Is(err, failure) {
		t.Fatalf("%v, want %v", err, failure)
	}
	if all, err := store.Tournaments(); err != nil || len(all) > 0 {
		t.Fatalf("after a failed import: %v, %v", all, err)
	}
	_, err := store.Import(plan, each(records[:2], nil))
	must(t, err)
	twice := new(TwiceError)
	if _, err := store.Import(plan, each([]results.Record{records[2], records[1]}, nil)); !errors.As(err, &twice) || !twice.Stored || twice.Slot != 2 {
		t.Errorf("a match that is stored: %v", err)
	}
	if _, err := store.Import(plan, each([]results.Record{records[2], records[2]}, nil)); !errors.As(err, &twice) || twice.Stored || twice.Slot != 3 {
		t.Errorf("a match that is there twice: %v", err)
	}
	about, err := store.Import(plan, each(records[2:], nil))
	must(t, err)
	if want := []string{"b", "a", "c"}; !slices.Equal(about.Bots, want) {
		t.Errorf("bots %v, want %v", about.Bots, want)
	}
	b, err := store.Book("club")
	must(t, err)
	recorded, err := b.Recorded()
	must(t, err)
	for i, match := range recorded {
		if match.Slot != i+1 || match.Key != records[i].Key || b.Schedule.Pairing(i+1) != []int{1, 1, 2}[i] {
			t.Errorf("match %d: slot %d, %v, pairing %d", i+1, match.Slot, match.Key, b.Schedule.Pairing(i+1))
		}
	}
	other := plan
	other.Rounds = 2
	if _, err := store.Import(other, each(records, nil)); err == nil || !strings.Contains(err.Error(), "with at most 1 rounds, not of awale with at most 2") {
		t.Errorf("another limit of rounds: %v", err)
	}
	imported := new(results.ImportedError)
	next := cup(t, "awale", 2)
	next.Name, next.Family = "club", "club"
	if _, err := store.Begin(next, false); !errors.As(err, &imported) {
		t.Errorf("a run goes on: %v", err)
	}
	if differences := verifyImport(t, store); differences != nil {
		t.Errorf("verify: %q", differences)
	}
}

// TestVerifyImport: verify finds what is wrong with the list of an imported tournament.
func TestVerifyImport(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(in buckets) error
		want   string
	}{
		"the list is missing": {func(in buckets) error { return in.about.Delete([]byte(keyOrder)) }, "the order of the matches"},
		"the list is damaged": {func(in buckets) error { return in.about.Put([]byte(keyOrder), []byte("x")) }, "the order of the matches"},
		"a record is missing": {func(in buckets) error {
			raw := appendKey(nil, results.Key{South: "c", North: "b", Pair: 1})
			return errors.Join(in.summaries.Delete(raw), in.bodies.Delete(raw), in.dropEvidence(raw))
		}, "match 3 (c - b, pair 1): its record is missing"},
		"the list lacks a match": {func(in buckets) error {
			value := []byte{valueVersion, 0, 1, 2, 1, 0, 1}
			return in.about.Put([]byte(keyOrder), seal(orderKey(in.name), value))
		}, "it is not in the schedule"},
		"the list has a match twice": {func(in buckets) error {
			value := []byte{valueVersion, 0, 1, 2, 0, 1, 2}
			return in.about.Put([]byte(keyOrder), seal(orderKey(in.name), value))
		}, "the match b - a, pair 2 is there twice"},
		"the list has a bot of another tournament": {func(in buckets) error {
			return in.about.Put([]byte(keyOrder), seal(orderKey(in.name), []byte{valueVersion, 0, 9, 1}))
		}, "it names a bot that is not in the tournament"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan, records := outside(t)
			store := openNew(t)
			_, err := store.Import(plan, each(records, nil))
			must(t, err)
			must(t, store.updateIn("club", test.change))
			if got := strings.Join(verifyImport(t, store), "\n"); !strings.Contains(got, test.want) {
				t.Errorf("verify: %q, want %q", got, test.want)
			}
		})
	}
}

// dropEvidence removes the evidence of a match, if there is any.
func (b buckets) dropEvidence(raw []byte) error {
	if b.evidence == nil {
		return nil
	}
	return b.evidence.Delete(raw)
}

// verifyImport returns the differences that verify finds.
func verifyImport(t *testing.T, store *Store) (lines []string) {
	t.Helper()
	_, err := store.Verify(Verification{Workers: 1, Tell: func(d Difference) { lines = append(lines, d.String()) }})
	must(t, err)
	return lines
}
