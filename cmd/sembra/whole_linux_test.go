package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"golang.org/x/sys/unix"

	"sembra/results/store"
)

// BenchmarkWhole measures the whole program as a user starts it: it is built,
// plays oware between two bots with ordinary buffered input and output, and keeps
// the results on disk. A ping-pong with deadlines runs in turn with it: it sends
// the same bots lines of the same kind and does nothing else. On a machine with
// other work only the ratios to the ping-pong mean something. The benchmark
// prints medians, and takes some minutes.
func BenchmarkWhole(b *testing.B) {
	built := newBuiltPrograms(b)
	cases := []*wholeCase{
		{name: "ping-pong", processors: 1, run: built.pingpong},
		{name: "sembra, no sandbox", processors: 1, run: built.tournament("none")},
		{name: "sembra, sandbox", processors: 1, run: built.tournament("auto")},
		{name: "ping-pong", processors: 2, run: built.pingpong},
		{name: "sembra, no sandbox", processors: 2, run: built.tournament("none")},
		{name: "sembra, sandbox", processors: 2, run: built.tournament("auto")},
	}
	if len(built.processors) < 2 {
		b.Log("only one processor may be used: two concurrent matches are not measured")
		cases = cases[:3]
	}
	const runs = 7
	for b.Loop() {
		for range runs {
			for _, c := range cases {
				wall, cpu := c.run(b, c.processors)
				c.wall, c.cpu = append(c.wall, wall), append(c.cpu, cpu)
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "processors\tconcurrent\t\tus/ply\tratio\trunner's cpu-ms/kply\tratio\t\n")
	for i, c := range cases {
		base := cases[i/3*3]
		fmt.Fprintf(table, "%d\t%[1]d\t%s\t%.1f\t%.2f\t%.1f\t%.2f\t\n", c.processors, c.name,
			median(c.wall), median(c.wall)/median(base.wall), median(c.cpu), median(c.cpu)/median(base.cpu))
		if c != base {
			unit := fmt.Sprintf("x-pingpong/%s/%d", strings.ReplaceAll(c.name, ", ", "-"), c.processors)
			b.ReportMetric(median(c.wall)/median(base.wall), strings.ReplaceAll(unit, " ", "-"))
		}
	}
	table.Flush()
	b.Logf("medians of %d\n%s", runs, text.String())
	if len(cases) > 3 {
		b.Logf("plies a second with two concurrent matches, against one: %.2f without the sandbox, %.2f with it",
			median(cases[1].wall)/median(cases[4].wall), median(cases[2].wall)/median(cases[5].wall))
	}
}

// wholeCase is a program to be measured on a number of processors, with as many
// concurrent matches.
type wholeCase struct {
	name       string
	processors int
	run        func(b *testing.B, processors int) (wall, cpu float64)

	// By run: microseconds a ply, and milliseconds of the process's own processor
	// time for 1000 plies.
	wall, cpu []float64
}

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// builtPrograms is what the benchmark has built.
type builtPrograms struct {
	dir        string
	processors []int
}

func newBuiltPrograms(b *testing.B) *builtPrograms {
	dir := b.TempDir()
	for folder := dir; folder != "/"; folder = filepath.Dir(folder) { // bots may have a user id of their own
		_ = os.Chmod(folder, 0o755) // those that belong to others are open already
		if folder == os.TempDir() {
			break
		}
	}
	built := &builtPrograms{dir: dir}
	build(b, "cc", "-O2", "-o", built.path("bot"), "testdata/whole/bot.c")
	build(b, "go", "build", "-o", built.path("pingpong"), "./testdata/whole/pingpong")
	build(b, "go", "build", "-o", built.path("sembra"), ".")
	var may unix.CPUSet
	if err := unix.SchedGetaffinity(0, &may); err != nil {
		b.Fatal(err)
	}
	for n := range len(may) * 64 {
		if may.IsSet(n) {
			built.processors = append(built.processors, n)
		}
	}
	return built
}

func (built *builtPrograms) path(name string) string { return filepath.Join(built.dir, name) }

func build(b *testing.B, command ...string) {
	b.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
}

// pingpong measures the ping-pong with as many pairs of bots as processors.
func (built *builtPrograms) pingpong(b *testing.B, processors int) (wall, cpu float64) {
	const plies = 50_000
	took, used := built.pinned(b, processors, built.path("pingpong"), built.path("bot"), fmt.Sprint(plies), fmt.Sprint(processors))
	return perPly(took, used, plies*processors)
}

// tournament measures sembra with as many concurrent matches as processors.
func (built *builtPrograms) tournament(isolation string) func(b *testing.B, processors int) (wall, cpu float64) {
	return func(b *testing.B, processors int) (wall, cpu float64) {
		config := `
[tournament]
ruleset = "oware"
pairs = ` + fmt.Sprint(400*processors) + `
concurrency = ` + fmt.Sprint(processors) + `
[openings]
plies = 6
[isolation]
mode = "` + isolation + `"
[[bot]]
name = "one"
command = ["./bot"]
[[bot]]
name = "two"
command = ["./bot"]
`
		if err := os.WriteFile(built.path("whole.toml"), []byte(config), 0o644); err != nil {
			b.Fatal(err)
		}
		database := built.path("whole.db")
		_ = os.Remove(database) // it may not be there
		took, used := built.pinned(b, processors, built.path("sembra"), "run", built.path("whole.toml"), "--db", database)
		return perPly(took, used, plies(b, database))
	}
}

func perPly(wall, cpu time.Duration, plies int) (us, ms float64) {
	return wall.Seconds() * 1e6 / float64(plies), cpu.Seconds() * 1e6 / float64(plies)
}

// plies counts the plies of the recorded matches.
func plies(b *testing.B, database string) (sum int) {
	s, err := store.Open(database)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	records, err := s.Records("")
	if err != nil {
		b.Fatal(err)
	}
	matches, err := records.Recorded()
	if err != nil {
		b.Fatal(err)
	}
	for _, match := range matches {
		sum += match.Plies
	}
	return sum
}

// pinned runs a command, with all that it starts, on the first of the processors.
// It returns how long that took, and the CPU time of the process alone.
func (built *builtPrograms) pinned(b *testing.B, processors int, command ...string) (wall, cpu time.Duration) {
	runtime.LockOSThread() // a child has the processors of the thread that starts it
	defer runtime.UnlockOSThread()
	var all, some unix.CPUSet
	for i, processor := range built.processors {
		all.Set(processor)
		if i < processors {
			some.Set(processor)
		}
	}
	if err := unix.SchedSetaffinity(0, &some); err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := unix.SchedSetaffinity(0, &all); err != nil {
			b.Fatal(err)
		}
	}()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = built.dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	// Only a process that is not yet waited for tells its time without that of its children.
	if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		b.Fatal(err)
	}
	wall = time.Since(begun)
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		b.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, said.String())
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	for _, ticks := range fields[11:13] { // user and system, in hundredths of a second
		n, err := strconv.Atoi(ticks)
		if err != nil {
			b.Fatal(err)
		}
		cpu += time.Duration(n) * 10 * time.Millisecond
	}
	return wall, cpu
}
