package results

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOutcomeNames(t *testing.T) {
	for e := EndNormal; e <= EndAdjudicated; e++ {
		if got, err := ParseEnding(e.String()); err != nil || got != e {
			t.Errorf("%v: %v, %v", e, got, err)
		}
	}
	for r := SouthWins; r <= Void; r++ {
		if got, err := ParseResult(r.String()); err != nil || got != r {
			t.Errorf("%v: %v, %v", r, got, err)
		}
	}
	if _, err := ParseEnding("mate"); err == nil || !strings.Contains(err.Error(), `unknown ending "mate" (known: normal, cycle,`) {
		t.Error(err)
	}
	if _, err := ParseResult(""); err == nil {
		t.Error("an empty result was parsed")
	}
	if got := Ending(0).String() + Result(9).String(); got != "ending(0)result(9)" {
		t.Error(got)
	}
}

func TestMatchHash(t *testing.T) {
	moves := []string{"A", "b"}
	hash := MatchHash("awale", "x", "y", "start", moves)
	if hash != MatchHash("awale", "x", "y", "start", []string{"A", "b"}) {
		t.Error("equal matches differ")
	}
	for _, other := range [][16]byte{
		MatchHash("oware", "x", "y", "start", moves),
		MatchHash("awale", "y", "x", "start", moves),
		MatchHash("awale", "xy", "", "start", moves),
		MatchHash("awale", "x", "y", "startA", moves[1:]),
		MatchHash("awale", "x", "y", "start", []string{"Ab"}),
		MatchHash("awale", "x", "y", "start", nil),
	} {
		if hash == other {
			t.Error("different matches are equal")
		}
	}
}

func TestValuesAreFoundOutAtOtherKeys(t *testing.T) {
	here, there := Key{"a", "b", 1}, Key{"a", "b", 2}
	r := record(here, Draw)
	value := encodeSummary(appendKey(nil, here), r.Summary)
	moved := Summary{Key: there}
	if err := decodeSummary(appendKey(nil, there), value, &moved); err == nil || !strings.Contains(err.Error(), "a - b, pair 2") {
		t.Errorf("summary: %v", err)
	}
	kept, err := encodeEvidence(appendKey(nil, here), evidence())
	must(t, err)
	if _, err := decodeEvidence(there, appendKey(nil, there), kept); err == nil || !strings.Contains(err.Error(), "the evidence of a - b, pair 2 is damaged") {
		t.Errorf("evidence: %v", err)
	}
	body, err := encodeBody(appendKey(nil, here), r.Body)
	must(t, err)
	if _, err := decodeBody(there, appendKey(nil, there), body); err == nil || !strings.Contains(err.Error(), "a - b, pair 2") {
		t.Errorf("body: %v", err)
	}
}

func TestUnknownVersions(t *testing.T) {
	key := Key{"a", "b", 1}
	raw := appendKey(nil, key)
	value := seal(raw, []byte{summaryVersion + 1, 1, 1, 0})
	s := Summary{Key: key}
	if err := decodeSummary(raw, value, &s); err == nil || !strings.Contains(err.Error(), "version 4") {
		t.Error(err)
	}
	if _, err := decodeBody(key, raw, seal(raw, []byte{9, '{', '}'})); err == nil || !strings.Contains(err.Error(), "version 9") {
		t.Error(err)
	}
	if _, err := decodeEvidence(key, raw, seal(raw, []byte{9, '{', '}'})); err == nil || !strings.Contains(err.Error(), "version 9") {
		t.Error(err)
	}
}

// TestOldSummaries: summaries that were written before there were processor times, and before there
// were donkeys, are read.
func TestOldSummaries(t *testing.T) {
	for version, donkeys := range map[byte]int{1: 0, 2: 3} {
		r := record(Key{"a", "b", 1}, SouthWins)
		r.SouthDonkeys, r.NorthDonkeys = donkeys, donkeys
		r.SouthCPU, r.NorthCPU = unknownCPU, unknownCPU
		raw := appendKey(nil, r.Key)
		value := encodeSummary(raw, r.Summary)
		hash := len(value) - checksumSize - len(r.Hash)
		missing := 6 - 2*int(version) // numbers at the end, all of one byte
		old := slices.Concat([]byte{version}, value[1:hash-missing], value[hash:len(value)-checksumSize])
		s := Summary{Key: r.Key}
		must(t, decodeSummary(raw, seal(raw, old), &s))
		if s != r.Summary {
			t.Errorf("version %d: %+v came back as %+v", version, r.Summary, s)
		}
	}
}

// TestProcessorTimes: one that is not known is told apart from none at all.
func TestProcessorTimes(t *testing.T) {
	raw := appendKey(nil, Key{"a", "b", 1})
	for cpu, want := range map[time.Duration]time.Duration{
		-5: -1, -1: -1, 0: 0, 1: 1, 127: 127, 128: 128, 1000 * time.Hour: 1000 * time.Hour,
	} {
		r := record(Key{"a", "b", 1}, Draw)
		r.SouthCPU, r.NorthCPU = cpu, 7
		must(t, r.Check())
		s := Summary{Key: r.Key}
		must(t, decodeSummary(raw, encodeSummary(raw, r.Summary), &s))
		if s.SouthCPU != want || s.NorthCPU != 7 {
			t.Errorf("%d came back as %d beside %d", cpu, s.SouthCPU, s.NorthCPU)
		}
	}
}

