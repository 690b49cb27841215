package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sembra/arena/guest"
	"sembra/arena/sandbox"
	"sembra/engine/expect"
	"sembra/results"
	"sembra/results/store"
)

var must, equal = expect.NoError, expect.Equal

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// patience is how long the tests wait for something that a working program does immediately, even on a busy machine.
const patience = time.Minute

// With raceOptions the race detector does not delay the end of each process by a second.
const raceOptions = "atexit_sleep_ms=0"

// TestMain lets the test binary also be the program itself, if it is started by that name. The bots of the tests are a
// small program of their own: most of the time of a bot is its start.
func TestMain(m *testing.M) {
	if sandbox.IsChild(os.Args) {
		os.Exit(sandbox.RunChild())
	}
	if store.IsCheckChild(os.Args) {
		os.Exit(store.RunCheckChild(os.Args))
	}
	if err := os.Setenv("GORACE", raceOptions); err != nil {
		panic(err)
	}
	// Most tests wait for processes. A flag on the command line still overrides this.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	testscript.Main(tests{m}, map[string]func(){
		"sembra": func() {
			var stderr io.Writer = os.Stderr
			if _, isTerminal := terminalOf(stderr); !isTerminal {
				stderr = calmWriter{stderr}
			}
			status := run(os.Args, os.Stdin, os.Stdout, stderr)
			if len(os.Args) > 1 && os.Args[1] == "bot" {
				syscall.Exit(status) // immediately: raceOptions do not reach bots
			}
			os.Exit(status)
		},
	})
}

// calmWriter drops the line that bots are not bound to processors. Whether a run prints it depends on the runs of other
// tests, which use the same processors.
type calmWriter struct{ io.Writer }

func (w calmWriter) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("bots are not bound to processors")) {
		return len(line), nil
	}
	return w.Writer.Write(line)
}

// tests runs the tests, and makes what they need before.
type tests struct{ *testing.M }

func (m tests) Run() int {
	directPython()
	dir := must2(os.MkdirTemp("", "sembra-testbot"))
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-o", dir, "./testdata/testbot")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // it starts faster
	if said, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v: %s", err, said))
	}
	err := errors.Join(os.Chmod(dir, 0o755), os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")))
	if err != nil {
		panic(err)
	}
	return m.M.Run()
}

// directPython puts the folder of the interpreter that python3 is at the head of PATH. Where python3 is a script that
// looks for the interpreter, as that of pyenv, each start of a bot would take longer than the interpreter does.
func directPython() {
	path, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if folder := filepath.Dir(strings.TrimSpace(string(path))); err == nil && folder != "." {
		_ = os.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
}

// sembra runs the program in a folder, to its end.
func sembra(t *testing.T, dir string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command("sembra", args...)
	cmd.Dir = dir
	return output(cmd)
}

// output runs a command to its end.
func output(cmd *exec.Cmd) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		return "", err.Error(), -1
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// mustRun runs the program, which has to succeed, and returns its standard output.
func mustRun(t *testing.T, dir string, args ...string) string {
	t.Helper()
	stdout, stderr, status := sembra(t, dir, args...)
	if status != exitDone {
		t.Fatalf("sembra %s: exit status %d\n%s", strings.Join(args, " "), status, stderr)
	}
	return stdout
}

// records returns the records of the newest tournament, without their times and CPU times.
func records(t *testing.T, dir, db string) []results.Record {
	t.Helper()
	var all []results.Record
	for _, match := range must2(readLines(mustRun(t, dir, "matches", "--db", db, "--format", "jsonl"))) {
		record := match.Record
		record.Elapsed, record.Times, record.CPU = nil, [2]time.Duration{}, [2]time.Duration{}
		all = append(all, record)
	}
	return all
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	if filepath.Ext(name) == ".toml" {
		text = patient(text)
	}
	syscall.ForkLock.RLock() // nobody can execute a file that a process which another test starts has open for writing
	err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
	syscall.ForkLock.RUnlock()
	must(t, err)
}

// full is an output that takes nothing, like /dev/full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestLostOutput runs the program in this process, and so beside no other test that does: the cli package keeps
// global flags, which two concurrent runs would both write.
func TestLostOutput(t *testing.T) {
	for _, line := range []string{"moves awale", "apply awale C", "perft awale 3", "rulesets", "show awale", "--help", "moves --help"} {
		var stderr bytes.Buffer
		status := run(append([]string{"sembra"}, strings.Fields(line)...), strings.NewReader(""), full{}, &stderr)
		if status != exitWrong || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%s: exit status %d, %q", line, status, stderr.String())
		}
	}
}

