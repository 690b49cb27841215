package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// playHostile is the life of a test bot that goes past a pause or past the limit of
// its memory, or of a runner that is killed while its bot is paused.
func playHostile(args []string) int {
	switch args[0] {
	case "wake": // it is woken each millisecond by a timer, or each 20 ms by the death of a child
		if args[1] == "timer" {
			// Linux does not start the timer of a signal again that a program ignores, or
			// that was pending when the program was stopped.
			woken := make(chan os.Signal, 1)
			signal.Notify(woken, unix.SIGCONT)
			var timers []int32
			const many = 40
			for n := range many {
				timers = append(timers, timer(unix.SIGCONT, time.Duration(n+1)*time.Millisecond, many*time.Millisecond))
			}
			go func() {
				for range woken {
					for n, id := range timers {
						set(id, time.Duration(n+1)*time.Millisecond, many*time.Millisecond)
					}
				}
			}()
		} else {
			const children, apart = 50, 20 * time.Millisecond
			for n := range children {
				born(time.Duration(n+1) * apart)
			}
		}
		fmt.Println("ready")
		for n := uint64(1); n > 0; n++ { // without a system call
		}
	case "threads":
		threads, _ := strconv.Atoi(args[1])
		for range threads {
			go func() {
				runtime.LockOSThread()
				for {
					_ = make([]byte, 1<<16)
				}
			}()
		}
		fmt.Println("ready")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "share": // some processes hold this many MiB each, and stay if there is another argument
		for range args[2] {
			cmd := exec.Command("/proc/self/exe", "__bot", "hold", args[1])
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err == nil {
				_, err = bufio.NewReader(out).ReadString('\n')
			}
			if err != nil {
				fmt.Println("refused:", err)
				return 0
			}
		}
		fmt.Println("all held")
		if len(args) > 3 {
			time.Sleep(10 * time.Minute)
		}
	case "hold":
		mib, _ := strconv.Atoi(args[1])
		b, err := unix.Mmap(-1, 0, mib<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return 1
		}
		for n := 0; n < len(b); n += 4096 {
			b[n] = 1
		}
		fmt.Println("held")
		_, _ = io.Copy(io.Discard, os.Stdin) // the parent's
		time.Sleep(10 * time.Minute)
		b[0]++
	case "sockets": // the buffers of all sockets that it can have are full
		sum := 0
		for {
			pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
			if err != nil {
				break
			}
			for _, end := range pair {
				for n := 0; n >= 0; n, _ = unix.Write(end, make([]byte, 4096)) {
					sum += n
				}
			}
		}
		fmt.Println(sum >> 20)
	}
	return 0
}

// frozen reports whether all processes of a bot's control group have stopped.
func frozen(i *Process) bool {
	text, _ := os.ReadFile(i.keeper.(*isolated).group.path + "/cgroup.events")
	return strings.Contains(string(text), "frozen 1")
}

// timer sends a signal to this process after a time, and again and again.
func timer(signal unix.Signal, first, again time.Duration) (id int32) {
	event := [16]int32{2: int32(signal)} // struct sigevent: eight bytes for a value, then the signal
	_, _, _ = syscall.RawSyscall(unix.SYS_TIMER_CREATE, unix.CLOCK_MONOTONIC,
		uintptr(unsafe.Pointer(&event)), uintptr(unsafe.Pointer(&id)))
	set(id, first, again)
	return id
}

// set restarts a timer.
func set(id int32, first, again time.Duration) {
	spec := [2]unix.Timespec{unix.NsecToTimespec(again.Nanoseconds()), unix.NsecToTimespec(first.Nanoseconds())}
	_, _, _ = syscall.RawSyscall6(unix.SYS_TIMER_SETTIME, uintptr(id), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
}

// born starts a child that dies after a time, also if it was stopped. Its death sends SIGCONT to this process.
func born(dies time.Duration) {
	pid, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(unix.SIGCONT), 0, 0, 0, 0, 0)
	if pid != 0 || errno != 0 {
		return
	}
	timer(unix.SIGKILL, dies, 0)
	for {
		_, _, _ = syscall.RawSyscall6(syscall.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
	}
}

// groupSandbox returns a sandbox whose bots have control groups. It skips the test on machines without.
func groupSandbox(t testing.TB, l Limits) *Sandbox {
	t.Helper()
	j := newTestSandbox(t, l)
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	if j.groups == nil && (os.Geteuid() != 0 || !strings.Contains(string(mounts), "- cgroup2 ")) {
		t.Skip("not on this machine: " + j.String())
	}
	need(t, j, j.groups != nil)
	return j
}

// TestFrozen: a bot that arranges to be woken uses no CPU time in a pause, continues after it, and dies in one, whether
// its control group freezes it or signals stop it.
func TestFrozen(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"timer", "child"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			seeFrozen(t, groupSandbox(t, usual()), how)
		})
		t.Run(how+", without groups", func(t *testing.T) {
			t.Parallel()
			j := newTestSandbox(t, usual())
			need(t, j, j.spaces)
			j.groups, j.caps = nil, false
			seeFrozen(t, j, how)
		})
	}
}

