package results

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"sembra/engine"
)

// BenchmarkSummaries reads all summaries of a tournament of about a million matches (about a hundred
// thousand with -short) and makes its standings.
func BenchmarkSummaries(b *testing.B) {
	pairs := 50000
	if testing.Short() {
		pairs = 5000
	}
	store := openNew(b)
	tournament := spring(pairs, "random", "greedy", "minimax-2", "minimax-4", "minimax-6")
	order := newRoundRobin(tournament)
	must(b, store.Create(tournament))
	for slot := 1; slot <= order.Len(); {
		var records []Record
		for ; slot <= order.Len() && len(records) < 20000; slot++ {
			records = append(records, record(order.Key(slot), Result(slot%3)+1))
		}
		must(b, store.Put("spring", order, records))
	}
	for _, part := range []struct {
		name string
		work func() error
	}{
		{"Summaries", func() error { _, err := store.Summaries("spring", order); return err }},
		{"Done", func() error { _, err := store.Done("spring", order); return err }},
		{"Standings", func() error {
			summaries, err := store.Summaries("spring", order)
			if err == nil {
				_, err = NewStandings(tournament, summaries, nil)
			}
			return err
		}},
		{"OpenRead", func() error { return reopen(store, OpenRead) }},
		{"Open", func() error { return reopen(store, Open) }},
	} {
		if part.name == "OpenRead" {
			must(b, store.Close())
		}
		b.Run(part.name, func(b *testing.B) {
			for b.Loop() {
				must(b, part.work())
			}
			b.ReportMetric(float64(order.Len()), "matches")
		})
	}
}

// BenchmarkStandings makes the standings, with the rating of the field, from summaries: of a million matches whose
// openings all differ, of as many from one opening that are all different nevertheless, of as many that
// are one match over and over, and of two hundred bots (a tenth of each with -short).
func BenchmarkStandings(b *testing.B) {
	for _, c := range []struct {
		name               string
		bots, pairs        int
		oneOpening, repeat bool
	}{
		{"Openings", 5, 50000, false, false},
		{"OneOpening", 5, 50000, true, false},
		{"Repeats", 5, 50000, true, true},
		{"Bots", 200, 3, false, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			if testing.Short() {
				c.pairs = max(1, c.pairs/10)
			}
			tournament, summaries := manySummaries(c.bots, c.pairs, c.oneOpening, c.repeat)
			b.ReportAllocs()
			for b.Loop() {
				_, err := NewStandings(tournament, summaries, nil)
				must(b, err)
			}
			b.ReportMetric(float64(len(summaries)), "matches")
		})
	}
}

// manySummaries is a round-robin of bots of different strength, with results by chance.
func manySummaries(bots, pairs int, oneOpening, repeat bool) (Tournament, []Slotted) {
	t := spring(pairs)
	for i := range bots {
		t.Bots = append(t.Bots, fmt.Sprintf("bot-%d", i+1))
	}
	t.Settings = nil
	rules := must2(engine.Lookup(t.Ruleset))
	random := rand.New(rand.NewPCG(1, 2))
	seen := make(map[string]bool)
	for len(seen) < pairs {
		match := engine.NewMatch(rules, rules.Start())
		for range 12 {
			match.Play(match.Legal()[random.IntN(len(match.Legal()))])
		}
		opening := engine.Text(rules, match.Position())
		if !seen[opening] {
			t.Openings[len(seen)] = opening
		}
		seen[opening] = true
	}
	if oneOpening {
		for i := range t.Openings {
			t.Openings[i] = t.Openings[0]
		}
	}
	order := newRoundRobin(t)
	all := make([]Slotted, order.Len())
	for i := range all {
		key := order.Key(i + 1)
		s := record(key, NorthWins).Summary
		if random.Float64() < Expected(float64(5*order.place[key.South]), float64(5*order.place[key.North])) {
			s.Result = SouthWins
		}
		if !repeat {
			binary.BigEndian.PutUint64(s.Hash[:], random.Uint64())
		}
		all[i] = Slotted{Slot: i + 1, Summary: s}
	}
	return t, all
}

func reopen(store *Store, opener func(string) (*Store, error)) error {
	again, err := opener(store.Path())
	if err != nil {
		return err
	}
	return again.Close()
}

func BenchmarkPut1(b *testing.B)   { benchmarkPut(b, 1) }
func BenchmarkPut200(b *testing.B) { benchmarkPut(b, 200) }

// benchmarkPut stores matches in batches; the figure to look at is that a match.
func benchmarkPut(b *testing.B, batch int) {
	store := openNew(b)
	tournament := spring(1000000, "random", "greedy", "minimax-2", "minimax-4", "minimax-6")
	tournament.Openings = nil
	order := newRoundRobin(tournament)
	must(b, store.Create(tournament))
	slot := 1
	for b.Loop() {
		var records []Record
		for ; len(records) < batch; slot++ {
			records = append(records, longRecord(order.Key(slot)))
		}
		must(b, store.Put("spring", order, records))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(slot-1), "µs/match")
}

// longRecord is a record of a common length, 60 plies.
func longRecord(key Key) Record {
	r := record(key, SouthWins)
	for len(r.Moves) < 60 {
		r.Moves = append(r.Moves, "A")
		r.Elapsed = append(r.Elapsed, 1234567)
	}
	r.Plies = len(r.Moves)
	return r
}
