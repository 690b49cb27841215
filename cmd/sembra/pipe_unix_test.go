//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
)

// TestReaderStopsEarly: when the reader of a pipe ends, as head does, the program ends without a word.
func TestReaderStopsEarly(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGPIPE) {
		t.Skip("who started this test ignores SIGPIPE, and the program does as well")
	}
	var stderr bytes.Buffer
	cmd := exec.Command("sembra", "openings", "awale", "--plies", "8", "--count", "5000") // more than a pipe holds
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	mustBe(t, err)
	mustBe(t, cmd.Start())
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Errorf("no line: %v", err)
	}
	stdout.Close()
	err = cmd.Wait()
	exit := new(exec.ExitError)
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE || stderr.Len() > 0 {
		t.Errorf("%v, %q", err, stderr.String())
	}
}
