//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox"
	"sembra/results"
	"sembra/results/report"
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
	Matches []results.Record
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
		if m.Fault != results.NoFault {
			faults[m.FaultName()] = true
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

// TestKilled kills runs at random moments, and compares the outcome with that of an undisturbed run.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills, seed := 6, uint64(time.Now().UnixNano())
	if long {
		kills = 200
	}
	t.Logf("the seed is %d", seed)
	k := &killer{site: newSite(t), random: rand.New(rand.NewPCG(seed, 0))}
	want := undisturbed(t)
	wholly := outlivesNothing(t)
	for cup := 1; k.kills < kills && !t.Failed(); cup++ {
		k.db, k.lines = fmt.Sprintf("%d.db", cup), nil
		for attempt := 0; attempt < 40 && k.kills < kills && k.kill(t, attempt == 0); attempt++ {
			if wholly {
				waitGone(t, k.mark)
			}
		}
		_ = os.Remove(filepath.Join(k.dir, "slow")) // it may not be there
		equal(t, k.db, want, k.finish(t, k.db))
		k.read(t)
		if wholly {
			waitGone(t, k.mark)
		}
		if len(k.left(t)) > 0 { // a run that has nothing to play does not look for what is left of others
			k.finish(t, "after-"+k.db)
		}
		if left := k.left(t); len(left) > 0 {
			t.Errorf("these are left: %v", left)
		}
	}
	t.Logf("%d kills; up to %d matches were recorded, and %d were told of", k.kills, k.most, k.told)
	if !t.Failed() && (k.most == 0 || kills > 20 && k.told == 0) {
		t.Error("no killed run recorded a match, or told of one")
	}
}

// killer kills runs.
type killer struct {
	*site
	random *rand.Rand
	kills  int
	most   int // matches that were recorded at a kill
	told   int // matches that killed runs told of

	db    string
	lines []string // all its matches that were read; nil: none were
}

