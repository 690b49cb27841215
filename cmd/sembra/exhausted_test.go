//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"testing"

	"golang.org/x/sys/unix"
)

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
		if whole && regexp.MustCompile(`(?m)^isolation: .*(; without|nothing)`).MatchString(stderr) {
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
