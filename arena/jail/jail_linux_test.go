package jail

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sembra/arena/jail/jailinit"
)

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
		// The limits of the jail are not to be raised again.
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
			pid, errno := fork()
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
			"semget": unix.SYS_SEMGET, "msgget": unix.SYS_MSGGET, "mq_open": unix.SYS_MQ_OPEN,
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
	case "runner":
		j, err := New(context.Background(), Limits{Memory: 1 << 30, Processes: 64})
		if err != nil {
			return fail(err)
		}
		runtime.LockOSThread()
		cell, err := j.Cell(context.Background(), Command{Program: "/bin/sh", Args: []string{"sh", "-c", daemonScript}, Dir: args[1], Env: []string{"PATH=/usr/bin:/bin"}})
		if err != nil {
			return fail(err)
		}
		i, err := cell.Prepare()
		if err != nil {
			return fail(err)
		}
		i.Command().Stdout = os.Stdout
		if err := i.Started(i.Start()); err != nil {
			return fail(err)
		}
		time.Sleep(10 * time.Minute)
	default:
		return playHostile(args)
	}
	return 0
}

// uncounted takes memory that the limit of memory does not count, and returns what
// was not refused.
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
	text, _ := os.ReadFile("/proc/self/maps") // some jails have none
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
const patience = 40 * time.Second

// daemonScript leaves a daemon that holds standard output, says so, and stays.
const daemonScript = `(setsid sh -c 'sleep 600 & sleep 600' &) ; echo ready; sleep 600`

