//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestClockStopped: after a signal, clock prints what it has measured so far and
// removes the folder of the bots.
func TestClockStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the first line of progress")
	}
	t.Parallel()
	temp := t.TempDir()
	cmd := exec.Command("sembra", "clock", "--matches", "100000", "--isolation", "none")
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	stdout, last := stopMeasuring(t, cmd)
	var played int
	const want = "sembra: stopped by a signal after %d of 100000 matches"
	if _, err := fmt.Sscanf(last, want, &played); err != nil || played == 0 {
		t.Errorf("the last line on standard error is %q", last)
	}
	if title := fmt.Sprintf("awale  random against itself  %d of 100000 matches, ", played); !strings.HasPrefix(stdout, title) {
		t.Errorf("the report does not begin with %q: %s", title, stdout)
	}
	if !strings.Contains(stdout, "\nsuggestion: margin = ") {
		t.Errorf("there is no suggestion: %s", stdout)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
