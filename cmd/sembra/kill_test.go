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

	"github.com/google/go-cmp/cmp"

	"sembra/arena/jail"
	"sembra/results/store"
)

// hardship is a tournament file with bots of all sorts. Its results do not depend
// on what happens to the runner. The environment of the bots contains the mark.
func hardship(isolation, mark string) string {
	text := `
[tournament]
name = "cup"
ruleset = "awale"
pairs = 1
withdraw_after = 3
database = "cup.db"
[time]
startup = "2m"
watchdog = "2m"
[openings]
plies = 3
[isolation]
mode = "` + isolation + `"
`
	for _, bot := range []string{
		"name = \"first\"\ncommand = [\"testbot\", \"first\"]",
		"name = \"last\"\ncommand = [\"testbot\", \"last\"]",
		"name = \"random\"\nbuiltin = \"random\"",
		"name = \"minimax\"\nbuiltin = \"minimax\"\noptions = { Depth = 1 }",
		"name = \"exits\"\ncommand = [\"testbot\", \"exits\"]", // it is withdrawn
		"name = \"moody\"\ncommand = [\"testbot\", \"moody\"]", // it is not
		"name = \"parent\"\ncommand = [\"testbot\", \"parent\"]",
	} {
		text += "[[bot]]\n" + bot + "\nenv = { SEMBRA_TEST_MARK = \"" + mark + "\" }\n"
	}
	return text
}

// hardships is the number of its matches.
const hardships = 7 * 6 / 2 * 2

// site is a folder with that tournament, and folders for the program.
type site struct {
	dir     string
	temp    string // for temporary files
	runtime string // for the folder of sockets
	mark    string // in the environment of the bots
}

// newSite makes a site. Its path is short enough for sockets.
func newSite(t *testing.T, isolation string) *site {
	t.Helper()
	root, err := os.MkdirTemp("/tmp", "sembra-site-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	s := &site{dir: root + "/cup", temp: root + "/temp", runtime: root + "/runtime", mark: "SEMBRA_TEST_MARK=" + root}
	for _, folder := range []string{root, s.dir, s.temp, s.runtime} {
		_ = os.Mkdir(folder, 0o755) // the first is there
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, s.dir, "cup.toml", hardship(isolation, root))
	return s
}

// command returns a command that runs the program at the site.
func (s *site) command(args ...string) *exec.Cmd {
	cmd := exec.Command("sembra", args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "TMPDIR="+s.temp, "XDG_RUNTIME_DIR="+s.runtime)
	return cmd
}

// sembra runs the program to its end.
func (s *site) sembra(args ...string) (stdout, stderr string, status int) {
	return output(s.command(args...))
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

// undisturbed returns the outcome of the tournament if nothing happens to it.
func undisturbed(t *testing.T) outcome {
	t.Helper()
	s := newSite(t, "auto")
	o := s.finish(t, "cup.db")
	var faults []string
	for _, m := range o.Matches {
		faults = append(faults, m.Fault)
	}
	for _, bot := range []string{"exits", "moody"} {
		if !slices.Contains(faults, bot) {
			t.Errorf("%s is never at fault", bot)
		}
	}
	for _, bot := range []string{"first", "last", "random", "minimax", "parent"} {
		if slices.Contains(faults, bot) {
			t.Fatalf("%s is at fault", bot)
		}
	}
	return o
}

// TestKilled kills runs at random moments, and compares the outcome with that of an
// undisturbed run.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills, seed := 8, uint64(time.Now().UnixNano())
	if !long {
		testKilled(t, kills, seed)
		return
	}
	kills = 100
	for n := range uint64(3) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			testKilled(t, kills, seed+n)
		})
	}
}