// kill begins or resumes the tournament, and kills the run: soon after it has written to the database some times, or
// at any moment. It returns false if the run has ended by itself.
func (k *killer) kill(t *testing.T, first bool) bool {
	t.Helper()
	_ = os.Remove(filepath.Join(k.dir, "slow")) // it may not be there
	if first || k.random.IntN(2) == 0 {
		writeFile(t, k.dir, "slow", "")
	}
	cmd := k.command("run", "cup.toml", "--db", k.db, "--concurrency", fmt.Sprint(2+k.random.IntN(2)))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	before := k.written()
	must(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	writes, within := 1, 10*time.Millisecond
	if !first {
		writes = k.random.IntN(10)
	}
	if writes == 0 {
		within = 600 * time.Millisecond
	}
	for begun := time.Now(); writes > 0 && time.Since(begun) < 5*time.Second; time.Sleep(50 * time.Microsecond) {
		if now := k.written(); now != before {
			writes, before = writes-1, now
		}
	}
	time.Sleep(time.Duration(k.random.Int64N(int64(within))))
	_ = cmd.Process.Kill() // it may have ended
	if err := <-ended; cmd.ProcessState.Exited() {
		if cmd.ProcessState.ExitCode() != exitDone {
			t.Fatalf("a run that was to be killed has ended: %v\n%s", err, stderr.String())
		}
		return false
	}
	k.kills++
	if said := stderr.String(); regexp.MustCompile(`(parent|first) loses|\) failed, `).MatchString(said) {
		t.Errorf("a run says\n%s", said)
	}
	k.read(t)
	k.most = max(k.most, len(k.lines))
	if stdout.Len() > 0 && len(k.lines) < hardships { // a run can be killed after its last line
		t.Errorf("a run that was killed before its end prints %q", stdout.String())
	}
	matches := must2(readLines(strings.Join(k.lines, "\n")))
	for _, told := range regexp.MustCompile(`(?m)^match (\d+) \(.*\): .* loses \(`).FindAllStringSubmatch(stderr.String(), -1) {
		k.told++
		if !slices.ContainsFunc(matches, func(m report.Match) bool { return fmt.Sprint(m.Number) == told[1] }) {
			t.Errorf("this was told before the kill, but the match is not stored: %s", told[0])
		}
	}
	return true
}

// written tells when the database was written to.
func (k *killer) written() (at time.Time) {
	if info, err := os.Stat(filepath.Join(k.dir, k.db)); err == nil {
		at = info.ModTime()
	}
	return at
}

// read reads the database by the reading commands. They have to work as soon as it contains a tournament. All matches
// that were read before have to be unchanged.
func (k *killer) read(t *testing.T) {
	t.Helper()
	for _, args := range []string{"standings", "verify", "matches --format jsonl"} {
		stdout, stderr, status := k.sembra(append(strings.Fields(args), "--db", k.db)...)
		if status != exitDone {
			if k.lines != nil || !regexp.MustCompile("there is no tournament in it yet|it is empty|no such file").MatchString(stderr) || status != exitWrong {
				t.Errorf("sembra %s: exit status %d\n%s%s", args, status, stdout, stderr)
			}
			return
		}
		if !strings.HasPrefix(args, "matches") {
			continue
		}
		lines := strings.FieldsFunc(stdout, func(r rune) bool { return r == '\n' })
		for _, line := range k.lines {
			if !slices.Contains(lines, line) {
				t.Errorf("this match is not there any more, or not as it was: %s", line)
			}
		}
		k.lines = lines
	}
}

// left returns the files that killed runs have left.
func (k *killer) left(t *testing.T) []string {
	t.Helper()
	paths := must2(filepath.Glob(filepath.Join(k.temp, "*")))
	return slices.DeleteFunc(paths, func(path string) bool { return filepath.Base(path) == fmt.Sprintf("sembra-%d", os.Getuid()) })
}

// TestFewHandles: if the runner has too few file handles, its run or its matches fail, but no bot loses one, and no bot
// and no file is called wrong. With more handles, the same command plays the rest. What fails depends on the limit and
// on chance: the limits reach from what is too little to open a database to what a whole run needs.
func TestFewHandles(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	whole, _ := isolates(t)
	least := handles()
	limits := []int{8, 14, 24, 33, 38, 55} // beside what the command inherits; with fewer, the runtime of Go does not begin
	if long {
		limits = limits[:0]
		for n := 8; n < 80; n++ {
			limits = append(limits, n)
		}
	}
	s, db := newSite(t), "0.db"
	for _, more := range limits {
		limit := fmt.Sprintf("%d handles, of which it inherits %d", least+more, least)
		cmd := s.command("run", "cup.toml", "--db", db, "--concurrency", "3")
		stdout, stderr, status := output(limited(t, cmd, fmt.Sprintf("ulimit -n %d", least+more)))
		switch {
		case status == exitDone && withoutCPU(stdout) == want.Tables:
			equal(t, limit, want.Matches, records(t, s.dir, db))
			db = fmt.Sprintf("%d.db", more) // a new tournament for the next limit
		case status == exitWrong && stdout == "" &&
			regexp.MustCompile(`(?m)^sembra: .*(too many open files|bad file descriptor)`).MatchString(stderr):
		default:
			t.Errorf("%s: exit status %d\n%s%s", limit, status, stdout, stderr)
		}
		blamed := `: (first|random|parent) loses \(|both bots are at fault |^warning: bot |did not start|^sembra: (cup\.toml|bot )`
		if found := regexp.MustCompile(`(?m)(` + blamed + `)`).FindString(stderr); found != "" {
			t.Errorf("%s: it says %q:\n%s", limit, found, stderr)
		}
		if whole && regexp.MustCompile(`(?m)^isolation: .*without `).MatchString(stderr) {
			t.Errorf("%s: bots are isolated less\n%s", limit, stderr)
		}
	}
	equal(t, db, want, s.finish(t, db))
	if outlivesNothing(t) {
		waitGone(t, s.mark)
	}
}

// handles returns how many open files a command inherits.
func handles() int {
	const standard, most = 3, 1024
	inherited := standard
	for fd := uintptr(standard); fd < most; fd++ {
		if flags, err := unix.FcntlInt(fd, unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			inherited++
		}
	}
	return inherited
}

// limited returns the command under a limit that a shell sets.
func limited(t *testing.T, cmd *exec.Cmd, limit string) *exec.Cmd {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	path := must2(exec.LookPath(cmd.Path))
	args := append([]string{shell, "-c", limit + " || exit 99; exec \"$0\" \"$@\"", path}, cmd.Args[1:]...)
	cmd.Path, cmd.Args = shell, args
	return cmd
}
