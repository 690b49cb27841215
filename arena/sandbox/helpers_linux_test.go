package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sembra/engine/expect"
)

var must = expect.NoError

func must2[T any](value T, err error) T { return expect.Value(value, err) }

// playBot is the life of a test bot, or of a runner that is to be killed.
func playBot(args []string) int {
	fail := func(err error) int {
		fmt.Println("refused:", err)
		return 0
	}
	switch args[0] {
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "dial":
		conn, err := net.DialTimeout(args[1], args[2], patience)
		if err == nil {
			_, err = conn.Write([]byte("x"))
		}
		if err != nil {
			return fail(err)
		}
		fmt.Println("reached")
	case "memory":
		mib, _ := strconv.Atoi(args[1])
		b, err := unix.Mmap(-1, 0, mib<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return fail(err)
		}
		for n := 0; n < len(b); n += 4096 {
			b[n] = 1
		}
		fmt.Println("took", mib)
	case "raise":
		// The limits of the sandbox are not to be raised again.
		for _, resource := range []int{unix.RLIMIT_DATA, unix.RLIMIT_NPROC, unix.RLIMIT_CORE} {
			var l unix.Rlimit
			if err := unix.Getrlimit(resource, &l); err != nil {
				return fail(err)
			}
			l.Cur = l.Max
			if err := unix.Prlimit(0, resource, &unix.Rlimit{Cur: 1 << 40, Max: 1 << 40}, nil); err == nil {
				fmt.Println("raised", resource)
			}
			if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: 1 << 30, Max: 1 << 30}); err == nil {
				fmt.Println("raised", resource)
			}
		}
	case "forks":
		most, _ := strconv.Atoi(args[1])
		for n := range most {
			pid, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
			if pid == 0 && errno == 0 {
				for {
					_, _, _ = syscall.RawSyscall6(syscall.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
				}
			}
			if errno != 0 {
				_, _ = os.Stdout.WriteString(fmt.Sprintf("refused after %d\n", n))
				os.Exit(0)
			}
		}
		fmt.Println("all", most)
	case "calls":
		for name, number := range map[string]uintptr{
			"ptrace": unix.SYS_PTRACE, "mount": unix.SYS_MOUNT, "unshare": unix.SYS_UNSHARE, "bpf": unix.SYS_BPF,
			"setns": unix.SYS_SETNS, "keyctl": unix.SYS_KEYCTL, "clone3": unix.SYS_CLONE3, "io_uring": unix.SYS_IO_URING_SETUP,
			"userfaultfd": unix.SYS_USERFAULTFD, "perf": unix.SYS_PERF_EVENT_OPEN, "io_setup": unix.SYS_IO_SETUP,
			"open_tree_attr": unix.SYS_OPEN_TREE_ATTR, "vmsplice": unix.SYS_VMSPLICE, "listns": unix.SYS_LISTNS,
			"semget": unix.SYS_SEMGET, "msgget": unix.SYS_MSGGET, "mq_open": unix.SYS_MQ_OPEN, "inotify": unix.SYS_INOTIFY_INIT1,
			"timer_create": unix.SYS_TIMER_CREATE,
		} {
			if _, _, errno := unix.RawSyscall6(number, 0, 0, 0, 0, 0, 0); errno != unix.EPERM && errno != unix.ENOSYS {
				fmt.Println(name, errno)
			}
		}
		if _, _, errno := unix.RawSyscall(unix.SYS_CLONE, unix.CLONE_NEWUSER|uintptr(unix.SIGCHLD), 0, 0); errno != unix.EPERM {
			fmt.Println("clone", errno)
		}
		for name, number := range map[string]uintptr{
			"after the newest": newestCall + 1, "far after the newest": 1 << 20,
			"getpid of x32": 1<<30 + 39, "the last of x32": 1<<30 + 547, "the last": 1<<32 - 1,
		} {
			if _, _, errno := unix.RawSyscall6(number, 0, 0, 0, 0, 0, 0); errno != unix.ENOSYS {
				fmt.Println(name, errno)
			}
		}
		own, err := os.Create(filepath.Join(os.TempDir(), "own"))
		if err != nil {
			return fail(err)
		}
		for name, command := range map[string]int{
			"lease": unix.F_SETLEASE, "delegation": unix.F_SETDELEG, "notify": unix.F_NOTIFY, "signal": unix.F_SETSIG,
		} {
			if _, err := unix.FcntlInt(own.Fd(), command, unix.F_RDLCK); !errors.Is(err, unix.EPERM) {
				fmt.Println(name, err)
			}
		}
		if _, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0); err != nil {
			fmt.Println("socketpair", err)
		}
	case "uncounted":
		for _, taken := range uncounted(64 << 20) {
			fmt.Println(taken)
		}
	case "names":
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		if err != nil {
			return fail(err)
		}
		to := &unix.SockaddrUnix{Name: args[1]}
		if err := unix.Sendto(pair[0], []byte("x"), 0, to); err == nil {
			fmt.Println("sent")
		}
		if err := unix.Connect(pair[0], to); err == nil {
			fmt.Println("connected")
		}
		if err := unix.Bind(pair[0], &unix.SockaddrUnix{Name: args[1] + "-2"}); err == nil {
			fmt.Println("bound")
		}
	case "status":
		text, err := os.ReadFile("/proc/self/status")
		fmt.Print(string(text), err, "\n")
	case "threads":
		const many = 50
		runtime.GOMAXPROCS(many)
		var begun sync.WaitGroup
		begun.Add(many)
		for range many {
			go func() {
				runtime.LockOSThread()
				for begun.Done(); ; {
				}
			}()
		}
		begun.Wait()
		fmt.Println("burning")
		select {}
	case "burn":
		// In a child, and in a child of a child that is left behind.
		d, _ := time.ParseDuration(args[1])
		for begun := time.Now(); ; {
			var u unix.Rusage
			_ = unix.Getrusage(unix.RUSAGE_SELF, &u)
			if time.Duration(u.Utime.Nano()+u.Stime.Nano()) > d || time.Since(begun) > 10*time.Minute {
				break
			}
		}
	case "runner": // and if there is another argument, its bot is paused
		j, err := New(context.Background(), usual())
		if err != nil {
			return fail(err)
		}
		runtime.LockOSThread()
		c := sh(daemonScript)
		c.Dir, c.Env = args[1], []string{"PATH=/usr/bin:/bin"}
		ready, err := j.Prepare(context.Background(), c)
		if err != nil {
			return fail(err)
		}
		i, err := ready.Process(nil)
		if err != nil {
			return fail(err)
		}
		out, theirs, _ := os.Pipe()
		i.Command().Stdout, i.Command().Stderr = theirs, os.Stdout // the daemon keeps it open
		if err := i.ConfirmStart(i.Start()); err != nil {
			return fail(err)
		}
		line, _ := bufio.NewReader(out).ReadString('\n')
		if len(args) > 2 {
			i.Pause()
			for !frozen(i) {
				time.Sleep(time.Millisecond)
			}
			line = i.keeper.(*isolated).group.path
		}
		fmt.Println(strings.TrimSpace(line))
		time.Sleep(10 * time.Minute)
	default:
		return playHostile(args)
	}
	return 0
}

