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
				waitGone(t, mark)
			})
		}
	}
}
