package procfs

import (
	"os/exec"
	"runtime"
	"testing"
	"time"

	"sembra/engine/expect"
)

var must = expect.NoError

// From proc_pid_stat(5), with names of that a bot could choose.
func TestParse(t *testing.T) {
	t.Parallel()
	const rest = " 20 0 1 0 5 6 7"
	for text, want := range map[string]Process{
		"7 (sh) S 1 7 7 0 -1 4194304 1 2 3 4 5 6 70 8" + rest: {
			PID: 7, Parent: 1, Group: 7, State: 'S', Threads: 1,
			Used: 110 * time.Millisecond, Reaped: 780 * time.Millisecond,
		},
		"8 (a) R 1 (b) Z 7 6 5 0 -1 12 0 0 0 0 1 0 0 0" + rest: {
			PID: 8, Parent: 7, Group: 6, State: 'Z', Exiting: true, Used: 10 * time.Millisecond, Threads: 1,
		},
		"9 () T 1 2": {}, "": {}, ")": {}, "x": {}, "5 (a": {},
	} {
		if got, ok := parse(text); ok != (want.PID > 0) || got != want {
			t.Errorf("%q: %+v %v, want %+v", text, got, ok, want)
		}
	}
}

// TestCPU: it counts the living children with theirs, and the dead that were waited for.
func TestCPU(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc on this system")
	}
	if used, _ := CPU(1<<30, false); used != 0 {
		t.Errorf("of no process: %v", used)
	}
	// The shell waits for one worker, and then another works and lives on below it.
	const work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
	shell := exec.Command("sh", "-c", "sh -c '"+work+"'; sh -c '"+work+"; echo; read x; exit'; exit")
	in, err := shell.StdinPipe()
	must(t, err)
	out, err := shell.StdoutPipe()
	must(t, err)
	if err := shell.Start(); err != nil {
		t.Skip(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	used, ok := CPU(shell.Process.Pid, false)
	in.Close()
	_ = shell.Wait()
	all := shell.ProcessState.UserTime() + shell.ProcessState.SystemTime()
	// Each worker did about half of the work, and the kernel rounds down what it tells.
	if !ok || used < all*3/4-50*time.Millisecond || used > all {
		t.Errorf("%v of %v, %v", used, all, ok)
	}
}

// TestSumOf: the name of a process cannot lessen what it holds.
func TestSumOf(t *testing.T) {
	t.Parallel()
	text := "Name:\tVmSwap: -999999\nUmask:\t0022\nVmSwap:\t       8 kB\nRssAnon:\t    1024 kB\nRssFile:\t 9 kB\n"
	if got := sumOf([]byte(text), []string{"RssAnon", "VmSwap"}); got != 1032<<10 {
		t.Errorf("%d bytes", got)
	}
}

// TestExiting: a process group exits once all of it is killed. A program runs until all of its threads and children
// have ended.
func TestExiting(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc on this system")
	}
	program := exec.Command("perl", "-e", "setpgrp; $SIG{CHLD} = 'IGNORE'; $| = 1; "+
		"exit(sleep 9) if !fork; print 1; <STDIN>; kill 9, -$$")
	in, err := program.StdinPipe()
	must(t, err)
	out, err := program.StdoutPipe()
	must(t, err)
	if err := program.Start(); err != nil {
		t.Skip(err)
	}
	_, err = out.Read(make([]byte, 1))
	must(t, err)
	pid := program.Process.Pid
	if Exiting(pid, true) || Exiting(pid, false) {
		t.Errorf("it exits already: %v %v", Exiting(pid, true), Exiting(pid, false))
	}
	in.Close()
	for deadline := time.Now().Add(time.Minute); !Exiting(pid, true); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it runs although it was killed")
		}
	}
	_ = program.Wait() // it was killed
}
