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
	"testing"
	"time"
)

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
		if !slices.ContainsFunc(matches, func(m matchLine) bool { return fmt.Sprint(m.Number) == told[1] }) {
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