func newTestJail(t testing.TB, l Limits) *Jail {
	t.Helper()
	j, err := New(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

func usual() Limits { return Limits{Memory: 1 << 30, FamilyMemory: 2 << 30, Processes: 256} }

// need skips a test of a layer that this machine does not give.
func need(t testing.TB, j *Jail, has bool) {
	t.Helper()
	if !has {
		t.Skip("not on this machine: " + j.String())
	}
}

// life is what was seen of a bot.
type life struct {
	out, log, exit string
	cpu            time.Duration
}

// start runs a bot from the test's goroutine, whose thread it locks: a bot dies
// with the thread that started it.
func (j *Jail) start(t testing.TB, c Command) (Inmate, *os.File, *os.File, *bytes.Buffer) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	if c.Dir == "" {
		c.Dir = folder(t)
	}
	if c.Env == nil {
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "GORACE=atexit_sleep_ms=0"}
	}
	cell, err := j.Cell(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	i, err := cell.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	log := &bytes.Buffer{}
	cmd := i.Command()
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = theirIn, theirOut, log, time.Second
	err = i.Start()
	theirIn.Close()
	theirOut.Close()
	if err := i.Started(err); err != nil {
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
func (j *Jail) live(t testing.TB, c Command) life {
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
	if err := errors.Join(os.Mkdir(dir, 0o755), os.Chmod(filepath.Dir(filepath.Dir(dir)), 0o755)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// bot is a command for a bot that is this test binary.
func bot(t testing.TB, args ...string) Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Go's folder for test binaries is closed to others.
	path := filepath.Join(folder(t), "bot")
	if err := os.Link(self, path); err != nil {
		text, err := os.ReadFile(self)
		if err != nil {
			t.Fatal(err)
		}
		put(t, path, string(text), 0o755)
	}
	return Command{Program: path, Args: append([]string{path, "__bot"}, args...)}
}

func sh(script string) Command {
	return Command{Program: "/bin/sh", Args: []string{"sh", "-c", script}}
}

func put(t testing.TB, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	// A process that is started meanwhile would have the file open for writing,
	// and nobody could execute it.
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte(text), mode)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// everyWay runs a test in all ways in which this user can build a jail.
func everyWay(t *testing.T, l Limits, test func(t *testing.T, j *Jail)) {
	all := ways()
	if testing.Short() { // what another machine might give
		all = all[:1]
	}
	for _, w := range all {
		t.Run(fmt.Sprintf("%+v", w), func(t *testing.T) {
			j, err := newJail(context.Background(), l, []way{w}, landlockVersion())
			if err != nil {
				t.Skip("not on this machine: " + err.Error())
			}
			defer j.Close()
			test(t, j)
		})
	}
}

// TestEntered: a fork server begins before packages are initialised that it does
// not need. This program has one of another module, and package fmt.
func TestEntered(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("/proc/self/exe", jailinit.Word)
	cmd.Env = append(serverEnv(), "GODEBUG=inittrace=1")
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(text), "is not a command") {
		t.Errorf("%v: %s", err, text)
	}
	if !strings.Contains(string(text), "init os ") {
		t.Errorf("it is not seen what is initialised: %s", text)
	}
	for _, late := range []string{"golang.org/", "init reflect ", "init unicode ", "init sembra/arena/jail "} {
		if strings.Contains(string(text), late) {
			t.Errorf("a fork server waits for %s: %s", late, text)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		need(t, j, j.Layers().Files)
		dir := folder(t)
		put(t, dir+"/secret", "a secret", 0o644)
		put(t, dir+"/given", "a gift", 0o644)
		put(t, dir+"/own/inside", "of its own", 0o644)
		c := sh(`cat inside; cat ../secret; cat ` + dir + `/given; echo; ls /root /home /var; cat /proc/1/environ; ` +
			`echo x > new; echo x > ../new; echo x > inside; echo x > /etc/new; rm inside; ` +
			`echo x > $TMPDIR/a && mv $TMPDIR/a $HOME/b && cat $HOME/b; echo x > /dev/null && echo null`)
		c.Dir = dir + "/own"
		c.Args = append(c.Args, "sh", dir+"/given")
		if os.Getuid() == 0 {
			if err := os.Chmod(c.Dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		l := j.live(t, c)
		if want := "of its owna gift\nx\nnull\n"; l.out != want {
			t.Errorf("%q, want %q; %s", l.out, want, l.log)
		}
		if text, err := os.ReadFile(dir + "/own/inside"); string(text) != "of its own" {
			t.Error(string(text), err)
		}
	})
}

func TestHidden(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	l := usual()
	l.Hidden = []string{dir + "/bots/results.db"}
	everyWay(t, l, func(t *testing.T, j *Jail) {
		need(t, j, j.Layers().Files)
		put(t, dir+"/bots/results.db", "standings", 0o644)
		put(t, dir+"/bots/results.db.lock", "lock", 0o644)
		put(t, dir+"/bots/book", "openings\n", 0o644)
		put(t, dir+"/bots/deep/book", "deep\n", 0o644)
		for _, own := range []string{dir + "/bots", dir} {
			c := sh("cd " + dir + "/bots; cat results.db; cat results.db.lock; cat book deep/book")
			c.Dir = own
			if l := j.live(t, c); l.out != "openings\ndeep\n" {
				t.Errorf("in %s: %q %s", own, l.out, l.log)
			}
		}
		c := sh("cat results.db")
		c.Dir = dir + "/bots"
		c.Args = append(c.Args, dir+"/bots/results.db")
		if l := j.live(t, c); l.out != "" {
			t.Errorf("named by an argument: %q", l.out)
		}
	})
}

// TestHiddenFolders: nothing is seen of files and folders that a command may
// not read, wherever they lie and by whatever path they are named.
func TestHiddenFolders(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		need(t, j, j.Layers().Files)
		dir := folder(t)
		put(t, dir+"/own/bot", "mine\n", 0o644)
		put(t, dir+"/own/rival/weights", "secret\n", 0o644)
		put(t, dir+"/own/rival/deep/weights", "secret\n", 0o644)
		put(t, dir+"/own/rival2/weights", "open\n", 0o644)
		put(t, dir+"/own/rival.py", "secret\n", 0o600)
		put(t, dir+"/own/rival.py.txt", "open\n", 0o644)
		put(t, dir+"/own/logs/match", "secret\n", 0o644)
		for link, target := range map[string]string{
			"link": dir + "/own", "own/file": "rival.py", "own/folder": "rival", "own/absolute": dir + "/own/rival/weights",
		} {
			if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
		for _, own := range []string{dir + "/own", dir + "/link", dir} {
			c := sh("cd " + dir + "/own; cat bot rival2/weights rival.py.txt; " +
				"cat rival/weights rival/deep/weights rival.py logs/match file folder/weights absolute; " +
				"ls rival/ folder/ logs/; cd rival && pwd; find . -name 'weights'; chmod 777 rival rival.py; rm rival.py; mv rival2 rival")
			c.Dir = own
			// By a path with a link, one that is not clean, one that is not there, and what the command names itself.
			c.Hidden = []string{dir + "/link/rival", dir + "/own/rival/deep/weights", dir + "/own/./rival.py", dir + "/own/logs", dir + "/own/nothing", dir + "/none/such"}
			c.Args = append(c.Args, "sh", dir+"/own/rival.py")
			if l := j.live(t, c); strings.Contains(l.out, "secret") || !strings.HasPrefix(l.out, "mine\nopen\nopen\n") {
				t.Errorf("in %s: %q %s", own, l.out, l.log)
			} else if rest := strings.TrimPrefix(l.out, "mine\nopen\nopen\n"); strings.Contains(rest, "match") || strings.Contains(rest, "deep") {
				t.Errorf("in %s names are seen: %q", own, rest)
			}
		}
	})
}

// TestManyFiles: a folder costs the same however much lies beside what is hidden.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	const many = 5000
	dir := folder(t)
	for n := range many {
		put(t, fmt.Sprintf("%s/%d", dir, n), "", 0o644)
	}
	put(t, dir+"/results.db", "standings", 0o644)
	put(t, dir+"/results.db.lock", "lock", 0o644)
	put(t, dir+"/logs/match", "moves", 0o644)
	limits := usual()
	limits.Hidden = []string{dir + "/results.db"}
	everyWay(t, limits, func(t *testing.T, j *Jail) {
		need(t, j, j.Layers().Files)
		c := sh("cat 7 4999 results.db results.db.lock logs/match; [ -r 0 ] && echo seen; ls | wc -l; wc -l < /proc/self/mountinfo")
		c.Dir, c.Hidden = dir, []string{dir + "/logs"}
		l := j.live(t, c)
		words := strings.Fields(l.out)
		if len(words) == 0 || words[0] != "seen" {
			t.Fatalf("%q %s", l.out, l.log)
		}
		if !j.mounts {
			return // it cannot look into the folder
		}
		if len(words) != 3 || words[1] != strconv.Itoa(many+3) {
			t.Fatalf("%q %s", l.out, l.log)
		}
		if mounts, err := strconv.Atoi(words[2]); err != nil || mounts > 60 {
			t.Error(mounts, "mounts", err)
		}
	})
}

func TestFolders(t *testing.T) {
	t.Parallel()
	j := newTestJail(t, usual())
	need(t, j, j.mounts)
	shut, err := os.MkdirTemp("", "shut-") // 0700
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(shut)
	put(t, shut+"/bots/x", "here\n", 0o644)
	if err := os.Symlink(shut+"/bots", shut+"/link"); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{shut + "/bots", shut + "/link"} {
		c := sh("cat x; pwd -P; cd " + dir + "; cat x")
		c.Dir = dir
		if l := j.live(t, c); l.out != "here\n"+shut+"/bots\nhere\n" {
			t.Errorf("%q %s", l.out, l.log)
		}
	}
	for _, dir := range []string{"/", "/tmp", shut + "/none", "bots"} {
		c := sh("true")
		c.Dir = dir
		if _, err := j.Cell(context.Background(), c); err == nil {
			t.Errorf("a bot could be prepared in %q", dir)
		} else {
			t.Log(err)
		}
	}
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer tcp.Close()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		need(t, j, j.Layers().Network)
		for _, try := range [][2]string{{"tcp", tcp.Addr().String()}, {"udp", tcp.Addr().String()}, {"unix", "/tmp/x"}} {
			if l := j.live(t, bot(t, "dial", try[0], try[1])); !strings.HasPrefix(l.out, "refused") {
				t.Error(try, l)
			}
		}
	})
	t.Run("allowed", func(t *testing.T) {
		limits := usual()
		limits.Network = true
		j := newTestJail(t, limits)
		if l := j.live(t, bot(t, "dial", "tcp", tcp.Addr().String())); l.out != "reached\n" {
			t.Error(l)
		}
		if j.Layers().Network || slices.ContainsFunc(j.Missing(), func(s string) bool { return strings.HasPrefix(s, "network") }) {
			t.Error(j)
		}
	})
}

func TestMemory(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		need(t, j, j.Layers().Memory)
		if l := j.live(t, bot(t, "memory", "1100")); !strings.HasPrefix(l.out, "refused") {
			t.Error(l)
		}
		if l := j.live(t, bot(t, "memory", "100")); l.out != "took 100\n" {
			t.Error(l)
		}
		if l := j.live(t, bot(t, "uncounted")); l.out != "another option of sockets\n" {
			t.Errorf("given: %s", l.out)
		}
	})
}

