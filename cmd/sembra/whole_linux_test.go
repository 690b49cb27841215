package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"sembra/results/store"
)

// BenchmarkWhole measures the whole program as a user starts it: it is built, plays oware between two bots with ordinary
// buffered input and output, and keeps the results on disk. A ping-pong with deadlines runs in turn with it: it sends
// the same bots lines of the same kind and does nothing else. The time of a ply is also given as a multiple of the
// ping-pong's between two bots on one processor, and between as many bots on as many processors. On a machine with other
// work only these mean something; -count repeats them, and benchstat prints their medians.
func BenchmarkWhole(b *testing.B) {
	dir := b.TempDir()
	for folder := dir; folder != filepath.Clean(os.TempDir()) && folder != "/"; folder = filepath.Dir(folder) {
		_ = os.Chmod(folder, 0o755) // for bots with a user id of their own
	}
	runIn(b, ".", "cc", "-O2", "-o", dir+"/bot", "testdata/whole/bot.c")
	runIn(b, ".", "go", "build", "-o", dir, "./testdata/whole/pingpong")
	runIn(b, ".", "go", "build", "-o", dir, ".")
	pingpong := func(processors, pairs int) (ply float64) {
		const plies = 50_000
		took := timeOf(b, dir, processors, "./pingpong", "./bot", fmt.Sprint(plies), fmt.Sprint(pairs))
		return took / float64(plies*pairs)
	}
	for _, size := range []struct{ processors, matches int }{{1, 1}, {2, 1}, {2, 2}} {
		for _, isolation := range []string{"none", "auto"} {
			if size.processors > runtime.NumCPU() {
				continue
			}
			config := fmt.Sprintf(`
[tournament]
ruleset = "oware"
pairs = %d
concurrency = %d
database = "whole.db"
[openings]
plies = 6
[isolation]
mode = %q
[[bot]]
name = "one"
command = ["./bot"]
[[bot]]
name = "two"
command = ["./bot"]
`, 400*size.matches, size.matches, isolation)
			name := fmt.Sprintf("processors=%d/matches=%d/isolation=%s", size.processors, size.matches, isolation)
			b.Run(name, func(b *testing.B) {
				must(b, os.WriteFile(dir+"/whole.toml", []byte(config), 0o644))
				var one, alike, ours float64
				for b.Loop() {
					one += pingpong(1, 1)
					alike += pingpong(size.processors, size.matches)
					ours += timeOf(b, dir, size.processors, "./sembra", "run", "--fresh", "whole.toml")
				}
				ours /= float64(plies(b, dir+"/whole.db"))
				b.ReportMetric(ours/float64(b.N), "us/ply")
				b.ReportMetric(ours/one, "pingpong-on-one")
				b.ReportMetric(ours/alike, "pingpong-alike")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// timeOf runs a command in a folder, with all that it starts on the first processors, and returns its time in
// microseconds.
func timeOf(b *testing.B, dir string, processors int, command ...string) float64 {
	b.Helper()
	begun := time.Now()
	runIn(b, dir, append([]string{"taskset", "-c", fmt.Sprintf("0-%d", processors-1)}, command...)...)
	return float64(time.Since(begun).Nanoseconds()) / 1e3
}

// runIn runs a command in a folder, which has to succeed.
func runIn(b *testing.B, dir string, command ...string) {
	b.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// plies counts the plies of the newest tournament.
func plies(b *testing.B, database string) (sum int) {
	b.Helper()
	s, err := store.OpenRead(database)
	must(b, err)
	records, err := s.Records("")
	must(b, err)
	recorded, err := records.Recorded()
	must(b, err)
	for _, match := range recorded {
		sum += match.Plies
	}
	return sum
}
