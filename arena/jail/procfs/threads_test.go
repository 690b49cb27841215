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
	if all := Threads(1 << 30); len(all) > 0 || Busy(1<<30) {
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
	if !Busy(shell.Process.Pid) || !Busy(worker) {
		t.Error("the one that works is not busy")
	}
	if err := exec.Command("kill", "-9", strconv.Itoa(worker)).Run(); err != nil {
		t.Fatal(err)
	}
	_ = shell.Wait() // it ends with an error
	if Busy(shell.Process.Pid) {
		t.Error("a process that is gone is busy")
	}
}