func TestSmallMemory(t *testing.T) {
	t.Parallel()
	manyStarts(t, 8)
}

// manyStarts starts small bots with little memory in every way. The limit may hit no
// process of the jail itself.
func manyStarts(t *testing.T, starts int) {
	for _, mib := range []int64{16, 24, 32, 64} {
		everyWay(t, Limits{Memory: mib << 20, Processes: 64}, func(t *testing.T, j *Jail) {
			for n := range starts {
				if l := j.live(t, sh("echo started")); l.out != "started\n" || l.exit != "exit status 0" {
					t.Errorf("%d MiB, start %d: %+v", mib, n+1, l)
				}
			}
		})
	}
}

// TestForkServerEnds: the next start after the end of a fork server fails, and the
// one after that has a new server. Bots that run do not end with their server.
func TestForkServerEnds(t *testing.T) {
	t.Parallel()
	j := newTestJail(t, usual())
	before, in, out, _ := j.start(t, sh("read line; echo $line"))
	conn, err := j.server.conn.SyscallConn()
	if err == nil {
		err = conn.Control(func(fd uintptr) { _ = unix.Shutdown(int(fd), unix.SHUT_RDWR) })
	}
	if err != nil {
		t.Fatal(err)
	}
	cell, err := j.Cell(context.Background(), Command{Program: "/bin/sh", Args: []string{"sh"}, Dir: folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	i, err := cell.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	if err := i.Started(i.Start()); !errors.Is(err, ErrEnded) {
		t.Errorf("the error is %v", err)
	}
	i.Close()
	if l := j.live(t, sh("echo after")); l.out != "after\n" {
		t.Error(l)
	}
	if _, err := in.WriteString("before\n"); err != nil {
		t.Error(err)
	}
	if text, err := io.ReadAll(out); string(text) != "before\n" {
		t.Errorf("%q, %v", text, err)
	}
	in.Close()
	out.Close()
	_ = before.Wait()
	before.Close()
}

func TestProcesses(t *testing.T) {
	t.Parallel()
	limits := usual()
	limits.Processes = 40
	everyWay(t, limits, func(t *testing.T, j *Jail) {
		need(t, j, j.Layers().Processes)
		l := j.live(t, bot(t, "forks", "60"))
		if !strings.HasPrefix(l.out, "refused after 3") {
			t.Error(l)
		}
		// Each bot has its own count.
		for range 3 {
			i, in, out, _ := j.start(t, sh("for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do sleep 600 & done; echo ready; cat"))
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
				t.Error(line, err)
			}
			defer func() {
				i.Kill()
				in.Close()
				out.Close()
				_ = i.Wait()
				i.Close()
			}()
		}
	})
}

func TestCalls(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		for _, what := range []string{"calls", "raise"} {
			if l := j.live(t, bot(t, what)); l.out != "" {
				t.Errorf("%s: %s", what, l.out)
			}
		}
	})
}

