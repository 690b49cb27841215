package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox/cgroup"
)

// probeWord is the first argument of the program when it runs as a bot that tries
// to break out. The second argument says what to try.
const probeWord = "__probe"

// Entered reports whether the arguments say that the program runs as a bot that
// tries to break out. Then main has to call [Enter].
func Entered(args []string) bool { return len(args) > 2 && args[1] == probeWord }

// Enter runs the bot that tries to break out. It returns the exit status.
func Enter() int { return attempt(os.Args[2]) }

// probe is what the probing bot tries.
type probe struct {
	Inside    string // a file that it must be able to read
	Own       string // its folder
	Canary    string // a file that it may not read
	Outside   string // a folder in which it may not write
	TCP, UDP  string // addresses on which the runner listens
	Runner    int    // the number of the runner's process
	Memory    int64
	Processes int
	Temp      int64 // bytes
	Disk      bool  // fill the temporary folder
}

const (
	untouched = "untouched" // the text of a file of the user
	escaped   = "escaped"   // the name of a file that the probing bot makes
)

// findings are the layers that do not hold, each with the reason. If the probing bot
// cannot go on, failed says why, and errno is the number of the system's error, if
// there is one.
type findings map[string]string

// fail notes why the probing bot cannot go on.
func (f findings) fail(what string, err error) {
	f["failed"] = what
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		f["errno"] = strconv.Itoa(int(errno))
	} else {
		f["failed"] += ": " + err.Error()
	}
}

const (
	// The limits of the probing bot.
	probeMemory    = 512 << 20
	probeProcesses = 24
	probeTemp      = 1 << 20
)

