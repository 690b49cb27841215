package store

import (
	"testing"

	"sembra/results"
)

// BenchmarkSummaries reads all summaries of a tournament of about a million matches (about a hundred
// thousand with -short) and computes its standings.
func BenchmarkSummaries(b *testing.B) {
	pairs := 50000
	if testing.Short() {
		pairs = 5000
	}
	store := openNew(b)
	tournament := spring(pairs, "random", "greedy", "minimax-2", "minimax-4", "minimax-6")
	book := begin(b, store, tournament)
	order := book.Schedule
	for slot := 1; slot <= order.Len(); {
		var records []results.Record
		for ; slot <= order.Len() && len(records) < 20000; slot++ {
			records = append(records, record(order.Key(slot), results.Result(slot%3)+1))
		}
		must(b, book.Put(records))
	}
	for _, part := range []struct {
		name string
		work func() error
	}{
		{"Summaries", func() error { _, err := book.Recorded(); return err }},
		{"slots", func() error { _, err := book.slots(); return err }},
		{"Standings", func() error {
			summaries, err := book.Recorded()
			if err == nil {
				_, err = results.NewStandings(tournament, summaries, nil)
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

func reopen(store *Store, opener func(string) (*Store, error)) error {
	again, err := opener(store.Path())
	if err != nil {
		return err
	}
	return again.Close()
}
