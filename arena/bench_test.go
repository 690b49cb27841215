//go:build unix

package arena

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"sembra/arena/jail"
	"sembra/arena/protocol"
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
		Entries: []Entry{{Name: "one", Launcher: testBot("instant")}, {Name: "two", Launcher: testBot("instant")}},
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

// BenchmarkStart starts a bot without and with a jail in turn, each until it
// has said mbiok, and reports what a start takes, what the jail adds, and the
// processor time of all processes from the start of a bot to its end.
func BenchmarkStart(b *testing.B) {
	j, err := jail.New(context.Background(), jail.Limits{Memory: 1 << 30, FamilyMemory: 2 << 30, Processes: 256})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	b.Log(j)
	plain, jailed := NewNursery(nil), NewNursery(j)
	defer plain.Close()
	defer jailed.Close()
	var spent [2]time.Duration // processor time without and with a jail
	cpuOfAll := func() time.Duration { return cpuTime() + usedBy(syscall.RUSAGE_CHILDREN) }
	start := func(n *Nursery, spent *time.Duration) time.Duration {
		cpu, begun := cpuOfAll(), time.Now()
		bot, err := readyBot().Launch(context.Background(), n)
		if err != nil {
			b.Fatal(err)
		}
		defer func() {
			bot.Stop(time.Second)
			*spent += cpuOfAll() - cpu
		}()
		if err := protocol.MBI.NewHost(bot).Handshake(); err != nil {
			b.Fatal(err)
		}
		took := time.Since(begun)
		if _, err := bot.Write([]byte("quit\n")); err != nil {
			b.Fatal(err)
		}
		return took
	}
	var without, with []time.Duration
	for b.Loop() {
		without, with = append(without, start(plain, &spent[0])), append(with, start(jailed, &spent[1]))
	}
	slices.Sort(without)
	slices.Sort(with)
	median := func(took []time.Duration) float64 { return float64(took[len(took)/2].Microseconds()) / 1000 }
	b.ReportMetric(median(without), "p50-plain-ms")
	b.ReportMetric(median(with), "p50-jailed-ms")
	b.ReportMetric(median(with)-median(without), "p50-more-ms")
	mean := func(spent time.Duration) float64 { return spent.Seconds() * 1000 / float64(len(with)) }
	b.ReportMetric(mean(spent[0]), "cpu-plain-ms")
	b.ReportMetric(mean(spent[1]), "cpu-jailed-ms")
}

// readyBot is a bot that needs as little time to start as a bot can.
func readyBot() Command {
	return Command{Args: []string{"/bin/sh", "-c", "read line; echo id name ready; echo mbiok; read line"}, Dir: "/usr"}
}
