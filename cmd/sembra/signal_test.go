//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// longer is a tournament file. While the file slow exists, its matches take some
// seconds. The environment of its bots contains the mark.
func longer(mark string) string {
	return `
[tournament]
name = "cup"
ruleset = "awale"
pairs = 2
database = "cup.db"
[openings]
plies = 3
[time]
move = "20s"
[isolation]
mode = "none"
[[bot]]
name = "first"
command = ["testbot", "first"]
env = { SEMBRA_TEST_MARK = "` + mark + `" }
[[bot]]
name = "last"
command = ["testbot", "last"]
env = { SEMBRA_TEST_MARK = "` + mark + `" }
[[bot]]
name = "random"
builtin = "random"
env = { SEMBRA_TEST_MARK = "` + mark + `" }
`
}

// sequential is a tournament file like longer with a sequential test of as many matches.
func sequential(mark string) string {
	text := strings.Replace(longer(mark), "pairs = 2", "", 1)
	bot := strings.Index(text, "[[bot]]\nname = \"last\"")
	return text[:bot] + text[strings.Index(text, "[[bot]]\nname = \"random\""):] + "[sprt]\nelo1 = 10\nmax_pairs = 6\n"
}

// TestStopped stops a tournament, a sequential test and the replacement of a bot twice, resumes them, and compares
// their results with undisturbed ones.
func TestStopped(t *testing.T) {
	t.Parallel()
	all := []syscall.Signal{syscall.SIGINT, syscall.SIGKILL, syscall.SIGTERM}
	mended := func(mark string) string {
		return strings.Replace(longer(mark), `"testbot", "first"`, `"testbot", "middle"`, 1)
	}
	for name, c := range map[string]struct {
		file    func(mark string) string
		before  func(mark string) string // is played to its end before; nil: nothing is
		flags   []string
		goesOn  string
		signals []syscall.Signal // with the build tag long, all of them
	}{
		"run":     {longer, nil, nil, `tournament "cup" resumes: `, all[:2]},
		"sprt":    {sequential, nil, nil, `tournament "cup" resumes: `, all[:1]},
		"replace": {mended, longer, []string{"--replace", "first"}, "note: the replacement of first continues", all[1:2]},
	} {
		if long {
			c.signals = all
		}
		undisturbed := t.TempDir()
		writeFile(t, undisturbed, "cup.toml", c.file("undisturbed"))
		report := withoutCPU(mustRun(t, undisturbed, "run", "cup.toml"))
		matches := records(t, undisturbed, "cup.db")
		if len(matches) != 12 {
			t.Fatalf("%s: %d matches, 12 expected", name, len(matches))
		}
		for _, signal := range c.signals {
			t.Run(name+" "+signal.String(), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				mark := fmt.Sprintf("%s-%d", dir, os.Getpid())
				var before string
				if c.before != nil {
					writeFile(t, dir, "cup.toml", c.before(mark))
					mustRun(t, dir, "run", "cup.toml")
					before = mustRun(t, dir, "matches", "--db", "cup.db", "--bot", "first", "--format", "csv")
				}
				writeFile(t, dir, "cup.toml", c.file(mark))
				for range 2 {
					stopRun(t, dir, signal, 4, c.flags...)
					waitGone(t, mark)
					mustRun(t, dir, "verify", "--db", "cup.db")
				}
				must(t, os.Remove(filepath.Join(dir, "slow")))
				stdout, stderr, status := sembra(t, dir, append([]string{"run", "cup.toml"}, c.flags...)...)
				if status != exitDone || !strings.Contains("\n"+stderr, "\n"+c.goesOn) {
					t.Fatalf("resuming: exit status %d\n%s", status, stderr)
				}
				equal(t, "report", report, withoutCPU(stdout))
				equal(t, "matches", matches, records(t, dir, "cup.db"))
				waitGone(t, mark)
				copies := must2(filepath.Glob(filepath.Join(dir, "cup-before-replace-*.db")))
				if c.before == nil {
					return
				}
				if len(copies) != 1 || mustRun(t, dir, "matches", "--db", copies[0], "--bot", "first", "--format", "csv") != before {
					t.Errorf("the copies %q are not the database as it was", copies)
				}
			})
		}
	}
}