func TestPrivileges(t *testing.T) {
	t.Parallel()
	j := newTestJail(t, usual())
	need(t, j, j.mounts)
	status := j.live(t, bot(t, "status")).out
	zero := "\t0000000000000000\n"
	for _, want := range []string{
		"CapInh:" + zero, "CapPrm:" + zero, "CapEff:" + zero, "CapBnd:" + zero, "CapAmb:" + zero,
		"NoNewPrivs:\t1\n", "Seccomp:\t2\n",
	} {
		if !strings.Contains(status, want) {
			t.Errorf("no %q in %s", want, status)
		}
	}
	if j.ownID && !strings.Contains(status, "Groups:\t \n") {
		t.Error(status)
	}
}

func TestSignals(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		need(t, j, j.Layers().Signals)
		l := j.live(t, sh(fmt.Sprintf("kill -0 %d && echo signalled; kill -9 $PPID; kill -9 -1; echo lives", os.Getpid())))
		if strings.Contains(l.out, "signalled") {
			t.Error(l)
		}
	})
}

func TestFamily(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		need(t, j, j.Layers().Family)
		t.Run("killed", func(t *testing.T) {
			i, in, out, _ := j.start(t, sh(daemonScript))
			defer in.Close()
			r := bufio.NewReader(out)
			if line, err := r.ReadString('\n'); line != "ready\n" {
				t.Fatal(line, err)
			}
			i.Kill()
			i.Kill()
			_ = out.SetReadDeadline(time.Now().Add(patience))
			if _, err := r.ReadByte(); err != io.EOF {
				t.Error(err)
			}
			_ = i.Wait()
			i.Close()
			i.Kill()
			if exit := i.Exit(); exit != "" {
				t.Error(exit)
			}
		})
		t.Run("gone", func(t *testing.T) {
			begun := time.Now()
			l := j.live(t, sh(strings.TrimSuffix(daemonScript, "sleep 600")+"exit 7"))
			if l.out != "ready\n" || l.exit != "exit status 7" || time.Since(begun) > patience {
				t.Error(l, time.Since(begun))
			}
		})
	})
}

