//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestLabStopped: after a signal, lab prints the report of the matches that have
// ended.
func TestLabStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the first line of progress")
	}
	t.Parallel()
	cmd := exec.Command("sembra", "lab", "awale", "--matches", "1000000", "--concurrency", "2")
	stdout, last := stopMeasuring(t, cmd)

	var played, different int
	title, _, _ := strings.Cut(stdout, "\n")
	const wantTitle = "awale  random against itself  %d of 1000000 matches, %d different"
	if _, err := fmt.Sscanf(title, wantTitle, &played, &different); err != nil || played == 0 || different != played {
		t.Errorf("the first line of the report is %q", title)
	}
	if want := fmt.Sprintf("sembra: stopped by a signal after %d of 1000000 matches", played); last != want {
		t.Errorf("the last line on standard error is %q, %q expected", last, want)
	}
}

// stopMeasuring starts the program, interrupts it at its first line on standard
// error, and returns what it printed and the last of those lines.
func stopMeasuring(t *testing.T, cmd *exec.Cmd) (stdout, last string) {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout = &out
	stderr, err := cmd.StderrPipe()
	mustBe(t, err)
	mustBe(t, cmd.Start())
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if last == "" {
			mustBe(t, cmd.Process.Signal(syscall.SIGINT))
		}
		last = lines.Text()
	}
	err = cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != exitStopped {
		t.Errorf("exit status %d (%v), %d expected", status, err, exitStopped)
	}
	return out.String(), last
}
