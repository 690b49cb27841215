package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"sembra/results/store"
)

// BenchmarkWhole measures the whole program as a user starts it: it is built, plays oware between two bots with ordinary
// buffered input and output, and keeps the results on disk. A ping-pong with deadlines runs in turn with it: it sends
// the same bots lines of the same kind and does nothing else. On a machine with other work only the ratios to the
// ping-pong mean something; -count repeats them, and benchstat prints their medians.
func BenchmarkWhole(b *testing.B) {
	dir := b.TempDir()
	for folder := dir; folder != filepath.Clean(os.TempDir()) && folder != "/"; folder = filepath.Dir(folder) {
		_ = os.Chmod(folder, 0o755) // for bots with a user id of their own
	}
	runIn(b, ".", "cc", "-O2", "-o", dir+"/bot", "testdata/whole/bot.c")
	runIn(b, ".", "go", "build", "-o", dir, "./testdata/whole/pingpong")
	runIn(b, ".", "go", "build", "-o", dir, ".")
	for processors := 1; processors <= min(2, runtime.NumCPU()); processors++ { // with as many matches at once
		b.Run(fmt.Sprintf("pingpong-%d", processors), func(b *testing.B) {
			const plies = 50_000
			timeOf(b, dir, processors, func() int { return plies * processors },
				"./pingpong", "./bot", fmt.Sprint(plies), fmt.Sprint(processors))
		})
		for _, isolation := range []string{"none", "auto"} {
			b.Run(fmt.Sprintf("isolation-%s-%d", isolation, processors), func(b *testing.B) {
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
`, 400*processors, processors, isolation)
				if err := os.WriteFile(dir+"/whole.toml", []byte(config), 0o644); err != nil {
					b.Fatal(err)
				}
				timeOf(b, dir, processors, func() int { return plies(b, dir+"/whole.db") },
					"./sembra", "run", "--fresh", "whole.toml")
			})
		}
	}
}

// timeOf runs a command in a folder, with all that it starts on the first processors, and reports the time for each of
// the plies that one run plays.
func timeOf(b *testing.B, dir string, processors int, plies func() int, command ...string) {
	for b.Loop() {
		runIn(b, dir, append([]string{"taskset", "-c", fmt.Sprintf("0-%d", processors-1)}, command...)...)
	}
	took := b.Elapsed().Seconds() * 1e6 / float64(b.N)
	b.ReportMetric(took/float64(plies()), "us/ply")
	b.ReportMetric(0, "ns/op")
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
	if err != nil {
		b.Fatal(err)
	}
	records, err := s.Records("")
	if err != nil {
		b.Fatal(err)
	}
	recorded, err := records.Recorded()
	if err != nil {
		b.Fatal(err)
	}
	for _, match := range recorded {
		sum += match.Plies
	}
	return sum
}
