package web

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"sembra/results"
	"sembra/results/report"
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
	library, err := OpenLibrary(path)
	must(b, err)
	defer library.Close()
	templates, err := parseTemplates()
	must(b, err)
	for _, page := range []struct {
		name string
		view func(*store.Book) (any, error)
	}{
		{"tournament", func(book *store.Book) (any, error) { return newTournamentView(newReader(book), servedLinks{}) }},
		{"crosstable", func(book *store.Book) (any, error) {
			standings, err := book.Standings()
			must(b, err)
			tables := report.NewStandingsTables(standings, book.Schedule.Total(), nil)
			return newCrossView(standings, tables.Crosstable, newCellLinks(book.Tournament, servedLinks{}))
		}},
		{"matches", func(book *store.Book) (any, error) {
			return newMatchesView(newReader(book), matchChoice{}, servedLinks{})
		}},
	} {
		b.Run(page.name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				must(b, library.Read(b.Context(), "", func(book *store.Book) error {
					view, err := page.view(book)
					if err != nil {
						return err
					}
					main, err := renderMain(templates, content{Template: page.name, View: view})
					size = len(main)
					return err
				}))
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