func seeFrozen(t *testing.T, j *Sandbox, how string) {
	t.Helper()
	i, in, out, _ := j.start(t, bot(t, "wake", how))
	defer in.Close()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		i.Pause()
		if j.groups != nil {
			until(t, "the bot is frozen", func() bool { return frozen(i) })
		} else {
			time.Sleep(20 * time.Millisecond) // until its threads have stopped
		}
		before, _ := i.CPU()
		time.Sleep(100 * time.Millisecond) // many timers would go off
		after, known := i.CPU()
		const deaths = 20 * time.Millisecond // much more than it takes some children to die
		if !known || after-before > deaths {
			t.Errorf("%v of CPU time", after-before)
		}
		i.Resume()
		until(t, "the bot continues", func() bool { now, _ := i.CPU(); return now > after+10*time.Millisecond })
	}
	i.Pause()
	i.Kill()
	if _, err := out.Read(make([]byte, 1)); err != io.EOF {
		t.Error("the bot lives:", err)
	}
	_ = i.Wait()
	i.Close()
	if j.groups == nil {
		return
	}
	if _, err := os.Stat(i.keeper.(*isolated).group.path); !os.IsNotExist(err) {
		t.Error("the group is left:", err)
	}
}

// TestIgnoredChildren: the clock of a group knows the time of children whose ends the
// bot ignores, and of those that leave its process group.
func TestIgnoredChildren(t *testing.T) {
	t.Parallel()
	j := groupSandbox(t, usual())
	burner := bot(t, "burn", "60ms")
	c := sh("trap '' CHLD; (setsid "+strings.Join(burner.Args, " ")+"; true) & wait; echo burnt; read x",
		"sh", burner.Program)
	i, in, out, log := j.start(t, c)
	defer in.Close()
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(line, err, log)
	}
	if cpu, known := i.CPU(); !known || cpu < 50*time.Millisecond {
		t.Error(cpu, known)
	}
	i.Kill()
	_ = i.Wait()
	i.Close()
}

// until waits for a state.
func until(t testing.TB, what string, reached func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !reached(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never: " + what)
		}
	}
}

// TestFrozenRunnerKilled: when a runner is killed whose bot is frozen, the bot dies,
// and the next run removes its group.
func TestFrozenRunnerKilled(t *testing.T) {
	t.Parallel()
	groupSandbox(t, usual())
	group := killRunner(t, bot(t, "runner", folder(t), "pauses"))
	if !strings.HasPrefix(group, "/") {
		t.Fatal(group)
	}
	until(t, "the group is removed", func() bool {
		j, err := New(context.Background(), usual())
		must(t, err)
		j.Close()
		_, err = os.Stat(group)
		return os.IsNotExist(err)
	})
}

// TestMemoryTotal: a bot whose processes together hold too much is killed, and the
// reason says why. One that holds less is not.
func TestMemoryTotal(t *testing.T) {
	t.Parallel()
	limits := usual()
	limits.MemoryTotal = 192 << 20
	j := newTestSandbox(t, limits)
	if l := j.live(t, bot(t, "share", "24", "xx")); l.out != "all held\n" || l.exit != "exit status 0" {
		t.Errorf("with little: %+v", l)
	}
	l := j.live(t, bot(t, "share", "64", "xxxxxxxx", "stay"))
	const reason = "killed: its processes together took more memory than memory_total, 192 MiB"
	// Without the kernel's limit, a runner on a busy machine may look only when they hold it all.
	if j.caps && l.out == "all held\n" || !strings.HasPrefix(l.exit, reason) {
		t.Errorf("with much: %+v", l)
	}
}

// TestSockets: the kernel's buffers for all sockets of a process stay small.
func TestSockets(t *testing.T) {
	t.Parallel()
	j := newTestSandbox(t, usual())
	need(t, j, j.Holds(Memory))
	l := j.live(t, bot(t, "sockets"))
	mib, err := strconv.Atoi(strings.TrimSpace(l.out))
	if err != nil || mib > 64 {
		t.Errorf("%d MiB, %v, %s", mib, err, l.log)
	}
	t.Logf("%d MiB in the buffers of sockets", mib)
}
