//go:build unix

package arena

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"sembra/arena/guest"
	"sembra/results"
)

// BenchmarkReferee plays whole tournaments between two bots that answer at
// once, each a process, and reports what the arena costs. Pinned to one
// processor (taskset -c 0) it compares with what other runners need; so does
// concurrency=2 on two processors. A feed without a listener may cost nothing
// that can be measured.
func BenchmarkReferee(b *testing.B) {
	for _, concurrency := range []int{1, 2} {
		for _, feed := range []string{"none", "told"} {
			b.Run(fmt.Sprintf("concurrency=%d/feed=%s", concurrency, feed), func(b *testing.B) { benchmarkReferee(b, concurrency, feed) })
		}
	}
}

func benchmarkReferee(b *testing.B, concurrency int, feed string) {
	const pairs = 100
	t := &Tournament{
		Tournament: results.Tournament{Name: "bench", Pairs: pairs, Openings: make([]string, pairs)},
		Rules:      ruleset(b, "oware"), Concurrency: concurrency,
		Entries: []guest.Entry{{Name: "one", Launcher: testBot("instant")}, {Name: "two", Launcher: testBot("instant")}},
		Time: TimeControl{
			Base: 100 * time.Second, Increment: 10 * time.Second,
			Margin: 50 * time.Millisecond, Watchdog: time.Minute, Startup: 10 * time.Second,
		},
	}
	if feed != "none" {
		t.Feed = new(Feed)
	}
	plies := 0
	count := recorderFunc(func(records []results.Record) {
		for _, r := range records {
			plies += r.Plies
		}
	})
	before, begun := cpuTime(), time.Now()
	for b.Loop() {
		if err := t.Run(context.Background(), nil, count, func(Event) {}); err != nil {
			b.Fatal(err)
		}
	}
	wall, cpu := time.Since(begun), cpuTime()-before
	b.ReportMetric(float64(wall.Microseconds())/float64(plies), "us/ply")
	b.ReportMetric(float64(plies)/wall.Seconds(), "plies/s")
	b.ReportMetric(float64(cpu.Microseconds())/float64(plies), "cpu-ms/kply")
	b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "cpus")
}
