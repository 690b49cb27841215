package web

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"sembra/results"
	"sembra/results/store"
)

// storeMany stores a round-robin whose matches have one move each. It is quick, but nobody can replay the matches.
func storeMany(t testing.TB, path string, bots, pairs int) {
	t.Helper()
	db, err := store.Open(path)
	must(t, err)
	defer db.Close()
	plan := planOf("many", "awale", pairs, botNames(bots)...)
	for i := range plan.Openings {
		plan.Openings[i] = fmt.Sprint("opening ", i)
	}
	b, err := db.Begin(plan, false)
	must(t, err)
	place := make(map[string]int, bots)
	for i, bot := range plan.Bots {
		place[bot] = i
	}
	var records []results.Record
	for slot := 1; slot <= b.Schedule.Len(); slot++ {
		key := b.Schedule.Key(slot)
		r := results.Record{
			Summary: results.Summary{
				Key: key, Result: results.SouthWins, Ending: results.EndEarly, SouthStore: 26, NorthStore: 22, Rounds: 1, Plies: 1,
				SouthTime: time.Millisecond, SouthCPU: 1e6, NorthCPU: 1e6,
				Hash: [16]byte{byte(slot), byte(slot >> 8), byte(slot >> 16)},
			},
			Body: results.Body{
				Opening: "opening", Moves: []string{"A"}, Elapsed: []time.Duration{time.Millisecond},
				Rounds: []results.Round{{Start: "begun", Position: "over", Reason: "early", South: 26, North: 22}},
			},
		}
		// The better bot wins the more often, the farther the two are apart.
		if (slot*7919)%(bots+1) > bots/2+place[key.North]-place[key.South] {
			r.Result = results.NorthWins
		}
		records = append(records, r)
		if len(records) == 20000 || slot == b.Schedule.Len() {
			must(t, b.Put(records))
			records = nil
		}
	}
	must(t, db.Close())
}

// BenchmarkPages makes the pages of a tournament of 100 bots and 99,000 matches (20 bots and 380 matches with -short).
func BenchmarkPages(b *testing.B) {
	bots, pairs := 100, 10
	if testing.Short() {
		bots, pairs = 20, 1
	}
	path := filepath.Join(b.TempDir(), "many.db")
	storeMany(b, path, bots, pairs)
	s := serverOf(b, path)
	for _, page := range []string{"", "crosstable", "matches"} {
		b.Run(page, func(b *testing.B) {
			for b.Loop() {
				s.drawn.answers = nil
				b.ReportMetric(float64(ask(s, "GET", "/t/many/"+page).Body.Len()), "bytes")
			}
		})
	}
}
