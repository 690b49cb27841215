package store

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
)

func TestValuesAreFoundOutAtOtherKeys(t *testing.T) {
	t.Parallel()
	here, there := keyOf("a", "b", 1), keyOf("a", "b", 2)
	r := record(here, results.Draw)
	value := encodeSummary(appendKey(nil, here), r.Summary)
	moved := results.Summary{Key: there}
	if err := decodeSummary(appendKey(nil, there), value, &moved); err == nil || !strings.Contains(err.Error(), "a - b, pair 2") {
		t.Errorf("summary: %v", err)
	}
	kept, err := encodeJSON(appendKey(nil, here), evidence())
	must(t, err)
	if _, err := decodeEvidence(there, appendKey(nil, there), kept); err == nil || !strings.Contains(err.Error(), "the evidence of a - b, pair 2 is damaged") {
		t.Errorf("evidence: %v", err)
	}
	body := must2(encodeBody(appendKey(nil, here), r.Body))
	if _, err := decodeBody(there, appendKey(nil, there), body); err == nil || !strings.Contains(err.Error(), "a - b, pair 2") {
		t.Errorf("body: %v", err)
	}
}

func TestUnknownVersions(t *testing.T) {
	t.Parallel()
	key := keyOf("a", "b", 1)
	raw := appendKey(nil, key)
	value := seal(raw, []byte{valueVersion + 1, 1, 1, 0})
	s := results.Summary{Key: key}
	if err := decodeSummary(raw, value, &s); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Error(err)
	}
	if _, err := decodeBody(key, raw, seal(raw, []byte{9, '{', '}'})); err == nil || !strings.Contains(err.Error(), "version 9") {
		t.Error(err)
	}
	if _, err := decodeEvidence(key, raw, seal(raw, []byte{9, '{', '}'})); err == nil || !strings.Contains(err.Error(), "version 9") {
		t.Error(err)
	}
}