// uncounted takes memory that the limit of memory does not count, and returns what was not refused.
func uncounted(size int) (taken []string) {
	try := func(name string, err error) {
		if err == nil {
			taken = append(taken, name)
		}
	}
	const writable = unix.PROT_READ | unix.PROT_WRITE
	_, err := unix.Mmap(-1, 0, size, writable, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_GROWSDOWN)
	try("a stack", err)
	_, err = unix.Mmap(-1, 0, size, writable, unix.MAP_SHARED|unix.MAP_ANON)
	try("shared memory", err)
	zero, err := os.OpenFile("/dev/zero", os.O_RDWR, 0)
	if err == nil {
		_, err = unix.Mmap(int(zero.Fd()), 0, size, writable, unix.MAP_SHARED)
	}
	try("shared memory of a device", err)
	for _, stack := range stacks() {
		_, _, errno := unix.RawSyscall6(unix.SYS_MREMAP, stack, 4096, uintptr(size), unix.MREMAP_MAYMOVE, 0, 0)
		if errno == 0 {
			taken = append(taken, "the first stack")
		}
	}
	try("a limit of stacks", unix.Setrlimit(unix.RLIMIT_STACK, &unix.Rlimit{Cur: 65 << 20, Max: 65 << 20}))
	try("a limit of files", unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 257, Max: 257}))
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return append(taken, err.Error())
	}
	for name, option := range map[string]int{
		"SNDBUF": unix.SO_SNDBUF, "SNDBUFFORCE": unix.SO_SNDBUFFORCE,
		"RCVBUF": unix.SO_RCVBUF, "RCVBUFFORCE": unix.SO_RCVBUFFORCE,
	} {
		try(name, unix.SetsockoptInt(pair[0], unix.SOL_SOCKET, option, size))
	}
	try("another option of sockets", unix.SetsockoptInt(pair[0], unix.SOL_SOCKET, unix.SO_PASSCRED, 1))
	var pipe [2]int
	if err := unix.Pipe(pipe[:]); err != nil {
		return append(taken, err.Error())
	}
	_, err = unix.FcntlInt(uintptr(pipe[0]), unix.F_SETPIPE_SZ, 1<<20)
	try("a pipe", err)
	return taken
}