func TestRunnerKilled(t *testing.T) {
	t.Parallel()
	need(t, newTestJail(t, usual()), newTestJail(t, usual()).Layers().Family)
	c := bot(t, "runner", folder(t))
	out, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	base := folder(t) // what a killed runner leaves on disk
	if err := os.Chmod(base, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{Path: c.Program, Args: c.Args, Stdout: theirs, Stderr: os.Stderr, Env: append(os.Environ(), "TMPDIR="+base)}
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	_ = out.SetReadDeadline(time.Now().Add(patience))
	line, err := r.ReadString('\n')
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if line != "ready\n" {
		t.Fatal(line, err)
	}
	_ = out.SetReadDeadline(time.Now().Add(patience))
	if _, err := r.ReadByte(); err != io.EOF {
		t.Error("the daemon lives:", err)
	}
}

func TestDisk(t *testing.T) {
	t.Parallel()
	j := newTestJail(t, usual())
	need(t, j, j.Layers().Disk)
	l := j.live(t, sh(`for n in 1 2 3 4 5 6 7 8; do head -c 16000000 /dev/zero > $TMPDIR/$n || break; done; du -sk $TMPDIR | cut -f1; `+
		`n=0; while [ $n -lt 20000 ] && true > $TMPDIR/f$n; do n=$((n+1)); done; echo $n`))
	fields := strings.Fields(l.out)
	if len(fields) != 2 || fields[1] == "20000" {
		t.Fatal(l)
	}
	if kib, err := strconv.Atoi(fields[0]); err != nil || kib < 40<<10 || kib > 65<<10 {
		t.Error(l)
	}
}

// TestSecrets: what only root may read a bot may not either, whoever it is, and
// it does not see the processes of others.
func TestSecrets(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		need(t, j, j.mounts)
		l := j.live(t, sh("cat /etc/shadow /etc/gshadow; ls -A /.outside; ls /.nothing/folder; "+
			"cat /proc/1/environ; ls /proc/1/root; for fd in /proc/1/fd/*; do readlink $fd; cat < $fd; done"))
		if l.out != "" {
			t.Errorf("%q", l.out)
		}
		if l := j.live(t, sh("[ -e /proc/1/cmdline ] && echo seen")); j.ownID && l.out != "" {
			t.Errorf("%q", l.out)
		}
	})
}

// TestNames: a bot without a network cannot be found by others, nor find them
// with a socket that is not made by socket(2).
func TestNames(t *testing.T) {
	t.Parallel()
	const name = "@sembra-jail-test"
	l, err := net.ListenPacket("unixgram", name)
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		need(t, j, j.Layers().Network)
		if !j.spaces && landlockVersion() < scopes {
			t.Skip("not on this machine")
		}
		if l := j.live(t, bot(t, "names", name)); l.out != "" {
			t.Error(l)
		}
	})
}

func TestExit(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		for script, want := range map[string]string{
			"exit 0": "exit status 0", "exit 3": "exit status 3",
			"kill -SEGV $$": "signal: segmentation fault", "kill -TERM $$": "signal: terminated",
			"kill -KILL $$": "signal: killed", "kill -ABRT $$": "signal: aborted",
		} {
			if l := j.live(t, sh(script)); l.exit != want {
				t.Errorf("%s: %q, want %q; %s", script, l.exit, want, l.log)
			}
		}
	})
}

func TestStopped(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		i, in, out, _ := j.start(t, sh("echo ready; kill -STOP $$; echo on"))
		defer in.Close()
		r := bufio.NewReader(out)
		if line, err := r.ReadString('\n'); line != "ready\n" {
			t.Fatal(line, err)
		}
		_ = out.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		if line, err := r.ReadString('\n'); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error("it was not stopped:", line, err)
		}
		i.Kill()
		_ = i.Wait()
		i.Close()
	})
}

func TestOrphans(t *testing.T) {
	t.Parallel()
	limits := usual()
	limits.Processes = 30
	j := newTestJail(t, limits)
	need(t, j, j.Layers().Processes)
	// Dead that nobody waits for would count.
	l := j.live(t, sh(`n=0; while [ $n -lt 100 ]; do (true & ) || exit 1; n=$((n+1)); [ $((n%5)) = 0 ] && sleep 0.01; done; echo done`))
	if l.out != "done\n" || l.log != "" {
		t.Error(l)
	}
}

