//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestClockStopped: a signal ends the matches, what was measured of those that
// have ended is printed, and the bots' folder is gone.
func TestClockStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the first line of progress")
	}
	t.Parallel()
	temp := t.TempDir()
	var stdout bytes.Buffer
	cmd := exec.Command("sembra", "clock", "--matches", "100000", "--isolation", "none")
	cmd.Stdout, cmd.Env = &stdout, append(os.Environ(), "TMPDIR="+temp)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var last string
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if last == "" {
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
		last = lines.Text()
	}
	err = cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != exitStopped {
		t.Errorf("exit status %d (%v), %d expected", status, err, exitStopped)
	}
	var played int
	const want = "sembra: stopped by a signal: %d of 100000 matches were played, the report is of these"
	if _, err := fmt.Sscanf(last, want, &played); err != nil || played == 0 {
		t.Errorf("the last line on standard error is %q", last)
	}
	if title := fmt.Sprintf("awale  random against itself  %d of 100000 matches, ", played); !strings.HasPrefix(stdout.String(), title) {
		t.Errorf("the report does not begin with %q: %s", title, stdout.String())
	}
	if !strings.Contains(stdout.String(), "\nsuggestion: margin = ") {
		t.Errorf("there is no suggestion: %s", stdout.String())
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