// TestEndlessInput: what has no end, or is too large, is refused soon and without reading all of it.
func TestEndlessInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe.toml"), 0o600))
	for _, name := range []string{"large", "large.toml", "large.jsonl"} {
		writeFile(t, dir, name, "")
		must(t, os.Truncate(filepath.Join(dir, name), 3<<30))
	}
	for _, input := range []string{"/dev/zero", "pipe.toml", "large"} {
		writeFile(t, dir, filepath.Base(input)+"-list.toml",
			strings.Replace(longer("input"), "[[bot]]", "[openings]\nfile = \""+input+"\"\n[[bot]]", 1))
	}
	for line, status := range map[string]int{
		"run /dev/zero": exitUsage, "run pipe.toml": exitUsage, "run large": exitUsage, "check pipe.toml": exitUsage,
		"run zero-list.toml": exitUsage, "run pipe.toml-list.toml": exitUsage, "check large-list.toml": exitUsage,
		"rate /dev/zero": exitUsage, "rate pipe.toml": exitUsage, "rate large": exitUsage, "rate -": exitUsage,
		"verify /dev/zero": exitUsage, "verify pipe.toml": exitUsage, "verify large": exitWrong, "verify large.jsonl": exitWrong,
		"replay /dev/zero 1": exitUsage, "replay pipe.toml 1": exitUsage, "replay large.toml 1": exitUsage,
		"openings awale --check pipe.toml": exitUsage, "standings --db pipe.toml": exitUsage,
		"worker nats://127.0.0.1:1 --credentials /dev/zero": exitUsage,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		cmd := exec.CommandContext(ctx, "sembra", strings.Fields(line)...)
		cmd.Dir = dir
		zero := must2(os.Open("/dev/zero"))
		cmd.Stdin = zero
		said, _ := cmd.CombinedOutput() // its exit status says how it ended
		cancel()
		zero.Close()
		if got := cmd.ProcessState.ExitCode(); got != status || !strings.Contains("\n"+string(said), "\nsembra: ") {
			t.Errorf("%s: exit status %d, want %d\n%s", line, got, status, said)
		}
		const most = 200 << 10 // KiB, as Linux counts
		if used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; runtime.GOOS == "linux" && used > most {
			t.Errorf("%s: %d KiB of memory", line, used)
		}
	}
}

// endsNoted returns how many ends of matches the bots in a folder have noted.
func endsNoted(dir string) int64 {
	stat, err := os.Stat(filepath.Join(dir, "ended"))
	if err != nil {
		return 0
	}
	return stat.Size()
}

// stopRun begins or resumes the tournament in a folder, and stops it when its bots have noted so many more ends of
// matches. The bots then wait, so the run is not over however late the signal comes.
func stopRun(t *testing.T, dir string, signal syscall.Signal, more int64, flags ...string) {
	t.Helper()
	noted := endsNoted(dir)
	writeFile(t, dir, "slow", fmt.Sprint(noted+more))
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("sembra", append([]string{"run", "cup.toml", "--concurrency", "2"}, flags...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	must(t, cmd.Start())
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(2 * time.Millisecond) {
		if endsNoted(dir) >= noted+more {
			break
		}
	}
	must(t, cmd.Process.Signal(signal))
	err := cmd.Wait()
	if stdout.Len() > 0 {
		t.Errorf("a stopped run prints %q", stdout.String())
	}
	if signal == syscall.SIGKILL {
		return
	}
	if status := cmd.ProcessState.ExitCode(); status != exitStopped {
		t.Fatalf("%v: exit status %d (%v), want %d\n%s", signal, status, err, exitStopped, stderr.String())
	}
	lines := strings.Split(strings.TrimSuffix(stderr.String(), "\n"), "\n")
	last := lines[len(lines)-1]
	const want = "sembra: stopped by a signal: %d of 12 matches are saved in cup.db; the same command plays the rest"
	saved := 0
	if _, err := fmt.Sscanf(last, want, &saved); err != nil || saved == 0 || last != fmt.Sprintf(want, saved) {
		t.Errorf("%v: the last line is %q", signal, last)
	}
}

// stopAt starts a program, interrupts it at the first line of an output that begins with a text, and returns all lines
// of that output. The program must end as one that was stopped.
func stopAt(t *testing.T, cmd *exec.Cmd, output io.Reader, begins string) (said []string) {
	t.Helper()
	must(t, cmd.Start())
	stopped := false
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if said = append(said, lines.Text()); !stopped && strings.HasPrefix(lines.Text(), begins) {
			must(t, cmd.Process.Signal(syscall.SIGINT))
			stopped = true
		}
	}
	err := cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); !stopped || status != exitStopped {
		t.Fatalf("exit status %d (%v), %d expected; it said %q", status, err, exitStopped, said)
	}
	return said
}