func TestCPU(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		burner := bot(t, "burn", "60ms")
		burn := strings.Join(burner.Args, " ")
		c := sh(burn + "; echo one; read x; " + burn + " & wait; echo two; read x; (" + burn + "; echo three; sleep 600)")
		c.Args = append(c.Args, "sh", burner.Program)
		i, in, out, log := j.start(t, c)
		r := bufio.NewReader(out)
		for n, word := range []string{"one\n", "two\n", "three\n"} {
			if line, err := r.ReadString('\n'); line != word {
				t.Fatal(line, err, log)
			}
			cpu, ok := i.CPU()
			least := time.Duration(n+1) * 50 * time.Millisecond
			if !ok || cpu < least || cpu > least+time.Second {
				t.Error(n, cpu, ok)
			}
			_, _ = in.Write([]byte("\n"))
		}
		i.Kill()
		_ = i.Wait()
		before, _ := i.CPU()
		i.Close()
		if cpu, ok := i.CPU(); !ok || cpu < before || cpu < 150*time.Millisecond || cpu > 2*time.Second {
			t.Error(before, cpu, ok)
		}
		in.Close()
		out.Close()
	})
}

func TestNotExecuted(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		dir := folder(t)
		put(t, dir+"/garbage", "\x00\x01 no program", 0o755)
		put(t, dir+"/late", "#!/bin/sh\n", 0o755)
		for name, want := range map[string]error{"garbage": unix.ENOEXEC, "late": unix.ENOENT} {
			cell, err := j.Cell(context.Background(), Command{Program: filepath.Join(dir, name), Args: []string{name}, Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if name == "late" {
				put(t, dir+"/late", "#!"+dir+"/interpreter\n", 0o755)
			}
			runtime.LockOSThread()
			i, err := cell.Prepare()
			if err != nil {
				t.Fatal(err)
			}
			err = i.Started(i.Start())
			var refused *ExecError
			if !errors.As(err, &refused) || !errors.Is(err, want) {
				t.Error(name, err)
			}
			_ = i.Wait()
			i.Close()
			runtime.UnlockOSThread()
		}
		put(t, dir+"/bad", "#!"+dir+"/nothing\n", 0o755)
		if _, err := j.Cell(context.Background(), Command{Program: dir + "/bad", Args: []string{"bad"}, Dir: dir}); err == nil {
			t.Error("a missing interpreter was not noticed")
		} else {
			t.Log(err)
		}
	})
}

func TestNothingIsLeft(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		j.live(t, sh("true"))
		before := count()
		for range 5 {
			j.live(t, sh("mkdir $TMPDIR/x; echo x > $TMPDIR/x/y"))
		}
		// One that is never started.
		cell, err := j.Cell(context.Background(), Command{Program: "/bin/sh", Args: []string{"sh"}, Dir: folder(t)})
		if err != nil {
			t.Fatal(err)
		}
		i, err := cell.Prepare()
		if err != nil {
			t.Fatal(err)
		}
		i.Close()
		if after := count(); after > before {
			t.Errorf("%d files were open, %d are", before, after)
		}
		entries, err := os.ReadDir(j.base)
		if err != nil || len(entries) != 1 {
			t.Error(entries, err)
		}
		if len(j.ids) < blockOfIDs {
			t.Error("a user id was not given back")
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(j.base); err == nil {
			t.Error("the jail's folder is left")
		}
	})
}

