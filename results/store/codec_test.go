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
	body, err := encodeJSON(appendKey(nil, here), r.Body)
	must(t, err)
	if _, err := decodeBody(there, appendKey(nil, there), body); err == nil || !strings.Contains(err.Error(), "a - b, pair 2") {
		t.Errorf("body: %v", err)
	}
}

func TestUnknownVersions(t *testing.T) {
	t.Parallel()
	key := keyOf("a", "b", 1)
	raw := appendKey(nil, key)
	value := seal(raw, []byte{burntVersion + 1, 1, 1, 0})
	s := results.Summary{Key: key}
	if err := decodeSummary(raw, value, &s); err == nil || !strings.Contains(err.Error(), "version 3") {
		t.Error(err)
	}
	if _, err := decodeBody(key, raw, seal(raw, []byte{9, '{', '}'})); err == nil || !strings.Contains(err.Error(), "version 9") {
		t.Error(err)
	}
	if _, err := decodeEvidence(key, raw, seal(raw, []byte{9, '{', '}'})); err == nil || !strings.Contains(err.Error(), "version 9") {
		t.Error(err)
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

// TestBurnt: only a summary in which a bot has burnt has the newer version, so that an older sembra reads all others.
func TestBurnt(t *testing.T) {
	t.Parallel()
	raw := appendKey(nil, keyOf("a", "b", 1))
	for _, burnt := range [][2]bool{{}, {true, false}, {false, true}, {true, true}} {
		r := record(keyOf("a", "b", 1), results.SouthWins)
		r.SouthBurnt, r.NorthBurnt = burnt[0], burnt[1]
		value := encodeSummary(raw, r.Summary)
		if newer := value[0] == burntVersion; newer != (burnt != [2]bool{}) {
			t.Errorf("%v: version %d", burnt, value[0])
		}
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
	good, err := encodeJSON(raw, r.Body)
	must(f, err)
	f.Add(good[:len(good)-checksumSize])
	f.Add([]byte(string(rune(valueVersion)) + `{"moves":[],"elapsed":[1,2]}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		_, _ = decodeBody(r.Key, raw, payload)
		body, err := decodeBody(r.Key, raw, seal(raw, payload))
		if err != nil {
			return
		}
		value, err := encodeJSON(raw, body)
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
