//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"sembra/arena/sandbox"
)

// hardship is a tournament file with bots of all sorts. Its results do not depend
// on what happens to the runner. The environment of the bots contains the mark.
func hardship(mark string) string {
	text := `
[tournament]
name = "cup"
ruleset = "awale"
pairs = 1
disqualify_after = 3
database = "cup.db"
[time]
startup = "2m"
watchdog = "2m"
[openings]
plies = 3
`
	for _, bot := range []string{
		"name = \"first\"\ncommand = [\"testbot\", \"first\"]",
		"name = \"random\"\nbuiltin = \"random\"",
		"name = \"exits\"\ncommand = [\"testbot\", \"exits\"]", // it is disqualified
		"name = \"moody\"\ncommand = [\"testbot\", \"moody\"]", // it is not
		"name = \"parent\"\ncommand = [\"testbot\", \"parent\"]",
	} {
		text += "[[bot]]\n" + bot + "\nenv = { SEMBRA_TEST_MARK = \"" + mark + "\" }\n"
	}
	return text
}

// hardships is the number of its matches.
const hardships = 5 * 4 / 2 * 2

// site is a folder with that tournament, and folders for the program.
type site struct {
	dir  string
	temp string // for temporary files
	mark string // in the environment of the bots
}

// newSite makes a site.
func newSite(t *testing.T) *site {
	t.Helper()
	root := must2(os.MkdirTemp("/tmp", "sembra-site-"))
	t.Cleanup(func() { os.RemoveAll(root) })
	s := &site{dir: root + "/cup", temp: root + "/temp", mark: "SEMBRA_TEST_MARK=" + root}
	for _, folder := range []string{root, s.dir, s.temp} {
		_ = os.Mkdir(folder, 0o755) // the first is there
		must(t, os.Chmod(folder, 0o755))
	}
	writeFile(t, s.dir, "cup.toml", hardship(root))
	return s
}

// command returns a command that runs the program at the site.
func (s *site) command(args ...string) *exec.Cmd {
	cmd := exec.Command("sembra", args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "TMPDIR="+s.temp)
	return cmd
}

// sembra runs the program to its end.
func (s *site) sembra(args ...string) (stdout, stderr string, status int) {
	return output(s.command(args...))
}

// must runs the program, which has to succeed, and returns its standard output.
func (s *site) must(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, status := s.sembra(args...)
	if status != exitDone {
		t.Fatalf("sembra %s: exit status %d\n%s", strings.Join(args, " "), status, stderr)
	}
	return stdout
}

// outcome is the result of a tournament.
type outcome struct {
	Tables  string
	Matches []matchLine
}

// finish plays the tournament to its end, verifies it, and returns its outcome.
func (s *site) finish(t *testing.T, db string) outcome {
	t.Helper()
	tables := withoutCPU(s.must(t, "run", "cup.toml", "--db", db, "--concurrency", "3"))
	if want := fmt.Sprintf("%d matches of 1 tournament are as recorded\n", hardships); s.must(t, "verify", "--db", db) != want {
		t.Errorf("it is not verified that %s", want)
	}
	return outcome{tables, records(t, s.dir, db)}
}

// undisturbedOnce is the one tournament to which nothing happens, for all tests that compare theirs with it.
var undisturbedOnce struct {
	sync.Once
	outcome
	played bool
}

// undisturbed returns the outcome of the tournament if nothing happens to it. The first test that asks plays it.
func undisturbed(t *testing.T) outcome {
	t.Helper()
	once := &undisturbedOnce
	once.Do(func() {
		once.outcome = newSite(t).finish(t, "cup.db")
		checkFaults(t, once.outcome)
		once.played = !t.Failed()
	})
	if !once.played {
		t.Fatal("the undisturbed tournament has failed, here or in another test")
	}
	return once.outcome
}

// checkFaults checks that both bots with a fault, and no others, have lost by it.
func checkFaults(t *testing.T, o outcome) {
	t.Helper()
	faults := make(map[string]bool)
	for _, m := range o.Matches {
		if m.Fault != "" {
			faults[m.Fault] = true
		}
	}
	if len(faults) != 2 || !faults["exits"] || !faults["moody"] {
		t.Fatalf("at fault are %v", faults)
	}
}

// outlivesNothing reports whether all processes of a bot end with the runner on this machine.
func outlivesNothing(t *testing.T) bool {
	t.Helper()
	j := must2(sandbox.New(t.Context(), sandbox.Limits{Memory: 1 << 30, Processes: 256}))
	defer j.Close()
	return j.Holds(sandbox.Leftovers)
}