// find takes the first way in which a bot can run at all, and notes which layers
// do not hold in it. A way with control groups is tried first.
func (j *Jail) find(ctx context.Context, ways []way) error {
	var failed []error
	for _, w := range ways {
		j.way = w
		j.shareNetwork()
		found, err := j.tryWith(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if shortage(err) {
			return fmt.Errorf("cannot find out what this machine can isolate: %w", err) // later it may succeed
		}
		if err != nil {
			failed = append(failed, err)
			if j.noNet != nil {
				j.noNet.Close()
				j.noNet = nil
			}
			continue
		}
		j.judge(found, failed)
		return nil
	}
	return fmt.Errorf("cannot run a bot in a jail: %w", failed[len(failed)-1])
}

// tryWith runs the probing bot in control groups, if the way has them. If that
// fails, bots get none. Only an init that ends with its bots, whatever happens, may
// have bots that are frozen: so there have to be namespaces.
func (j *Jail) tryWith(ctx context.Context) (findings, error) {
	j.groupless = ""
	if j.groups == 0 || !j.spaces {
		return j.try(ctx)
	}
	var err error
	if j.control, err = cgroup.Machine(j.limits.FamilyMemory, j.groups); err == nil {
		var found findings
		found, err = j.try(ctx)
		if err == nil || ctx.Err() != nil || shortage(err) {
			return found, err
		}
		_ = j.control.Close() // the next run removes what is left
		j.control = nil
	}
	if shortage(err) {
		return nil, err // later there may be groups
	}
	j.groupless = err.Error()
	return j.try(ctx)
}

// judge turns findings into the reasons why layers do not hold.
func (j *Jail) judge(found findings, failed []error) {
	if j.ownID || j.spaces {
		// The family holds: a bot cannot end its init, and the kernel ends all processes
		// of a namespace, or of a user, at once.
	} else if found["family"] == "" {
		found["family"] = "a process that starts others fast enough may outlive its bot"
	}
	if !j.mounts {
		found["disk"] = "a folder has no limit of its own"
	}
	if found["processes"] != "" && !j.ownID && !j.user {
		found["processes"] = "the kernel counts all processes of the user"
		if os.Geteuid() == 0 {
			found["processes"] = "the limit does not hold for root"
		}
	}
	if len(failed) > 0 {
		for layer := range found {
			found[layer] += "; " + failed[0].Error()
		}
	}
	j.reasons = found
}

// try runs the probing bot.
func (j *Jail) try(ctx context.Context) (findings, error) {
	folder, err := os.MkdirTemp(j.base, "probe-")
	if full(err) {
		return nil, shortOf{err}
	}
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	p := probe{
		Inside: filepath.Join(folder, "own", "inside"), Own: filepath.Join(folder, "own"),
		Canary: filepath.Join(folder, "canary"), Outside: folder,
		Runner: os.Getpid(), Memory: probeMemory, Processes: probeProcesses, Temp: probeTemp, Disk: j.mounts,
	}
	// The permissions allow everything to everybody, so only the jail can keep the bot out.
	program := ""
	err = errors.Join(
		os.Mkdir(p.Own, 0o700), os.Chmod(p.Own, 0o777), os.Chmod(folder, 0o777),
		open(p.Inside), open(p.Canary),
	)
	if err == nil {
		program, err = j.probeProgram(folder)
	}
	if full(err) { // another way would need less room, but it would isolate less
		return nil, shortOf{err}
	}
	if err != nil {
		return nil, err
	}
	const local = "127.0.0.1:0"
	if l, err := net.Listen("tcp4", local); err == nil {
		defer l.Close()
		p.TCP = l.Addr().String()
	} else if shortage(err) {
		return nil, err
	}
	if l, err := net.ListenPacket("udp4", local); err == nil {
		defer l.Close()
		p.UDP = l.LocalAddr().String()
	} else if shortage(err) {
		return nil, err
	}
	task, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}

	small := *j // with small limits
	small.limits = Limits{
		Memory: probeMemory, Processes: probeProcesses,
		Network: j.limits.Network, FamilyMemory: j.limits.FamilyMemory,
	}
	small.tempSize = probeTemp
	cell, err := small.Cell(ctx, Command{
		Program: program, Args: []string{program, probeWord, string(task)}, Dir: p.Own,
		Env: []string{"PATH=/usr/bin:/bin"},
	})
	if err != nil {
		return nil, err
	}
	found, err := cell.observe(ctx)
	// While the probing bot has all the processes that it may have, Go may want a thread for something else, and then the
	// bot dies. That is rare.
	for again := 0; again < 2 && errors.Is(err, syscall.EAGAIN) && ctx.Err() == nil; again++ {
		found, err = cell.observe(ctx)
	}
	if err != nil {
		return nil, err
	}
	for _, path := range []string{p.Canary, p.Inside} {
		text, err := os.ReadFile(path)
		if shortage(err) {
			return nil, err
		}
		if err != nil || string(text) != untouched {
			found["files"] = "a file of the user could be written"
		}
	}
	for _, folder := range []string{p.Outside, p.Own} {
		if _, err := os.Lstat(filepath.Join(folder, escaped)); !errors.Is(err, fs.ErrNotExist) {
			found["files"] = "a file could be made in a folder of the user"
		}
	}
	return found, nil
}

// open makes a file that everybody may read and write.
func open(path string) error {
	return errors.Join(os.WriteFile(path, []byte(untouched), 0o600), os.Chmod(path, 0o666))
}

// probeProgram returns the path of the program itself, or of a copy if a bot
// with a user id of its own could not execute it where it is.
func (j *Jail) probeProgram(folder string) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("cannot find the program itself: %w", err)
	}
	if _, err := os.Stat(program); err != nil {
		program = "/proc/self/exe" // the program's file was replaced after the start
	} else if !j.ownID || j.strangerMay(program, mayEnter) == nil {
		return program, nil
	}
	from, err := os.Open(program)
	if err != nil {
		return "", err
	}
	defer from.Close()
	path := filepath.Join(folder, "own", "program")
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	return path, errors.Join(err, to.Close(), os.Chmod(path, 0o755))
}

// observe runs the probing bot, and checks whether all its processes die.
func (c *Cell) observe(ctx context.Context) (findings, error) {
	i, err := c.Prepare()
	if err != nil {
		return nil, err
	}
	defer i.Close()
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer out.Close()
	var said bytes.Buffer
	cmd := i.Command()
	cmd.Stdout, cmd.Stderr = theirs, &said
	const patience, quick = 30 * time.Second, 5 * time.Second // long enough for a busy machine
	cmd.WaitDelay = quick
	err = i.Start()
	theirs.Close()
	if err := i.Started(err); err != nil {
		if cmd.Process != nil {
			_ = i.Wait() // it was killed
		}
		return nil, err
	}
	stop := context.AfterFunc(ctx, i.Kill)
	defer stop()

	_ = out.SetReadDeadline(time.Now().Add(patience)) // a pipe has deadlines
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = i.(*boxed).tryGroup(ctx, patience)
	}
	i.Kill()
	_ = out.SetReadDeadline(time.Now().Add(quick))
	_, left := io.Copy(io.Discard, out)
	_ = i.Wait() // it was killed
	found, err := findingsOf(line, err, said.String())
	if err == nil && left != nil {
		found["family"] = "a daemon outlived its bot"
	}
	return found, err
}