// Every field of a body comes back.
func TestBodies(t *testing.T) {
	t.Parallel()
	key := keyOf("a", "b", 1)
	raw := appendKey(nil, key)
	whole := record(key, results.Draw).Body
	whole.Seeds = [2]uint64{1<<64 - 1, 7}
	whole.Scores = []*float64{nil, new(-0.1), new(0.0)}
	whole.Moves = []string{"A", "12-34", "±"}
	whole.Elapsed = []time.Duration{0, 63, 1<<63 - 1}
	whole.Rounds = append(whole.Rounds, results.Round{Start: "s", Plies: 300, Position: "", Reason: "cycle", South: 0, North: 64})
	for name, body := range map[string]results.Body{"whole": whole, "empty": {}, "without scores": record(key, results.Draw).Body} {
		got, err := decodeBody(key, raw, must2(encodeBody(raw, body)))
		must(t, err)
		if diff := cmp.Diff(body, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A body with a right checksum, but with fields that are not there, is an error. It takes no memory for them.
func TestBrokenBodies(t *testing.T) {
	t.Parallel()
	key := keyOf("a", "b", 1)
	raw := appendKey(nil, key)
	whole := must2(encodeBody(raw, record(key, results.Draw).Body))
	seeds := string(make([]byte, 16))
	const opening, none = "\x00\x01A", "\x00\x00\x00" // none: no moves, times, rounds
	for name, payload := range map[string]string{
		"no seeds":                  "",
		"no opening":                seeds,
		"a long text":               seeds + "\x00\xff\xff\xff\xff\x0fA",
		"an unknown text":           seeds + "\x01",
		"a long list":               seeds + opening + "\xff\xff\xff\xff\x0f\x01",
		"an endless number":         seeds + strings.Repeat("\xff", 20),
		"a score that is no number": seeds + opening + none + "\x01\x01",
		"an infinite score":         seeds + opening + none + "\x01\x00\x03Inf",
		"more than a body":          string(whole[1:len(whole)-checksumSize]) + "\x00",
	} {
		value := seal(raw, append([]byte{valueVersion}, payload...))
		if body, err := decodeBody(key, raw, value); err == nil || !strings.Contains(err.Error(), "the body of a - b, pair 1 is damaged: ") {
			t.Errorf("%s: %+v, %v", name, body, err)
		}
	}
}

// TestProcessorTimes: a stored processor time can be unknown, which differs from 0.
func TestProcessorTimes(t *testing.T) {
	t.Parallel()
	raw := appendKey(nil, keyOf("a", "b", 1))
	for cpu, want := range map[time.Duration]time.Duration{
		-5: -1, -1: -1, 0: 0, 1: 1, 127: 127, 128: 128, 1000 * time.Hour: 1000 * time.Hour,
	} {
		r := record(keyOf("a", "b", 1), results.Draw)
		r.SouthCPU, r.NorthCPU = cpu, 7
		must(t, r.Check())
		s := results.Summary{Key: r.Key}
		must(t, decodeSummary(raw, encodeSummary(raw, r.Summary), &s))
		if s.SouthCPU != want || s.NorthCPU != 7 {
			t.Errorf("%d came back as %d beside %d", cpu, s.SouthCPU, s.NorthCPU)
		}
	}
}

// TestBurnt: a summary says who has burnt, beside who was at fault.
func TestBurnt(t *testing.T) {
	t.Parallel()
	raw := appendKey(nil, keyOf("a", "b", 1))
	for _, burnt := range [][2]bool{{}, {true, false}, {false, true}, {true, true}} {
		r := record(keyOf("a", "b", 1), results.SouthWins)
		r.SouthBurnt, r.NorthBurnt = burnt[0], burnt[1]
		value := encodeSummary(raw, r.Summary)
		s := results.Summary{Key: r.Key}
		must(t, decodeSummary(raw, value, &s))
		if s != r.Summary {
			t.Errorf("%v: %+v", burnt, s)
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
		if back, err := newKeyReader().read(raw); err != nil || back != key {
			t.Fatalf("key %v came back as %v, %v", key, back, err)
		}
		s := results.Summary{Key: key}
		_ = decodeSummary(raw, payload, &s) // most have no right checksum: nothing but no panic
		s = results.Summary{Key: key}
		if decodeSummary(raw, seal(raw, payload), &s) != nil {
			return
		}
		again := results.Summary{Key: key}
		must(t, decodeSummary(raw, encodeSummary(raw, s), &again))
		if s != again {
			t.Fatalf("%+v came back as %+v", s, again)
		}
	})
}

func FuzzBody(f *testing.F) {
	r := record(keyOf("a", "b", 1), results.SouthWins)
	raw := appendKey(nil, r.Key)
	r.Scores = []*float64{nil, new(-0.5), new(1e300)}
	good := must2(encodeBody(raw, r.Body))
	f.Add(good[:len(good)-checksumSize])
	f.Fuzz(func(t *testing.T, payload []byte) {
		_, _ = decodeBody(r.Key, raw, payload)
		body, err := decodeBody(r.Key, raw, seal(raw, payload))
		if err != nil {
			return
		}
		value, err := encodeBody(raw, body)
		must(t, err)
		again, err := decodeBody(r.Key, raw, value)
		must(t, err)
		if diff := cmp.Diff(body, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzEvidence(f *testing.F) {
	key := keyOf("a", "b", 1)
	raw := appendKey(nil, key)
	good, err := encodeJSON(raw, evidence())
	must(f, err)
	f.Add(good[:len(good)-checksumSize])
	f.Add([]byte(string(rune(valueVersion)) + `{"south":{"lines":[{"text":"?"}]}}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		_, _ = decodeEvidence(key, raw, payload)
		evidence, err := decodeEvidence(key, raw, seal(raw, payload))
		if err != nil {
			return
		}
		value, err := encodeJSON(raw, evidence)
		must(t, err)
		again, err := decodeEvidence(key, raw, value)
		must(t, err)
		if diff := cmp.Diff(evidence, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzTournament(f *testing.F) {
	good, err := encodeJSON([]byte("spring"), spring(2, "a", "b"))
	must(f, err)
	f.Add(good[:len(good)-checksumSize])
	f.Fuzz(func(t *testing.T, payload []byte) {
		key := []byte("spring")
		tournament, err := decodeTournament("spring", seal(key, payload))
		if err != nil {
			return
		}
		value, err := encodeJSON([]byte(tournament.Name), tournament)
		must(t, err)
		again, err := decodeTournament("spring", value)
		must(t, err)
		if diff := cmp.Diff(tournament, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzRatings(f *testing.F) {
	key := []byte("spring")
	good := encodeRatings(key, results.Ratings{Slots: 3, Rating: results.Rating{Start: 1500, K: 16}, Bots: []string{"a", "b"}, Elo: []float64{1510, 1490}})
	f.Add(good[:len(good)-checksumSize])
	f.Fuzz(func(t *testing.T, payload []byte) {
		_, _ = decodeRatings(key, payload)
		ratings, err := decodeRatings(key, seal(key, payload))
		if err != nil {
			return
		}
		value := encodeRatings(key, ratings)
		again, err := decodeRatings(key, value)
		must(t, err)
		if string(encodeRatings(key, again)) != string(value) {
			t.Fatal("the ratings came back changed")
		}
	})
}

func BenchmarkDecodeSummary(b *testing.B) {
	r := record(keyOf("minimax-6", "greedy", 123), results.SouthWins)
	raw := appendKey(nil, r.Key)
	value := encodeSummary(raw, r.Summary)
	s := results.Summary{Key: r.Key}
	b.ReportAllocs()
	for b.Loop() {
		_ = decodeSummary(raw, value, &s)
	}
}