// stacks returns the first address of the first stack.
func stacks() (from []uintptr) {
	text, _ := os.ReadFile("/proc/self/maps") // some sandboxes have none
	for line := range strings.Lines(string(text)) {
		if strings.HasSuffix(line, "[stack]\n") {
			first, _, _ := strings.Cut(line, "-")
			address, _ := strconv.ParseUint(first, 16, 64)
			from = append(from, uintptr(address))
		}
	}
	return from
}

// patience is longer than anything takes that is right, also on a busy machine,
// and shorter than what is started to be ended.
const patience = 2 * time.Minute

// daemonScript leaves a daemon that holds standard output, says so, and stays.
const daemonScript = `(setsid sh -c 'sleep 600 & sleep 600' &) ; echo ready; sleep 600`

func newTestSandbox(t testing.TB, l Limits) *Sandbox {
	t.Helper()
	j := must2(New(context.Background(), l))
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

func usual() Limits { return Limits{Memory: 1 << 30, MemoryTotal: 2 << 30, Processes: 256} }

// need skips a test of a layer that this machine does not give. Root who may make namespaces gets all.
func need(t testing.TB, j *Sandbox, has bool) {
	t.Helper()
	switch {
	case has:
	case j.spaces && (j.ownID || os.Geteuid() != 0):
		t.Fatal("with namespaces it has to hold: " + j.String())
	default:
		t.Skip("not on this machine: " + j.String())
	}
}

// life is what was seen of a bot.
type life struct {
	out, log, exit string
	cpu            time.Duration
}

// start runs a bot from the test's goroutine, whose thread it locks: a bot dies with the thread that started it.
func (j *Sandbox) start(t testing.TB, c Command) (*Process, *os.File, *os.File, *bytes.Buffer) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	if c.Dir == "" {
		c.Dir = folder(t)
	}
	if c.Env == nil {
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "GORACE=atexit_sleep_ms=0"}
	}
	ready := must2(j.Prepare(context.Background(), c))
	i := must2(ready.Process(nil))
	theirIn, in, err := os.Pipe()
	must(t, err)
	out, theirOut, err := os.Pipe()
	must(t, err)
	log := &bytes.Buffer{}
	cmd := i.Command()
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = theirIn, theirOut, log, time.Second
	err = i.Start()
	theirIn.Close()
	theirOut.Close()
	if err := i.ConfirmStart(err); err != nil {
		if i.Command().Process != nil {
			_ = i.Wait()
		}
		i.Close()
		t.Fatal(err, log)
	}
	_ = out.SetReadDeadline(time.Now().Add(patience))
	return i, in, out, log
}

// live runs a bot to its end.
func (j *Sandbox) live(t testing.TB, c Command) life {
	t.Helper()
	i, in, out, log := j.start(t, c)
	in.Close()
	text, err := io.ReadAll(out)
	if err != nil {
		t.Errorf("%v: %s", err, text)
		i.Kill()
	}
	out.Close()
	_ = i.Wait()
	i.Close()
	exit := i.Exit()
	cpu, _ := i.CPU()
	return life{string(text), log.String(), exit, cpu}
}

// folder returns a folder that any user can enter.
func folder(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "open")
	must(t, errors.Join(os.Mkdir(dir, 0o755), os.Chmod(filepath.Dir(filepath.Dir(dir)), 0o755)))
	return dir
}

// bot is a command for a bot that is this test binary.
func bot(t testing.TB, args ...string) Command {
	t.Helper()
	self := must2(os.Executable())
	// Go's folder for test binaries is closed to others.
	path := filepath.Join(folder(t), "bot")
	if err := os.Link(self, path); err != nil {
		text := must2(os.ReadFile(self))
		put(t, path, string(text), 0o755)
	}
	return Command{Program: path, Args: append([]string{path, "__bot"}, args...)}
}

func sh(script string, args ...string) Command {
	return Command{Program: "/bin/sh", Args: append([]string{"sh", "-c", script}, args...)}
}

// in is the command in a folder.
func (c Command) in(dir string) Command {
	c.Dir = dir
	return c
}

func put(t testing.TB, path, text string, mode os.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	// A process that is started meanwhile would have the file open for writing,
	// and nobody could execute it.
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte(text), mode)
	syscall.ForkLock.RUnlock()
	must(t, err)
	must(t, os.Chmod(path, mode))
}

// everyWay runs a test in all ways in which this user can build a sandbox.
func everyWay(t *testing.T, l Limits, test func(t *testing.T, j *Sandbox)) {
	all := ways()
	if testing.Short() { // what another machine might give
		all = all[:1]
	}
	for _, w := range all {
		t.Run(fmt.Sprintf("%+v", w), func(t *testing.T) {
			j := must2(newSandbox(context.Background(), l, []way{w}, landlockVersion()))
			defer j.Close()
			if !j.Isolates() {
				t.Skip("not on this machine: " + j.String())
			}
			test(t, j)
		})
	}
}