// tryGroup finds out whether the control group of a bot that runs freezes the bot
// and counts its memory.
func (i *boxed) tryGroup(ctx context.Context, patience time.Duration) error {
	if i.group == nil {
		return nil
	}
	if i.control.Limits() > 0 {
		used, err := i.group.Used()
		if err != nil {
			return fmt.Errorf("cannot read the memory of a control group: %w", err)
		}
		if used == 0 {
			return errors.New("the control group of a bot counts no memory")
		}
	}
	if !i.group.Freezes() {
		return nil
	}
	i.Pause()
	for end := time.Now().Add(patience); !i.group.Frozen(); time.Sleep(time.Millisecond) {
		if ctx.Err() != nil { // the bot was killed
			return ctx.Err()
		}
		if time.Now().After(end) {
			return errors.New("the control group of a bot does not freeze it")
		}
	}
	return nil
}

// findingsOf reads the answer of the probing bot. failed is the error of reading it,
// and said is the bot's standard error. If the machine was short of processes, the
// error is a shortage, see shortage.
func findingsOf(line []byte, failed error, said string) (findings, error) {
	if failed != nil {
		for _, died := range []string{"failed to create new OS thread", "pthread_create failed"} { // as Go says it
			if strings.Contains(said, died) {
				failed = syscall.EAGAIN
			}
		}
		return nil, fmt.Errorf("a test bot did not answer: %w%s", failed, lastWords(said))
	}
	found := make(findings)
	if err := json.Unmarshal(line, &found); err != nil {
		return nil, fmt.Errorf("a test bot answered %q: %w", line, err)
	}
	if number, err := strconv.Atoi(found["errno"]); err == nil {
		return nil, fmt.Errorf("a test bot failed: %s: %w", found["failed"], syscall.Errno(number))
	}
	if why := found["failed"]; why != "" {
		return nil, errors.New("a test bot failed: " + why)
	}
	return found, nil
}

func lastWords(said string) string {
	said = strings.TrimSpace(said)
	if said == "" {
		return ""
	}
	first, _, _ := strings.Cut(said, "\n")
	return " (" + first + ")"
}

// attempt makes the attempts of the probing bot, and returns what succeeded.
func attempt(task string) int {
	var p probe
	found := make(findings)
	if err := json.Unmarshal([]byte(task), &p); err != nil {
		found["failed"] = err.Error()
	} else {
		p.files(found)
		p.network(found)
		p.memory(found)
		p.signals(found)
		p.disk(found)
		daemon(found)
		p.processes(found)
	}
	text, err := json.Marshal(found)
	if err != nil {
		return 1
	}
	if _, err := os.Stdout.Write(append(text, '\n')); err != nil {
		return 1
	}
	const longer = time.Minute // than the runner waits
	time.Sleep(longer)
	return 0
}

func (p *probe) files(found findings) {
	if _, err := os.ReadFile(p.Inside); err != nil {
		found.fail("it could not read its own folder", err)
	}
	if err := os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), "own"), []byte("x"), 0o600); err != nil {
		found.fail("it could not write to its temporary folder", err)
	}
	if _, err := os.ReadFile(p.Canary); err == nil {
		found["files"] = "a file of the user could be read"
	}
	// The runner checks later whether this has changed the user's files, or only the bot's view of them.
	for _, path := range []string{p.Canary, p.Inside} {
		_ = os.WriteFile(path, []byte("written"), 0o600)
	}
	for _, folder := range []string{p.Outside, p.Own} {
		_ = os.WriteFile(filepath.Join(folder, escaped), nil, 0o600)
	}
}