// waitGone waits until no process has the mark. A process that was just killed may take a moment.
func waitGone(t *testing.T, mark string) {
	t.Helper()
	var left []string
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(20 * time.Millisecond) {
		if left = marked(mark); len(left) == 0 {
			return
		}
	}
	t.Errorf("these processes are left: %s", strings.Join(left, ", "))
}

// marked lists the processes with the mark in their environment or their arguments, on systems with /proc.
func marked(mark string) []string {
	var found []string
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	commands, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range append(environments, commands...) {
		if text, err := os.ReadFile(path); err == nil && bytes.Contains(text, []byte(mark)) {
			found = append(found, path)
		}
	}
	return found
}

// TestCheckStopped: a signal ends a check at any point, and ends the bot.
func TestCheckStopped(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"hang", "first"} {
		for _, isolation := range []string{"auto", "none"} {
			t.Run(kind+" "+isolation, func(t *testing.T) {
				t.Parallel()
				mark := fmt.Sprintf("stopped-%s-%d", t.Name(), os.Getpid())
				var stderr bytes.Buffer
				cmd := exec.Command("sembra", "check", "--isolation", isolation, "--", "testbot", kind, mark)
				cmd.Dir, cmd.Stderr = t.TempDir(), &stderr
				writeFile(t, cmd.Dir, "slow", "") // so that the check is not over before the signal comes
				stdout := must2(cmd.StdoutPipe())
				stopAt(t, cmd, stdout, "ok   options")
				want := "sembra: stopped by a signal after 3 tests: 3 ok, 0 failed"
				if kind == "first" { // it gets further before the signal comes, on a busy machine
					want = "sembra: stopped by a signal after "
				}
				if !strings.HasPrefix(stderr.String(), want) {
					t.Errorf("it says %q", stderr.String())
				}
				waitGone(t, mark)
			})
		}
	}
}

// TestLabStopped: after a signal, lab prints the report of the matches that have ended.
func TestLabStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the first line of progress")
	}
	t.Parallel()
	var stdout strings.Builder
	cmd := exec.Command("sembra", "lab", "awale", "--matches", "1000000", "--concurrency", "1")
	cmd.Stdout = &stdout
	stderr := must2(cmd.StderrPipe())
	said := stopAt(t, cmd, stderr, "")
	last := said[len(said)-1]

	var played, different int
	title, _, _ := strings.Cut(stdout.String(), "\n")
	const wantTitle = "awale  random against itself  %d of 1000000 matches, %d different"
	if _, err := fmt.Sscanf(title, wantTitle, &played, &different); err != nil || played == 0 || different != played {
		t.Errorf("the first line of the report is %q", title)
	}
	if want := fmt.Sprintf("sembra: stopped by a signal after %d of 1000000 matches", played); last != want {
		t.Errorf("the last line on standard error is %q, %q expected", last, want)
	}
}

// TestReaderStopsEarly: when the reader of a pipe ends, as head does, the program ends without a word.
func TestReaderStopsEarly(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGPIPE) {
		t.Skip("who started this test ignores SIGPIPE, and the program does as well")
	}
	var stderr bytes.Buffer
	cmd := exec.Command("sembra", "openings", "awale", "--plies", "8", "--count", "5000") // more than a pipe holds
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Errorf("no line: %v", err)
	}
	stdout.Close()
	err = cmd.Wait()
	exit := new(exec.ExitError)
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE || stderr.Len() > 0 {
		t.Errorf("%v, %q", err, stderr.String())
	}
}
