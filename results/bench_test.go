package results

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"sembra/engine"
)

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
		if random.Float64() < expected(float64(5*order.place[key.South]), float64(5*order.place[key.North])) {
			s.Result = SouthWins
		}
		if !repeat {
			binary.BigEndian.PutUint64(s.Hash[:], random.Uint64())
		}
		all[i] = Slotted{Slot: i + 1, Summary: s}
	}
	return t, all
}