func testKilled(t *testing.T, kills int, seed uint64) {
	began := time.Now()
	t.Logf("the seed is %d", seed)
	k := &killer{site: newSite(t, "auto"), random: rand.New(rand.NewPCG(seed, 0)), family: outlivesNothing(t)}
	want := undisturbed(t)
	for cup := 1; k.kills < kills && !t.Failed(); cup++ {
		db := fmt.Sprintf("%d.db", cup)
		k.begin(db)
		for k.kill(t, kills) {
		}
		_ = os.Remove(filepath.Join(k.dir, "slow")) // it may not be there
		if diff := cmp.Diff(want, k.finish(t, db)); diff != "" {
			t.Errorf("%s (-undisturbed +killed):\n%s", db, diff)
		}
		k.read(t)
		if k.family {
			waitGone(t, k.mark)
		}
		if len(k.jails()) > 0 { // a run that has nothing to play makes no jail, and does not look for what is left of others
			k.finish(t, "after-"+db)
		}
		k.checkLeft(t)
	}
	t.Logf("%d kills, %v, of %d tournaments in %v; up to %d processes of bots and %d matches were there, and %d were told of",
		k.kills, k.moments, k.cups, time.Since(began).Round(time.Millisecond), k.most, k.played, k.told)
	if kills > 20 && !t.Failed() && k.told == 0 {
		t.Error("no killed run told of a match")
	}
	if _, err := os.Stat("/proc/self/environ"); err == nil && kills > 20 && !t.Failed() && k.most < 4 {
		t.Errorf("never more than %d processes of bots were there", k.most)
	}
}

// outlivesNothing reports whether all processes of a bot end with the runner on
// this machine.
func outlivesNothing(t *testing.T) bool {
	t.Helper()
	j, err := jail.New(t.Context(), jail.Limits{Memory: 1 << 30, Processes: 256})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	return j.Layers().Family
}

// killer kills runs.
type killer struct {
	*site
	random  *rand.Rand
	family  bool // nothing of a bot may be left
	kills   int
	cups    int
	played  int            // matches that were recorded at a kill
	told    int            // matches that killed runs told of
	moments map[string]int // how many kills there were of a kind
	most    int            // bots, and processes that they have started, at a kill

	db       string
	attempts int // kills of this tournament

	mu     sync.Mutex // guards what follows
	stored bool       // there is a tournament in the database
	lines  []string   // all its matches that were read
}

// begin begins another tournament.
func (k *killer) begin(db string) {
	if k.moments == nil {
		k.moments = make(map[string]int)
	}
	k.db, k.attempts, k.stored, k.lines = db, 0, false, nil
	k.cups++
}

const (
	births   = 4  // times that the making of a database is cut off
	attempts = 40 // kills of one tournament at most
)

// kill begins or resumes the tournament, and kills the run. It returns false if the
// run has ended by itself, or if there were enough kills.
func (k *killer) kill(t *testing.T, most int) bool {
	t.Helper()
	if k.kills >= most || k.attempts >= attempts || t.Failed() {
		return false
	}
	k.attempts++
	if k.attempts <= births || k.random.IntN(2) == 0 {
		writeFile(t, k.dir, "slow", "")
	} else {
		_ = os.Remove(filepath.Join(k.dir, "slow")) // it may not be there
	}
	jails := k.jails()
	before := k.written()
	cmd := k.command("run", "cup.toml", "--db", k.db, "--concurrency", fmt.Sprint(2+k.random.IntN(2)))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	var waited error
	go func() {
		defer close(ended)
		waited = cmd.Wait()
	}()
	stopReading := func() {}
	if k.attempts > births && k.random.IntN(3) == 0 {
		stopReading = k.keepReading(t)
	}

	moment := k.await(ended, jails, before)
	below := relatives(cmd.Process.Pid)
	left := marked(k.mark) // the bots, and whom they have started
	err := cmd.Process.Kill()
	<-ended
	stopReading()
	if cmd.ProcessState.Exited() {
		if status := cmd.ProcessState.ExitCode(); status != exitDone {
			t.Fatalf("a run that was to be killed has ended: exit status %d (%v)\n%s", status, waited, stderr.String())
		}
		return false
	}
	k.kills++
	k.moments[moment]++
	k.most = max(k.most, len(left))
	if err != nil {
		t.Fatal(err)
	}
	if lines := stderr.String(); strings.Contains(lines, "parent loses") || strings.Contains(lines, "first loses") || strings.Contains(lines, ") failed, ") {
		t.Errorf("a run says\n%s", lines)
	}
	if k.family {
		waitGone(t, k.mark)
		below.waitGone(t)
	}
	told := toldFault.FindAllStringSubmatch(stderr.String(), -1)
	if moment == "birth" || len(told) > 0 || stdout.Len() > 0 || k.random.IntN(2) == 0 {
		k.read(t)
		k.played = max(k.played, len(k.lines))
	}
	if stdout.Len() > 0 && len(k.lines) < hardships { // a run can be killed after its last line
		t.Errorf("a run that was killed before its end prints %q", stdout.String())
	}
	k.checkTold(t, told)
	if moment == "birth" {
		k.checkBirth(t)
	}
	return true
}

