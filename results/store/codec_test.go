package store

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/engine/expect"
	"sembra/results"
)

// Every field of a body comes back, and so does the evidence.
func TestBodies(t *testing.T) {
	t.Parallel()
	key := keyOf("a", "b", 1)
	raw := appendKey(nil, key)
	whole := record(key, results.Draw)
	whole.Seeds = [2]uint64{1<<64 - 1, 7}
	whole.Scores = []*float64{nil, new(-0.1), new(0.0)}
	whole.Moves = []string{"A", "12-34", "±"}
	whole.Elapsed = []time.Duration{0, 63, 1<<63 - 1}
	whole.Body.Rounds = append(whole.Body.Rounds,
		results.Round{Start: "s", Plies: 300, Position: "", Reason: "cycle", South: 0, North: 64})
	whole.Files[1], whole.Evidence = "0123456789abcdef", new(evidence())
	for name, want := range map[string]results.Record{
		"whole": whole, "empty": {}, "without scores": record(key, results.Draw),
	} {
		got := results.Record{Summary: want.Summary}
		must(t, decodeBody(raw, must2(encodeBody(raw, want)), &got))
		equal(t, name, want, got)
	}
}

// TestAllFields: no field of a record is forgotten, whichever there are.
func TestAllFields(t *testing.T) {
	t.Parallel()
	var want results.Record
	expect.FillNonZero(&want)
	want.Result, want.Ending, want.Fault = results.NorthWins, results.EndTime, results.SouthFault // valid ones
	raw, got := appendKey(nil, want.Key), results.Record{Summary: results.Summary{Key: want.Key}}
	must(t, decodeSummary(raw, encodeSummary(raw, want.Summary), &got.Summary))
	must(t, decodeBody(raw, must2(encodeBody(raw, want)), &got))
	equal(t, "a record with all fields", want, got)
}

// A body with a right checksum, but with fields that are not there, is an error. It takes no memory for them.
func TestBrokenBodies(t *testing.T) {
	t.Parallel()
	key := keyOf("a", "b", 1)
	raw := appendKey(nil, key)
	whole := must2(encodeBody(raw, record(key, results.Draw)))
	seeds := string(make([]byte, 16))
	const opening, none = "\x00\x01A", "\x00\x00\x00" // none: no moves, times, rounds
	for name, payload := range map[string]string{
		"no seeds":                  "",
		"no opening":                seeds,
		"a long text":               seeds + "\x00\xff\xff\xff\xff\x0fA",
		"an unknown text":           seeds + "\x01",
		"a long list":               seeds + opening + "\xff\xff\xff\xff\x0f\x01",
		"an endless number":         seeds + strings.Repeat("\xff", 20),
		"a NaN as a score":          seeds + opening + none + "\x01\x01\x00\x00\x00",
		"an infinite score":         seeds + opening + none + "\x01\x00\x03Inf\x00\x00\x00",
		"evidence that is not JSON": seeds + opening + none + "\x00\x00\x00\x01{",
		"more than a body":          string(whole[1:len(whole)-checksumSize]) + "\x00",
	} {
		got := results.Record{Summary: results.Summary{Key: key}}
		err := decodeBody(raw, seal(raw, append([]byte{valueVersion}, payload...)), &got)
		if err == nil || !strings.Contains(err.Error(), "the body of a - b, pair 1 is damaged: ") {
			t.Errorf("%s: %+v, %v", name, got.Body, err)
		}
	}
}

// TestNewerValues: a value of a version that is unknown is an error that says so.
func TestNewerValues(t *testing.T) {
	t.Parallel()
	key := []byte("key")
	_, err := unseal(key, seal(key, []byte{99, 1}))
	if want := "it has version 99, and this sembra knows version 1"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestSummaries: every field of a summary comes back. A CPU time can be unknown, which differs from 0.
func TestSummaries(t *testing.T) {
	t.Parallel()
	raw := appendKey(nil, keyOf("a", "b", 1))
	for cpu, want := range map[time.Duration]time.Duration{
		-5: -1, -1: -1, 0: 0, 1: 1, 127: 127, 128: 128, 1000 * time.Hour: 1000 * time.Hour,
	} {
		r := record(keyOf("a", "b", 1), results.SouthWins)
		r.CPU[0], r.CPU[1], r.Donkeys[0] = cpu, 7, 3
		r.Worker = "alpha on host"
		must(t, r.Check())
		s := results.Summary{Key: r.Key}
		must(t, decodeSummary(raw, encodeSummary(raw, r.Summary), &s))
		r.CPU[0] = want
		if s != r.Summary {
			t.Errorf("%+v came back as %+v", r.Summary, s)
		}
	}
}

func TestDecodeSummaryAllocatesNothing(t *testing.T) {
	r := record(keyOf("a", "b", 1), results.SouthWins)
	raw := appendKey(nil, r.Key)
	value := encodeSummary(raw, r.Summary)
	s := results.Summary{Key: r.Key}
	if n := testing.AllocsPerRun(100, func() { must(t, decodeSummary(raw, value, &s)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if s != r.Summary {
		t.Errorf("%+v", s)
	}
}

func FuzzSummary(f *testing.F) {
	r := record(keyOf("a", "b", 1), results.SouthWins)
	good := encodeSummary(appendKey(nil, r.Key), r.Summary)
	f.Add("a", "b", 1, good[:len(good)-checksumSize])
	f.Add("x", "y", 70000, []byte{valueVersion, 1, 1, 0})
	f.Fuzz(func(t *testing.T, south, north string, pair int, payload []byte) {
		key := keyOf(south, north, pair)
		if key.Check() != nil {
			return
		}
		raw := appendKey(nil, key)
		if back, err := readKey(raw); err != nil || back != key {
			t.Fatalf("key %v came back as %v, %v", key, back, err)
		}
		s, again := results.Summary{Key: key}, results.Summary{Key: key}
		if decodeSummary(raw, seal(raw, payload), &s) != nil {
			return
		}
		must(t, decodeSummary(raw, encodeSummary(raw, s), &again))
		if s != again {
			t.Fatalf("%+v came back as %+v", s, again)
		}
	})
}

func FuzzBody(f *testing.F) {
	r := record(keyOf("a", "b", 1), results.SouthWins)
	raw := appendKey(nil, r.Key)
	r.Scores, r.Evidence = []*float64{nil, new(-0.5), new(1e300)}, new(evidence())
	good := must2(encodeBody(raw, r))
	f.Add(good[:len(good)-checksumSize])
	f.Fuzz(func(t *testing.T, payload []byte) {
		var r, again results.Record
		if decodeBody(raw, seal(raw, payload), &r) != nil {
			return
		}
		value := must2(encodeBody(raw, r))
		must(t, decodeBody(raw, value, &again))
		if diff := cmp.Diff(r, again); diff != "" {
			t.Fatal(diff)
		}
	})
}