func (p *probe) network(found findings) {
	reached := func(err error) bool {
		for _, kept := range []error{unix.EACCES, unix.EPERM, unix.ENETUNREACH, unix.EAFNOSUPPORT} {
			if errors.Is(err, kept) {
				return false
			}
		}
		return true // a refused connection has reached somebody
	}
	for name, address := range map[string]string{"tcp": p.TCP, "udp": p.UDP} {
		conn, err := net.Dial(name+"4", address)
		if err == nil {
			_, err = conn.Write([]byte("x"))
			conn.Close()
		}
		if shortage(err) {
			found.fail("it could not open a connection", err)
		} else if reached(err) {
			found["network"] = "the runner was reached over " + name
		}
	}
}

func (p *probe) memory(found findings) {
	const piece = 32 << 20
	var pieces [][]byte
	for sum := int64(0); ; sum += piece {
		if sum > p.Memory {
			found["memory"] = fmt.Sprintf("more than %d MiB were given", p.Memory>>20)
			break
		}
		b, err := unix.Mmap(-1, 0, piece, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			break
		}
		b[0] = 1
		pieces = append(pieces, b)
	}
	for _, b := range pieces {
		_ = unix.Munmap(b) // it was mapped
	}
	// The limit does not count the following kinds of memory.
	if fd, err := unix.MemfdCreate("probe", 0); err == nil {
		found["memory"] = "a file in memory was given"
		unix.Close(fd)
	}
	taken := func(what string, fd, flags int) {
		if b, err := unix.Mmap(fd, 0, piece, unix.PROT_READ|unix.PROT_WRITE, flags); err == nil {
			found["memory"] = what + " was given"
			_ = unix.Munmap(b) // it was mapped
		}
	}
	taken("shared memory", -1, unix.MAP_SHARED|unix.MAP_ANON)
	taken("memory of a stack", -1, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_GROWSDOWN)
	if zero, err := os.OpenFile("/dev/zero", os.O_RDWR, 0); err == nil {
		taken("shared memory of a device", int(zero.Fd()), unix.MAP_SHARED)
		zero.Close()
	}
}

func (p *probe) signals(found findings) {
	// In a namespace of the bot's own, the number of the runner's process is free,
	// or it belongs to a process of the bot.
	const few = 64
	if os.Getppid() == 1 && os.Getpid() < few && p.Runner < few {
		return
	}
	if err := unix.Kill(p.Runner, 0); err == nil {
		found["signals"] = "the runner could be signalled"
	}
	if err := unix.PtraceSeize(p.Runner); err == nil {
		found["signals"] = "the runner could be traced"
	}
}

func (p *probe) disk(found findings) {
	if !p.Disk {
		return
	}
	piece := make([]byte, 128<<10)
	sum := int64(0)
	for n := 0; sum <= 2*p.Temp; n++ {
		path := filepath.Join(os.Getenv("TMPDIR"), fmt.Sprint("fill", n))
		if err := os.WriteFile(path, piece, 0o600); err != nil {
			return
		}
		sum += int64(len(piece))
	}
	found["disk"] = fmt.Sprintf("%d KiB were written where %d KiB are allowed", sum>>10, p.Temp>>10)
}

// fork forks this process. The child may only make raw system calls.
func fork() (pid uintptr, errno syscall.Errno) {
	pid, _, errno = syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
	return pid, errno
}

// daemon starts a process in a session of its own, which keeps standard output open.
func daemon(found findings) {
	pid, errno := fork()
	if pid == 0 && errno == 0 {
		_, _, _ = syscall.RawSyscall(syscall.SYS_SETSID, 0, 0, 0)
		if pid, errno = fork(); pid != 0 || errno != 0 {
			_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
		}
		for {
			_, _, _ = syscall.RawSyscall6(syscall.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
		}
	}
	if errno != 0 {
		found.fail("it cannot start a process", errno)
		return
	}
	_, _ = unix.Wait4(int(pid), nil, 0, nil) // it exits at once
}

func (p *probe) processes(found findings) {
	begun := 0
	for ; begun <= p.Processes; begun++ {
		pid, errno := fork()
		if pid == 0 && errno == 0 {
			_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0) // a dead process counts until it is waited for
		}
		if errno != 0 {
			break
		}
	}
	if begun > p.Processes {
		found["processes"] = fmt.Sprintf("%d were started where %d are allowed", begun, p.Processes)
	}
	for {
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
