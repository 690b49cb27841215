package procfs

import (
	"os/exec"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// TestThreads: of a shell that waits for another, and of that, which works.
func TestThreads(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc on this system")
	}
	if all := Threads(1 << 30); len(all) > 0 {
		t.Errorf("of no process: %v", all)
	}
	shell := exec.Command("sh", "-c", "sh -c 'while :; do :; done'; exit")
	if err := shell.Start(); err != nil {
		t.Skip(err)
	}
	worker := 0
	for worker == 0 {
		for thread, had := range Threads(shell.Process.Pid) {
			if thread != shell.Process.Pid && had.Ran > 20*time.Millisecond && had.Turns > 0 {
				worker = thread
			}
		}
	}
	if err := exec.Command("kill", "-9", strconv.Itoa(worker)).Run(); err != nil {
		t.Fatal(err)
	}
	_ = shell.Wait() // it ends with an error
}

// TestIgnoresChildren: of a program that ignores the ends of its children, and of one that does not.
func TestIgnoresChildren(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc on this system")
	}
	for script, want := range map[string]bool{"$SIG{CHLD} = 'IGNORE'; ": true, "": false} {
		program := exec.Command("perl", "-e", script+"$| = 1; print 1; <STDIN>")
		in, err := program.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := program.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := program.Start(); err != nil {
			t.Skip(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		if got := IgnoresChildren(program.Process.Pid); got != want {
			t.Errorf("%s: %v, want %v", script, got, want)
		}
		in.Close()
		if err := program.Wait(); err != nil {
			t.Error(err)
		}
	}
}