// python returns a real Python 3, as it is behind a shim.
func python(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	real, err := Unshim(context.Background(), path, "python3", folder(t), os.Environ())
	if err != nil {
		t.Skip(err)
	}
	return real
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	everyWay(t, usual(), func(t *testing.T, j *Jail) {
		dir := folder(t)
		put(t, dir+"/bot.py", "import sys, json, subprocess, tempfile\nfor line in sys.stdin: print('py', line.strip(), flush=True)\n", 0o644)
		put(t, dir+"/bot.js", "const {execSync} = require('child_process'); console.log('js', execSync('echo sub').toString().trim())\n", 0o644)
		put(t, dir+"/Bot.java", `public class Bot { public static void main(String[] a) { System.out.println("java " + Runtime.version().feature()); } }`, 0o644)
		run := func(want string, name string, args ...string) {
			t.Run(want, func(t *testing.T) {
				path, err := exec.LookPath(name)
				if err != nil {
					t.Skip(err)
				}
				if path, err = Unshim(context.Background(), path, name, dir, os.Environ()); err != nil {
					t.Skip(err)
				}
				if j.ownID && !j.mounts && !ofSystem(path) {
					t.Skip("not for others: " + path)
				}
				l := j.live(t, Command{Program: path, Args: append([]string{name}, args...), Dir: dir})
				if !strings.HasPrefix(l.out, want) || l.exit != "exit status 0" {
					t.Errorf("%q %s %s", l.out, l.exit, l.log)
				}
			})
		}
		run("", "python3", "bot.py")
		run("js sub", "node", "bot.js")
		if j.way == ways()[0] {
			run("java ", "java", "Bot.java")
		}
		if l := j.live(t, bot(t, "echo")); l.exit != "exit status 0" {
			t.Error(l)
		}
	})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	python(t)
	j := newTestJail(t, usual())
	dir := folder(t)
	put(t, dir+"/real/bot", "#!/usr/bin/env python3\nimport json; print('ran')\n", 0o755)
	put(t, dir+"/real/direct", "#!"+python(t)+"\nimport json; print('ran')\n", 0o755)
	if err := os.MkdirAll(dir+"/own", 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"bot": "../real/bot", "direct": dir + "/real/direct", "python": python(t)} {
		if err := os.Symlink(target, filepath.Join(dir, "own", link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, args := range map[string][]string{"bot": nil, "direct": nil, "python": {"-c", "import json; print('ran')"}} {
		program := filepath.Join(dir, "own", name)
		l := j.live(t, Command{Program: program, Args: append([]string{program}, args...), Dir: dir + "/own"})
		if l.out != "ran\n" {
			t.Errorf("%s: %q %s", name, l.out, l.log)
		}
	}
}

func TestUnshim(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	put(t, dir+"/real/python3", "", 0o755)
	put(t, dir+"/bin/pyenv", "#!/bin/sh\n[ \"$1 $2\" = 'which python3' ] && [ -e .python-version ] || { echo 'not here' >&2; exit 1; }\necho "+dir+"/real/python3\n", 0o755)
	put(t, dir+"/shims/python3", "#!/bin/sh\nexec pyenv exec python3\n", 0o755)
	put(t, dir+"/bot/.python-version", "3\n", 0o644)
	env := []string{"PATH=/usr/bin:/bin"}
	got, err := Unshim(context.Background(), dir+"/shims/python3", "python3", dir+"/bot", env)
	if got != dir+"/real/python3" || err != nil {
		t.Error(got, err)
	}
	if got, err := Unshim(context.Background(), dir+"/shims/python3", "python3", dir, env); err == nil || !strings.Contains(err.Error(), "not here") {
		t.Error(got, err)
	}
	if got, err := Unshim(context.Background(), "/bin/sh", "sh", dir, env); got != "/bin/sh" || err != nil {
		t.Error(got, err)
	}
}

// TestUnshimIsInterrupted: nobody waits for a manager when a run is stopped, and
// nothing of the manager is left.
func TestUnshimIsInterrupted(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	put(t, dir+"/bin/pyenv", "#!/bin/sh\nsleep 600 & echo $! > "+dir+"/asked\nwait\n", 0o755)
	put(t, dir+"/shims/python3", "#!/bin/sh\nexec pyenv exec python3\n", 0o755)
	ctx, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("enough")
	child := 0
	go func() {
		for child == 0 {
			time.Sleep(time.Millisecond)
			text, _ := os.ReadFile(dir + "/asked")
			child, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		}
		cancel(enough)
	}()
	begun := time.Now()
	if got, err := Unshim(ctx, dir+"/shims/python3", "python3", dir, []string{"PATH=/usr/bin:/bin"}); !errors.Is(err, enough) {
		t.Error(got, err)
	}
	if took := time.Since(begun); took > patience {
		t.Errorf("it took %v", took)
	}
	for begun := time.Now(); unix.Kill(child, 0) == nil; time.Sleep(time.Millisecond) {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		if strings.Contains(string(stat), ") Z ") {
			break // nobody waits for it
		}
		if time.Since(begun) > patience {
			t.Fatal("what the manager started is left")
		}
	}
}

func TestReading(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	put(t, dir+"/book/openings", "book\n", 0o644)
	limits := usual()
	limits.Read = []string{dir + "/book"}
	j := newTestJail(t, limits)
	if l := j.live(t, sh("cat "+dir+"/book/openings")); l.out != "book\n" {
		t.Error(l)
	}
}

// TestWithoutLandlock is what a kernel before Linux 5.13 gives.
func TestWithoutLandlock(t *testing.T) {
	t.Parallel()
	best := newTestJail(t, usual())
	for n, w := range ways() {
		j, err := newJail(context.Background(), usual(), []way{w}, 0)
		if err != nil {
			t.Log(err)
			continue
		}
		defer j.Close()
		if n == 0 && best.way == w && j.Layers() != best.Layers() {
			t.Errorf("%s, want %s", j, best)
		}
		if !w.mounts && j.Layers().Files {
			t.Error("nothing can keep files from a bot, and yet:", j)
		}
		if missing := j.Missing(); len(missing) > 0 && !strings.Contains(j.String(), missing[0]) {
			t.Error(j, missing)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	j := newTestJail(t, usual())
	cell, err := j.Cell(context.Background(), Command{Program: "/bin/sh", Args: []string{"sh", "-c", "sleep 600"}, Dir: folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := range 24 {
		all.Go(func() {
			runtime.LockOSThread() // and never unlocked, as a thread that starts bots
			i, err := cell.Prepare()
			if err != nil {
				t.Error(err)
				return
			}
			killed := make(chan struct{})
			go func() {
				defer close(killed)
				time.Sleep(time.Duration(n) * time.Millisecond)
				i.CPU()
				i.Kill()
				i.Kill()
			}()
			_ = i.Started(i.Start()) // it may be killed before
			i.CPU()
			<-killed
			_ = i.Wait()
			i.Close()
			i.Close()
			if i.Exit() != "" {
				t.Error("it has exited by itself")
			}
		})
	}
	all.Wait()
}

func TestNewIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if j, err := New(ctx, usual()); !errors.Is(err, context.Canceled) {
		t.Error(j, err)
	}
}

func TestInheritedFiles(t *testing.T) {
	t.Parallel()
	j := newTestJail(t, usual())
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	// As if whoever started the runner had left it open.
	const least = 77
	inherited, err := unix.FcntlInt(r.Fd(), unix.F_DUPFD, least)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(inherited)
	l := j.live(t, sh("for fd in /proc/self/fd/*; do echo ${fd##*/}; done"))
	if slices.Contains(strings.Fields(l.out), strconv.Itoa(inherited)) {
		t.Error(l)
	}
}

func TestFolderOfKilledRunner(t *testing.T) {
	t.Parallel()
	in := t.TempDir()
	old := filepath.Join(in, "sembra-jail-1")
	put(t, old+"/root/x", "", 0o644)
	base, lock, err := makeBase(in)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	another, lock2, err := makeBase(in)
	if err != nil {
		t.Fatal(err)
	}
	defer lock2.Close()
	if _, err := os.Stat(old); err == nil {
		t.Error("it is left")
	}
	for _, path := range []string{base, another} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// BenchmarkStart measures a bot that says a word and leaves, from its start
// until all of it is gone, and until it was executed.
func BenchmarkStart(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	median := func(b *testing.B, one func()) {
		var took []time.Duration
		for b.Loop() {
			begun := time.Now()
			one()
			took = append(took, time.Since(begun))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	}
	dir := folder(b)
	b.Run("plain", func(b *testing.B) {
		median(b, func() {
			cmd := exec.Command("/bin/echo", "x")
			if _, err := cmd.Output(); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("jailed", func(b *testing.B) {
		j := newTestJail(b, usual())
		cell, err := j.Cell(context.Background(), Command{Program: "/bin/echo", Args: []string{"echo", "x"}, Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		b.Log(j)
		var executed []time.Duration
		median(b, func() {
			begun := time.Now()
			i, err := cell.Prepare()
			if err != nil {
				b.Fatal(err)
			}
			var out bytes.Buffer
			i.Command().Stdout = &out
			if err := i.Started(i.Start()); err != nil {
				b.Fatal(err)
			}
			executed = append(executed, time.Since(begun))
			if err := i.Wait(); err != nil || out.String() != "x\n" {
				b.Fatal(err, out.String())
			}
			i.Close()
		})
		slices.Sort(executed)
		b.ReportMetric(float64(executed[len(executed)/2].Microseconds())/1000, "p50-executed-ms")
	})
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		j, err := New(context.Background(), usual())
		if err != nil {
			b.Fatal(err)
		}
		j.Close()
	}
}

// BenchmarkPause measures one pause and the resumption after it, of a bot that
// sleeps and has a child.
func BenchmarkPause(b *testing.B) {
	for version, name := range []string{"signals", "version 1", "version 2"} {
		b.Run(name, func(b *testing.B) {
			j := groupJail(b, version, usual())
			i, in, out, _ := j.start(b, sh("cat & echo; wait; read x; exit"))
			if _, err := out.Read(make([]byte, 1)); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				i.Pause()
				i.Resume()
			}
			in.Close()
			i.Kill()
			_ = i.Command().Wait()
			i.Close()
		})
	}
}
