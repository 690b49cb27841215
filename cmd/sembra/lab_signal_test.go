//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// TestLabStopped: after a signal, lab prints the report of the matches that have
// ended.
func TestLabStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the first line of progress")
	}
	t.Parallel()
	var stdout strings.Builder
	cmd := exec.Command("sembra", "lab", "awale", "--matches", "1000000", "--concurrency", "1")
	cmd.Stdout = &stdout
	stderr, err := cmd.StderrPipe()
	mustBe(t, err)
	said := stopAt(t, cmd, stderr, "")
	last := said[len(said)-1]

	var played, different int
	title, _, _ := strings.Cut(stdout.String(), "\n")
	const wantTitle = "awale  random against itself  %d of 1000000 matches, %d different"
	if _, err := fmt.Sscanf(title, wantTitle, &played, &different); err != nil || played == 0 || different != played {
		t.Errorf("the first line of the report is %q", title)
	}
	if want := fmt.Sprintf("sembra: stopped by a signal after %d of 1000000 matches", played); last != want {
		t.Errorf("the last line on standard error is %q, %q expected", last, want)
	}
}