// toldFault is the line that tells of a match with a fault as soon as the match is
// stored.
var toldFault = regexp.MustCompile(`(?m)^match (\d+) \(.*\): .* loses \(`)

// checkTold sees that the matches that a killed run told of are stored.
func (k *killer) checkTold(t *testing.T, told [][]string) {
	t.Helper()
	matches, err := readLines(strings.Join(k.lines, "\n"))
	if err != nil {
		t.Error(err)
	}
	for _, line := range told {
		k.told++
		if !slices.ContainsFunc(matches, func(m matchLine) bool { return fmt.Sprint(m.Slot) == line[1] }) {
			t.Errorf("this was told before the kill, but match %s is not stored: %s", line[1], line[0])
		}
	}
}

// await waits for a moment to kill the run, and returns the kind of the moment.
func (k *killer) await(ended <-chan struct{}, jails []string, before os.FileInfo) (moment string) {
	within := func(d time.Duration) {
		select {
		case <-time.After(time.Duration(k.random.Int64N(int64(d)))):
		case <-ended:
		}
	}
	until := func(happened func() bool) {
		for begun := time.Now(); !happened() && time.Since(begun) < 5*time.Second; time.Sleep(50 * time.Microsecond) {
			select {
			case <-ended:
				return
			default:
			}
		}
	}
	if k.attempts <= births {
		until(func() bool { return k.changed(before) })
		within(4 * time.Millisecond)
		return "birth"
	}
	switch k.random.IntN(6) {
	case 0:
		within(50 * time.Millisecond)
		return "early"
	case 1:
		until(func() bool { return !slices.Equal(k.jails(), jails) })
		within(150 * time.Millisecond)
		return "probing"
	case 2, 3:
		for range 1 + k.random.IntN(12) {
			until(func() bool { return k.changed(before) })
			before = k.written()
		}
		if k.random.IntN(2) == 0 {
			within(2 * time.Millisecond)
		}
		return "commit"
	}
	within(600 * time.Millisecond)
	return "any"
}

// written returns the file of the database, and nil if there is none.
func (k *killer) written() os.FileInfo {
	info, err := os.Stat(filepath.Join(k.dir, k.db))
	if err != nil {
		return nil
	}
	return info
}

// changed reports whether the database was written to since then.
func (k *killer) changed(before os.FileInfo) bool {
	now := k.written()
	return now != nil && (before == nil || now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime()))
}

// jails returns the folders of the jails.
func (k *killer) jails() []string {
	found, _ := filepath.Glob(filepath.Join(k.temp, "sembra-jail-*"))
	return found
}

