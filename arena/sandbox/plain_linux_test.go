package sandbox

import (
	"bufio"
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sembra/arena/sandbox/procfs"
)

// TestPlainFamily: without a sandbox, a bot is stopped together with its process group, and killed together with a child
// in a session of its own too.
func TestPlainFamily(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread() // the bot dies with the thread that starts it
	const script = `sleep 600 & echo $!; setsid sh -c 'echo $$; exec sleep 600' & wait`
	ready, err := None().Prepare(context.Background(), Command{
		Program: "/bin/sh", Args: []string{"sh", "-c", script}, Dir: "/", Env: os.Environ(),
	})
	must(t, err)
	bot := must2(ready.Process(nil))
	out := must2(bot.Command().StdoutPipe())
	must(t, bot.ConfirmStart(bot.Start()))
	lines := bufio.NewReader(out)
	var children []int
	for range 2 {
		line := must2(lines.ReadString('\n'))
		children = append(children, must2(strconv.Atoi(strings.TrimSpace(line))))
	}
	listed := 0
	procfs.Walk(bot.Command().Process.Pid, true, func(p procfs.Process, _ []int) {
		if slices.Contains(children, p.PID) {
			listed++
		}
	})
	if listed != 2 {
		_ = syscall.Kill(children[1], syscall.SIGKILL)
		t.Errorf("%d children are below the bot, want 2", listed)
	}
	state := func(child int) (state byte) {
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
				t.Fatalf("the children were not %s: %c %c", what, state(children[0]), state(children[1]))
			}
		}
	}
	bot.Pause()
	await("stopped", func() bool { return state(children[0]) == 'T' })
	bot.Resume()
	await("continued", func() bool { return state(children[0]) != 'T' })
	bot.Kill()
	_ = bot.Wait() // it was killed
	bot.Close()
	for _, child := range children {
		await("killed", func() bool {
			return errors.Is(syscall.Kill(child, 0), syscall.ESRCH) || state(child) == 'Z'
		})
	}
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
	bot := must2(ready.Process(nil))
	out := must2(bot.Command().StdoutPipe())
	must(t, bot.ConfirmStart(bot.Start()))
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(line, err)
	}
	late := time.Duration(0)
	for range 8 {
		begun, _ := bot.CPU()
		deadline := time.Now().Add(time.Minute)
		for used := begun; used < begun+10*time.Millisecond; used, _ = bot.CPU() {
			if time.Sleep(time.Millisecond); time.Now().After(deadline) {
				t.Fatal("it does not go on")
			}
		}
		bot.Pause()
		before, _ := bot.CPU()
		time.Sleep(20 * time.Millisecond)
		after, _ := bot.CPU()
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
