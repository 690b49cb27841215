//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestCheckStopped: a signal ends a check at any point, and ends the bot.
func TestCheckStopped(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"hang", "first"} {
		for _, isolation := range []string{"auto", "none"} {
			t.Run(kind+" "+isolation, func(t *testing.T) {
				t.Parallel()
				mark := fmt.Sprintf("stopped-%s-%d", t.Name(), os.Getpid())
				var stderr bytes.Buffer
				cmd := exec.Command("sembra", "check", "--isolation", isolation, "--", "testbot", kind, mark)
				cmd.Dir, cmd.Stderr = t.TempDir(), &stderr
				writeFile(t, cmd.Dir, "slow", "") // so that the check is not over before the signal comes
				stdout, err := cmd.StdoutPipe()
				mustBe(t, err)
				stopAt(t, cmd, stdout, "ok   options")
				want := "sembra: stopped by a signal after 3 tests: 3 ok, 0 failed"
				if kind == "first" { // it gets further before the signal comes, on a busy machine
					want = "sembra: stopped by a signal after "
				}
				if !strings.HasPrefix(stderr.String(), want) {
					t.Errorf("it says %q", stderr.String())
				}
				if left := commandsWith(mark); len(left) > 0 {
					t.Errorf("these processes are left: %q", left)
				}
			})
		}
	}
}

// commandsWith lists the command lines that contain a mark, if ps is there.
func commandsWith(mark string) []string {
	var found []string
	out, _ := exec.Command("ps", "-eo", "pid,stat,args").Output()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, mark) {
			found = append(found, line)
		}
	}
	return found
}
