package report

import (
	"io"
	"testing"

	"sembra/results"
)

// BenchmarkMatches lists a hundred thousand matches.
func BenchmarkMatches(b *testing.B) {
	list := MatchList{Tournament: spring(1, "a", "b"), Places: oneStage{places{2}}}
	for slot := range 100_000 {
		summary := record(results.Key{South: "a", North: "b", Pair: slot/2 + 1}, results.SouthWins).Summary
		list.Matches = append(list.Matches, results.Slotted{Slot: slot + 1, Summary: summary})
	}
	for _, format := range []Format{Table, CSV} {
		b.Run(string(format), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must(b, Matches(list).Write(io.Discard, format, 0))
			}
		})
	}
}