// TestOldBody: a body that was written before rounds had a start and plies is read, and has them.
func TestOldBody(t *testing.T) {
	key := Key{"a", "b", 1}
	raw := appendKey(nil, key)
	old := `{"opening":"o","moves":["A","b"],"elapsed":[1,2],"rounds":[{"position":"p","reason":"early","south":25,"north":3}],"seeds":[1,2]}`
	body, err := decodeBody(key, raw, seal(raw, append([]byte{1}, old...)))
	must(t, err)
	want := []Round{{Start: "o", Plies: 2, Position: "p", Reason: "early", South: 25, North: 3}}
	if !slices.Equal(body.Rounds, want) {
		t.Errorf("%+v, want %+v", body.Rounds, want)
	}
}

func TestDecodeSummaryAllocatesNothing(t *testing.T) {
	r := record(Key{"a", "b", 1}, SouthWins)
	raw := appendKey(nil, r.Key)
	value := encodeSummary(raw, r.Summary)
	s := Summary{Key: r.Key}
	if n := testing.AllocsPerRun(100, func() { must(t, decodeSummary(raw, value, &s)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if s != r.Summary {
		t.Errorf("%+v", s)
	}
}

func FuzzSummary(f *testing.F) {
	r := record(Key{"a", "b", 1}, SouthWins)
	good := encodeSummary(appendKey(nil, r.Key), r.Summary)
	f.Add("a", "b", 1, good[:len(good)-checksumSize])
	f.Add("x", "y", 70000, []byte{summaryVersion, 1, 1, 0})
	for version := range byte(summaryVersion) {
		f.Add("a", "b", 1, slices.Concat([]byte{version}, good[1:len(good)-checksumSize]))
	}
	f.Fuzz(func(t *testing.T, south, north string, pair int, payload []byte) {
		key := Key{south, north, pair}
		if key.check() != nil {
			return
		}
		raw := appendKey(nil, key)
		if back, err := newKeyReader().read(raw); err != nil || back != key {
			t.Fatalf("key %v came back as %v, %v", key, back, err)
		}
		s := Summary{Key: key}
		_ = decodeSummary(raw, payload, &s) // most have no right checksum: nothing but no panic
		s = Summary{Key: key}
		if decodeSummary(raw, seal(raw, payload), &s) != nil {
			return
		}
		again := Summary{Key: key}
		must(t, decodeSummary(raw, encodeSummary(raw, s), &again))
		if s != again {
			t.Fatalf("%+v came back as %+v", s, again)
		}
	})
}

func FuzzBody(f *testing.F) {
	r := record(Key{"a", "b", 1}, SouthWins)
	raw := appendKey(nil, r.Key)
	good, err := encodeBody(raw, r.Body)
	must(f, err)
	f.Add(good[:len(good)-checksumSize])
	f.Add([]byte(string(rune(bodyVersion)) + `{"moves":[],"elapsed":[1,2]}`))
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
	key := Key{"a", "b", 1}
	raw := appendKey(nil, key)
	good, err := encodeEvidence(raw, evidence())
	must(f, err)
	f.Add(good[:len(good)-checksumSize])
	f.Add([]byte(string(rune(evidenceVersion)) + `{"south":{"lines":[{"text":"?"}]}}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		_, _ = decodeEvidence(key, raw, payload)
		evidence, err := decodeEvidence(key, raw, seal(raw, payload))
		if err != nil {
			return
		}
		value, err := encodeEvidence(raw, evidence)
		must(t, err)
		again, err := decodeEvidence(key, raw, value)
		must(t, err)
		if diff := cmp.Diff(evidence, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzTournament(f *testing.F) {
	good, err := encodeTournament(spring(2, "a", "b"))
	must(f, err)
	f.Add(good[:len(good)-checksumSize])
	f.Fuzz(func(t *testing.T, payload []byte) {
		key := []byte("spring")
		tournament, err := decodeTournament("spring", seal(key, payload))
		if err != nil {
			return
		}
		value, err := encodeTournament(tournament)
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
	good := storedRatings{slots: 3, ladder: NewLadder(Rating{1500, 16}, []string{"a", "b"})}.encode(key)
	f.Add(good[:len(good)-checksumSize])
	f.Fuzz(func(t *testing.T, payload []byte) {
		_, _ = decodeRatings(key, payload)
		ratings, err := decodeRatings(key, seal(key, payload))
		if err != nil {
			return
		}
		value := ratings.encode(key)
		again, err := decodeRatings(key, value)
		must(t, err)
		if string(again.encode(key)) != string(value) {
			t.Fatal("the ratings came back changed")
		}
	})
}

func BenchmarkDecodeSummary(b *testing.B) {
	r := record(Key{"minimax-6", "greedy", 123}, SouthWins)
	raw := appendKey(nil, r.Key)
	value := encodeSummary(raw, r.Summary)
	s := Summary{Key: r.Key}
	b.ReportAllocs()
	for b.Loop() {
		_ = decodeSummary(raw, value, &s)
	}
}
