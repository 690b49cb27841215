//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results/store"
)

// TestKilled kills runs at random moments, and compares the outcome with that of an
// undisturbed run.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills, seed := 6, uint64(time.Now().UnixNano())
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
	mustBe(t, cmd.Start())
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
	mustBe(t, err)
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
	mustBe(t, os.WriteFile(copied, content, 0o600))
	store, err := store.Open(copied)
	if err != nil {
		t.Errorf("after %d bytes: %v", len(content), err)
		return
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	if k.attempts < births {
		mustBe(t, os.Truncate(path, 0))
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
		mustBe(t, err)
		left = append(left, paths...)
	}
	left = slices.DeleteFunc(left, func(path string) bool {
		return path == filepath.Join(k.temp, fmt.Sprintf("sembra-%d", os.Getuid())) || path == k.runtime+"/sembra"
	})
	if len(left) > 0 {
		t.Errorf("these are left: %v", left)
	}
}