// checkBirth checks that a run can use a database whose creation was interrupted.
// It then empties the file for the next kill.
func (k *killer) checkBirth(t *testing.T) {
	t.Helper()
	path := filepath.Join(k.dir, k.db)
	content, err := os.ReadFile(path)
	if err != nil {
		return // it was not there yet
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(copied, content, 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := store.Open(copied)
	if err != nil {
		t.Errorf("after %d bytes: %v", len(content), err)
		return
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	if k.attempts < births {
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		k.stored, k.lines = false, nil
	}
}

// keepReading reads the database again and again until stop is called.
func (k *killer) keepReading(t *testing.T) (stop func()) {
	var reader sync.WaitGroup
	enough := make(chan struct{})
	reader.Go(func() {
		for {
			select {
			case <-enough:
				return
			default:
				k.read(t)
			}
		}
	})
	return func() {
		close(enough)
		reader.Wait()
	}
}

// read reads the database by the reading commands. They have to work as soon as it
// contains a tournament. All matches that were read before have to be unchanged.
func (k *killer) read(t *testing.T) {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, command := range []string{"standings", "verify", "matches"} {
		args := []string{command, "--db", k.db}
		if command == "matches" {
			args = append(args, "--format", "jsonl")
		}
		stdout, stderr, status := k.sembra(args...)
		if status != exitDone {
			if k.stored || !saysNothingStored(stderr) || status != exitWrong {
				t.Errorf("sembra %s: exit status %d\n%s%s", strings.Join(args, " "), status, stdout, stderr)
			}
			return
		}
		k.stored = true
		if command != "matches" {
			continue
		}
		if _, err := readLines(stdout); err != nil {
			t.Error(err)
		}
		lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
		if stdout == "" {
			lines = nil
		}
		for _, line := range k.lines {
			if !slices.Contains(lines, line) {
				t.Errorf("this match is not there any more, or not as it was: %s", line)
			}
		}
		k.lines = lines
	}
}

// saysNothingStored reports whether a reader found nothing in a database.
func saysNothingStored(stderr string) bool {
	for _, says := range []string{"there is no tournament in it yet", "it is empty", "no such file"} {
		if strings.Contains(stderr, says) {
			return true
		}
	}
	return false
}

// checkLeft checks that the killed runs leave no files behind once a later run has
// ended by itself.
func (k *killer) checkLeft(t *testing.T) {
	t.Helper()
	var left []string
	for _, pattern := range []string{k.temp + "/*", k.runtime + "/*", k.runtime + "/sembra/*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, paths...)
	}
	left = slices.DeleteFunc(left, func(path string) bool {
		return path == filepath.Join(k.temp, fmt.Sprintf("sembra-%d", os.Getuid())) || path == k.runtime+"/sembra"
	})
	if len(left) > 0 {
		t.Errorf("these are left: %v", left)
	}
}

// family contains processes with their start times, because the system reuses
// process numbers.
type family map[string]string

// relatives returns all processes below a process, on systems with /proc.
func relatives(pid int) family {
	parents, begun := make(map[string]string), make(family)
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		const parent, start = 1, 19 // of the fields behind the name
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) > start {
			name := filepath.Base(filepath.Dir(path))
			parents[name], begun[name] = fields[parent], fields[start]
		}
	}
	for name := range begun {
		up := parents[name]
		for n := 0; n < len(parents) && up != "" && up != fmt.Sprint(pid); n++ {
			up = parents[up]
		}
		if up != fmt.Sprint(pid) {
			delete(begun, name)
		}
	}
	return begun
}

// waitGone waits until no process of the family is left.
func (f family) waitGone(t *testing.T) {
	t.Helper()
	var left []string
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(20 * time.Millisecond) {
		left = nil
		for name, begun := range f {
			stat, err := os.ReadFile("/proc/" + name + "/stat")
			fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
			if err == nil && len(fields) > 19 && fields[19] == begun && fields[0] != "Z" {
				command, _ := os.ReadFile("/proc/" + name + "/cmdline")
				left = append(left, fmt.Sprintf("%s %q", name, command))
			}
		}
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("these processes of the runner are left: %s", strings.Join(left, ", "))
}

// TestRelatives: relatives finds a process.
func TestRelatives(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("the system does not tell of processes")
	}
	cmd := exec.Command("sh", "-c", "testbot first; true")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	found := relatives(cmd.Process.Pid)
	for begun := time.Now(); len(found) == 0 && time.Since(begun) < patience; time.Sleep(time.Millisecond) {
		found = relatives(cmd.Process.Pid)
	}
	if len(found) != 1 {
		t.Errorf("found %v, want one process", found)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	found.waitGone(t)
}
