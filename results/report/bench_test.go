package report

import (
	"io"
	"testing"

	"sembra/results"
)

// BenchmarkMatches lists a hundred thousand matches.
func BenchmarkMatches(b *testing.B) {
	var records []results.Record
	for number := range 100_000 {
		records = append(records, record(results.Key{South: "a", North: "b", Pair: number/2 + 1}, results.SouthWins))
	}
	all := noted(records...)
	list := MatchList{Tournament: spring(1, "a", "b"), Places: oneStage{places{2}}, Matches: all, Whole: all}
	for _, format := range []Format{CSV, JSONL} {
		b.Run(string(format), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must(b, Matches(list).Write(io.Discard, format, 0))
			}
		})
	}
}
