package sandbox

import (
	"bufio"
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sembra/arena/sandbox/procfs"
)

// TestPlainFamily: without a sandbox, a bot is stopped and killed together with a child in a session of its own.
func TestPlainFamily(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread() // the bot dies with the thread that starts it
	const script = `setsid sh -c 'echo $$; exec sleep 600' & wait`
	ready, err := None().Prepare(context.Background(), Command{
		Program: "/bin/sh", Args: []string{"sh", "-c", script}, Dir: "/", Env: os.Environ(),
	})
	must(t, err)
	bot := must2(ready.Process())
	out := must2(bot.Command().StdoutPipe())
	must(t, bot.Started(bot.Start()))
	line := must2(bufio.NewReader(out).ReadString('\n'))
	child := must2(strconv.Atoi(strings.TrimSpace(line)))
	listed := false
	procfs.Walk(bot.Command().Process.Pid, true, func(p procfs.Process, _ []int) { listed = listed || p.PID == child })
	if !listed {
		_ = syscall.Kill(child, syscall.SIGKILL)
		t.Error("the child is not below the bot")
	}
	state := func() (state byte) {
		procfs.Walk(child, true, func(p procfs.Process, _ []int) {
			if p.PID == child {
				state = p.State
			}
		})
		return state
	}
	await := func(what string, ok func() bool) {
		t.Helper()
		for begun := time.Now(); !ok(); time.Sleep(time.Millisecond) {
			if time.Since(begun) > time.Minute {
				t.Fatalf("the child was not %s: %c", what, state())
			}
		}
	}
	bot.Pause(false)
	await("stopped", func() bool { return state() == 'T' })
	bot.Resume()
	await("continued", func() bool { return state() != 'T' })
	bot.Kill()
	_ = bot.Wait() // it was killed
	bot.Close()
	await("killed", func() bool {
		return errors.Is(syscall.Kill(child, 0), syscall.ESRCH) || state() == 'Z'
	})
}

// TestManyThreads: a bot whose threads keep all processors busy is stopped at once. Its first thread, which the system
// would tell of a stop, can wait long for a processor then.
func TestManyThreads(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread() // the bot dies with the thread that starts it
	burner := bot(t, "threads")
	burner.Dir, burner.Env = "/", os.Environ()
	ready, err := None().Prepare(context.Background(), burner)
	must(t, err)
	bot := must2(ready.Process())
	out := must2(bot.Command().StdoutPipe())
	must(t, bot.Started(bot.Start()))
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(line, err)
	}
	late := time.Duration(0)
	for range 8 {
		begun, _, _ := bot.Used(0)
		deadline := time.Now().Add(time.Minute)
		for used := begun; used < begun+10*time.Millisecond; used, _, _ = bot.Used(0) {
			if time.Sleep(time.Millisecond); time.Now().After(deadline) {
				t.Fatal("it does not go on")
			}
		}
		bot.Pause(true)
		before, _, _ := bot.Used(0)
		time.Sleep(20 * time.Millisecond)
		after, _, _ := bot.Used(0)
		late += after - before
		bot.Resume()
	}
	if late > 5*time.Millisecond {
		t.Errorf("%v of CPU time after it was stopped 8 times", late)
	}
	bot.Kill()
	_ = bot.Wait() // it was killed
	bot.Close()
}