// TestSay: a path that holds what harms a terminal is printed so that it does not.
func TestSay(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	if say(&said, "%s\nis read", "a\x1b[2J.db"); said.String() != "a␛[2J.db\nis read\n" {
		t.Errorf("%q", said.String())
	}
}

// TestReportStopped: a report that a signal stops leaves nothing, and an older report stays. It runs the program in this
// process, and so beside no other test, as TestLostOutput does.
func TestReportStopped(t *testing.T) {
	for _, c := range []struct{ name, output, file string }{
		{"a file", "report.html", "report.html"},
		{"a folder", "site/", "site/index.html"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			db := filepath.Join(dir, "cup.db")
			mustRun(t, dir, "duel", "greedy", "random", "--db", db)
			report := func(ctx context.Context) error {
				app := newApp(strings.NewReader(""), io.Discard, io.Discard)
				return app.RunContext(ctx, []string{"sembra", "report", "--db", db, "--output", filepath.Join(dir, "") + "/" + c.output})
			}
			stopped, stop := context.WithCancel(t.Context())
			stop()
			if err := report(stopped); exitStatus(err) != exitStopped {
				t.Errorf("error %v, want one with exit status %d", err, exitStopped)
			}
			checkFolder(t, dir, "cup.db")
			must(t, report(t.Context()))
			before := must2(os.ReadFile(filepath.Join(dir, c.file)))
			mustRun(t, dir, "duel", "greedy", "random", "--db", db, "--pairs", "2")
			if err := report(stopped); exitStatus(err) != exitStopped {
				t.Errorf("error %v, want one with exit status %d", err, exitStopped)
			}
			after := must2(os.ReadFile(filepath.Join(dir, c.file)))
			if string(after) != string(before) {
				t.Error("the older report has changed")
			}
			checkFolder(t, dir, "cup.db", strings.Split(c.file, "/")[0])
		})
	}
}

// checkFolder checks the names of what is in a folder.
func checkFolder(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries := must2(os.ReadDir(dir))
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(want, " "); got != want {
		t.Errorf("the folder has %s, want %s", got, want)
	}
}

// TestCutStderr: the lines of a bot's standard error stand below what it did, unless there is only one.
func TestCutStderr(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ stderr, text, want string }{
		{"", "it exited", "it exited"},
		{"no licence\n", "it exited; it wrote: no licence", "it exited; it wrote: no licence"},
		{
			"  one\r\n\x1btwo\n", "it exited; it wrote: one\u240d\u23ce\u241btwo (hint)",
			"it exited (hint)\nits standard error:\n    one\n  \u241btwo",
		},
		{"one\ntwo\n", "an illegal move", "an illegal move"},
	} {
		equal(t, test.stderr, test.want, withStderr(test.text, []byte(test.stderr)))
	}
	var many strings.Builder
	for n := range 30 {
		fmt.Fprintln(&many, n)
	}
	rest, below := cutStderr("it exited"+guest.QuoteStderr([]byte(many.String())), []byte(many.String()))
	equal(t, "what is left", "it exited", rest)
	equal(t, "the first line", "the last 20 lines of its standard error:\n  10\n", below[:46])
}
