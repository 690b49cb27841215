package jail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// way is what the kernel gives to build a jail of.
type way struct {
	Spaces bool // namespaces for processes, ipc and the host's name, and one without a network, unless that may be used
	Mounts bool // a namespace for mounts
	User   bool // a user namespace, which gives the others to an ordinary user
	OwnID  bool // a user id of its own for every process of a bot
}

// ways returns what is to be tried, the best first.
func ways() []way {
	if os.Geteuid() == 0 {
		return []way{
			{Spaces: true, Mounts: true, OwnID: true},
			{Spaces: true, OwnID: true},
			{Spaces: true, Mounts: true}, // root of a container may not know other users
			{OwnID: true},
			{},
		}
	}
	return []way{{Spaces: true, Mounts: true, User: true}, {Spaces: true, User: true}, {}}
}

const (
	tempSize = 64 << 20 // bytes of a bot's temporary folder

	// The user ids of a jail: a block of so many among those that nobody uses.
	firstID, lastID, blockOfIDs = 2_000_000_000, 1<<31 - 1, 1024
)

// Jail is what this machine can give. It is safe for concurrent use.
type Jail struct {
	limits   Limits
	layers   Layers
	reasons  map[string]string // why a layer does not hold
	nothing  string            // never said here: there are limits at the least
	way      way
	landlock int    // its version
	self     string // what is executed to be the init
	base     string // a folder of the jail's own
	lock     *os.File
	noNet    *os.File // a network namespace in which there is nothing; nil: each bot gets one of its own
	tempSize int64
	ids      *ids
}

// New finds out what this machine can give to bots with these limits, by
// running a bot that tries to break out. It fails only where the runner itself
// does.
func New(ctx context.Context, l Limits) (*Jail, error) {
	return newJail(ctx, l, ways(), landlockVersion())
}

func newJail(ctx context.Context, l Limits, ways []way, landlock int) (*Jail, error) {
	base, lock, err := makeBase(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("cannot make the jail's folder: %w", err)
	}
	j := &Jail{limits: l, base: base, lock: lock, landlock: landlock, tempSize: tempSize, self: "/proc/self/exe", ids: newIDs(), reasons: make(map[string]string)}
	err = j.furnish()
	if err == nil {
		err = j.find(ctx, ways)
	}
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// furnish makes what lies in the jail's folder.
func (j *Jail) furnish() error {
	if _, err := os.Stat(j.self); err != nil {
		if j.self, err = os.Executable(); err != nil {
			return fmt.Errorf("cannot find the own program: %w", err)
		}
	}
	if err := os.Chmod(j.base, 0o711); err != nil { // a bot of another user passes through it
		return err
	}
	return os.Mkdir(j.root(), 0o700)
}

// root is where the new root of a bot is mounted, in its own namespace.
func (j *Jail) root() string { return filepath.Join(j.base, "root") }

// shareNetwork makes one network namespace for all bots, because each that is
// made costs as much as a start of a program. It has no address, and the filter
// keeps bots from taking one by which others could find them. Where a bot could
// see the init's own namespace, or there is no filter, each bot gets its own.
func (j *Jail) shareNetwork() {
	if !j.way.Mounts || !j.way.OwnID || j.limits.Network || !filters() {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if unix.Unshare(unix.CLONE_NEWNET) == nil {
			j.noNet, _ = os.Open("/proc/thread-self/ns/net") // without it, each has its own
		}
	}()
	<-done
}

// Close removes what the jail keeps on disk. No bot may be running.
func (j *Jail) Close() error {
	if j.noNet != nil {
		j.noNet.Close()
	}
	err := os.RemoveAll(j.base)
	j.lock.Close() // only after it: a folder without a lock is removed by whoever sees it
	return err
}

// makeBase makes a folder of the jail's own, which is locked as long as the
// runner lives, and removes those of runners that were killed.
func makeBase(in string) (base string, lock *os.File, err error) {
	const name = "sembra-jail-"
	for {
		if base, err = os.MkdirTemp(in, name); err != nil {
			return "", nil, err
		}
		lock, err = lockFolder(base, unix.LOCK_EX)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was taken for one of a killed runner
		}
		if err != nil {
			return "", nil, errors.Join(err, os.Remove(base))
		}
		break
	}
	old, err := filepath.Glob(filepath.Join(in, name+"*"))
	if err != nil {
		return base, lock, nil // a name that is no pattern: they stay
	}
	for _, path := range old {
		stat, err := os.Lstat(path)
		ours := strings.Trim(strings.TrimPrefix(filepath.Base(path), name), "0123456789") == ""
		if err != nil || path == base || !ours || !stat.IsDir() {
			continue
		}
		if owner, ok := stat.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Geteuid() {
			continue
		}
		if left, err := lockFolder(path, unix.LOCK_EX|unix.LOCK_NB); err == nil {
			_ = os.RemoveAll(path) // the next may have more luck
			left.Close()
		}
	}
	return base, lock, nil
}

// lockFolder locks a folder that is there.
func lockFolder(path string, how int) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	file := os.NewFile(uintptr(fd), path)
	for {
		err = unix.Flock(fd, how)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err == nil {
		_, err = os.Lstat(path)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// ids gives out user ids.
type ids struct {
	mu    sync.Mutex
	first uint32
	used  [blockOfIDs]bool
}

func newIDs() *ids {
	return &ids{first: firstID + blockOfIDs*rand.Uint32N((lastID-firstID)/blockOfIDs)}
}

func (i *ids) take() (uint32, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for n := range i.used {
		if !i.used[n] {
			i.used[n] = true
			return i.first + uint32(n), nil
		}
	}
	return 0, fmt.Errorf("there are %d bots already", blockOfIDs)
}

func (i *ids) giveBack(id uint32) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.used[id-i.first] = false
}

// Cell is what is prepared once for a bot. It is safe for concurrent use.
type Cell struct {
	jail     *Jail
	command  Command  // its environment without a shim
	programs []string // that the kernel executes for it
	homes    []string
	places   []place
	hidden   []string // that are to be covered, as in a view
	exact    []string
}

// Cell prepares what the processes of a bot have in common. The error is one
// that the user can act on.
//
// A bot sees files at the paths where they are: the system, its folder, its
// program, and with a program PREFIX/bin/NAME what belongs to it in PREFIX;
// an interpreter counts as a program; and the files that its arguments name by
// absolute paths. Of what is hidden it sees nothing, whatever else it needs.
//
// With mounts of its own a bot finds something empty that it cannot open where
// a hidden file or folder was when its process was started; what is put there
// later, or takes its place, is seen. Without them a folder in which something
// hidden lies is opened entry by entry as it is found when a process is
// prepared: what is put into it later is not seen by that process.
func (j *Jail) Cell(c Command) (*Cell, error) {
	for _, path := range []string{c.Program, c.Dir} {
		if !filepath.IsAbs(path) {
			return nil, fmt.Errorf("%q is not an absolute path", path)
		}
	}
	if len(c.Args) == 0 {
		return nil, errors.New("a bot needs its own name as the first argument")
	}
	c.Dir = filepath.Clean(c.Dir)
	if stat, err := os.Stat(c.Dir); err != nil || !stat.IsDir() {
		return nil, fmt.Errorf("there is no folder %s", c.Dir)
	}
	cell := &Cell{jail: j, command: c, homes: homesOf(c.Env)}
	var err error
	if cell.programs, cell.command, err = follow(c); err != nil {
		return nil, notThere(err)
	}
	v, err := j.see(cell)
	if err != nil {
		return nil, notThere(err)
	}
	cell.places = v.places
	if j.way.Mounts {
		cell.hidden, cell.exact = v.hidden, v.exact
	}
	if j.way.OwnID {
		if err := j.strangerMay(cell); err != nil {
			return nil, err
		}
	}
	return cell, nil
}

// notThere says in plain words that a file is not there.
func notThere(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s", pathErr.Path)
	}
	return err
}

// strangerMay returns an error if a user who owns nothing may not enter the
// folder or execute a program of a bot.
func (j *Jail) strangerMay(c *Cell) error {
	const enter, readIt = 0o001, 0o004
	check := func(path string, bits fs.FileMode) error {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return notThere(err)
		}
		stat, err := os.Stat(real)
		if err != nil {
			return notThere(err)
		}
		if stat.Mode().Perm()&bits != bits {
			hint := map[fs.FileMode]string{enter: "o+x", readIt: "o+r", enter | readIt: "o+rx"}[bits]
			return fmt.Errorf("the bot runs under a user id of its own, which may not use %s (hint: chmod %s)", real, hint)
		}
		if j.way.Mounts {
			return nil // it is seen whatever is above
		}
		for folder := filepath.Dir(real); folder != "/"; folder = filepath.Dir(folder) {
			if stat, err := os.Stat(folder); err == nil && stat.Mode().Perm()&enter == 0 {
				return fmt.Errorf("the bot runs under a user id of its own, which may not enter %s on the way to %s (hint: chmod o+x)", folder, real)
			}
		}
		return nil
	}
	if err := check(c.command.Dir, enter|readIt); err != nil {
		return err
	}
	for _, arg := range c.command.Args[min(1, len(c.command.Args)):] {
		path := arg
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.command.Dir, path)
		}
		hidden := slices.ContainsFunc(c.command.Hidden, func(h string) bool { return inside(path, filepath.Clean(h)) })
		if stat, err := os.Stat(path); hidden || err != nil || !stat.Mode().IsRegular() {
			continue
		}
		if err := check(path, readIt); err != nil {
			return err
		}
	}
	for n, program := range c.programs {
		bits := fs.FileMode(enter)
		if n < len(c.programs)-1 && filepath.Base(program) != "env" {
			bits |= readIt // a script
		}
		if err := check(program, bits); err != nil {
			return err
		}
	}
	return nil
}

// Inmate is one process of a bot. Its methods may be called from any
// goroutine, but Started and Close once, in this order.
type Inmate struct {
	// Cmd is to be given standard input, output and error and a WaitDelay,
	// and to be started by the caller, on a thread that lives as long as the
	// bot may, who tells [Inmate.Started] the result.
	Cmd *exec.Cmd

	jail    *Jail
	spec    spec
	id      uint32
	temp    string // a folder to be removed
	theirs  []*os.File
	to      *os.File // never call Fd on our ends: it would end their deadlines
	from    *os.File
	talking sync.Mutex // held while the init is spoken with; it guards what follows
	rest    []byte     // a line that has not come to its end
	over    bool       // the init has ended
	running bool       // the bot was executed
	asked   int
	cpu     time.Duration
	own     time.Duration // of the init
	exit    string

	mu     sync.Mutex // guards what follows
	killed bool
	closed bool
	init   *os.Process
}

// Prepare makes what one process of the bot needs. An error is the runner's
// own, and leaves nothing behind.
func (c *Cell) Prepare() (*Inmate, error) {
	j := c.jail
	i := &Inmate{jail: j, spec: spec{
		way:     j.way,
		Program: c.command.Program, Args: c.command.Args, Dir: c.command.Dir,
		Places: c.places, Hidden: c.hidden, Exact: c.exact, Root: j.root(), Temp: "/tmp", TempSize: j.tempSize,
		Memory: j.limits.Memory, Processes: j.limits.Processes, Network: j.limits.Network, Landlock: j.landlock,
	}}
	if err := i.prepare(c); err != nil {
		i.Close()
		return nil, err
	}
	return i, nil
}

func (i *Inmate) prepare(c *Cell) error {
	j, s := i.jail, &i.spec
	if len(j.limits.Hidden) > 0 && !s.Mounts {
		v, err := j.see(c)
		if err != nil {
			return err
		}
		s.Places = v.places
	}
	if s.OwnID {
		id, err := j.ids.take()
		if err != nil {
			return err
		}
		i.id, s.ID = id, id
	}
	if !s.Mounts {
		temp, err := os.MkdirTemp(j.base, "temp-")
		if err != nil {
			return err
		}
		i.temp, s.Temp = temp, temp
		if s.OwnID {
			if err := os.Chown(temp, int(s.ID), int(s.ID)); err != nil {
				return err
			}
		}
	}
	s.Env = setEnv(c.command.Env, s.Temp, "HOME", "TMPDIR")

	theirIn, to, err := os.Pipe()
	if err != nil {
		return err
	}
	i.theirs, i.to = append(i.theirs, theirIn), to
	from, theirOut, err := os.Pipe()
	if err != nil {
		return err
	}
	i.theirs, i.from = append(i.theirs, theirOut), from

	attr := &syscall.SysProcAttr{Setpgid: true}
	if s.Spaces {
		attr.Pdeathsig = syscall.SIGKILL // without, it has to live to kill the others
		attr.Cloneflags = syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS
		if !s.Network && j.noNet == nil {
			attr.Cloneflags |= syscall.CLONE_NEWNET
		}
	}
	if s.Mounts {
		attr.Cloneflags |= syscall.CLONE_NEWNS
	}
	if s.User {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP} // to mount, and to give all of them up
	}
	i.Cmd = &exec.Cmd{
		Path: j.self, Args: []string{os.Args[0], Word}, Dir: "/",
		// It makes little garbage; and a build with the race detector is not to linger before it exits.
		Env:         []string{"GOMAXPROCS=2", "GOGC=off", "GORACE=atexit_sleep_ms=0"},
		ExtraFiles:  i.theirs,
		SysProcAttr: attr,
	}
	if j.noNet != nil {
		s.NoNet = true
		i.Cmd.ExtraFiles = append(slices.Clone(i.theirs), j.noNet)
	}
	return nil
}

// Started is told what [exec.Cmd.Start] returned, right after it, and returns
// whether the bot was executed: an [*ExecError] if its program cannot be, or
// another error, which is the runner's own. After an error nothing is left
// running; a command that was started is still to be waited for.
func (i *Inmate) Started(err error) error {
	for _, f := range i.theirs {
		f.Close()
	}
	i.theirs = nil
	if err != nil {
		return err
	}
	i.mu.Lock()
	i.init = i.Cmd.Process
	killed := i.killed
	i.mu.Unlock()
	if killed {
		i.end()
	}
	if err = i.await(); err != nil {
		i.Kill()
	}
	return err
}

// await sends the spec and waits until the bot was executed.
func (i *Inmate) await() error {
	i.talking.Lock()
	defer i.talking.Unlock()
	const patience = 10 * time.Second
	deadline := time.Now().Add(patience)
	text, err := json.Marshal(i.spec)
	if err != nil {
		return err
	}
	if err := i.to.SetWriteDeadline(deadline); err != nil {
		return fmt.Errorf("cannot speak with the jail's init: %w", err)
	}
	if _, err := i.to.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("cannot speak with the jail's init: %w", err)
	}
	for {
		what, rest, err := i.hear(deadline)
		switch {
		case err != nil:
			return fmt.Errorf("the jail's init did not start the bot: %w", err)
		case what == saidStarted:
			i.running = true
			i.own = nanoseconds(rest)
			return nil
		case what == saidRefused:
			errno, _ := strconv.Atoi(rest) // the init writes a number
			return &ExecError{i.spec.Program, syscall.Errno(errno)}
		case what == saidFailed:
			return errors.New("the jail's init failed: " + rest)
		}
	}
}

// hear returns the next line of the init: its first word, and the rest.
func (i *Inmate) hear(deadline time.Time) (what, rest string, err error) {
	for {
		if line, after, ok := strings.Cut(string(i.rest), "\n"); ok {
			i.rest = []byte(after)
			what, rest, _ = strings.Cut(line, " ")
			i.note(what, rest)
			return what, rest, nil
		}
		if i.over {
			return "", "", errors.New("it has ended")
		}
		if err := i.from.SetReadDeadline(deadline); err != nil {
			return "", "", err
		}
		buf := make([]byte, 512)
		n, err := i.from.Read(buf)
		i.rest = append(i.rest, buf[:n]...)
		if n == 0 && err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				i.over = true
			}
			return "", "", err
		}
	}
}

// note keeps what a line of the init says for later.
func (i *Inmate) note(what, rest string) {
	words := strings.Fields(rest)
	if len(words) != 3 || what != saidCPU && what != saidExit {
		return
	}
	i.cpu = max(i.cpu, nanoseconds(words[1]))
	i.own = max(i.own, nanoseconds(words[2]))
	if what == saidExit {
		status, _ := strconv.ParseUint(words[0], 10, 32) // the init writes a number
		i.exit = describe(syscall.WaitStatus(status))
	}
}

func nanoseconds(text string) time.Duration {
	n, _ := strconv.ParseInt(text, 10, 64) // the init writes a number
	return time.Duration(n)
}

// describe says how a process exited, in the words of [os.ProcessState].
func describe(status syscall.WaitStatus) string {
	text := ""
	switch {
	case status.Exited():
		return "exit status " + strconv.Itoa(status.ExitStatus())
	case status.Signaled():
		text = "signal: " + status.Signal().String()
	}
	if status.CoreDump() {
		text += " (core dumped)"
	}
	return text
}

// CPU returns the processor time that the bot and all that it started have
// taken so far. While the bot runs its init is asked, which on a busy machine may take half a second; it
// is not known if there is no answer. After Close it is the sum of all.
//
// A process whose parent does not want to know of its end takes the knowledge
// of its processor time with it, unless it lives when it is asked for.
func (i *Inmate) CPU() (time.Duration, bool) {
	i.talking.Lock()
	defer i.talking.Unlock()
	if !i.running {
		return 0, false
	}
	answered := i.ask(askCPU)
	return i.cpu, answered
}

// Pause stops the bot and all that it started until Resume, also what has left
// its process group.
func (i *Inmate) Pause() { i.order(askPause) }

// Resume lets the bot and all that it started go on.
func (i *Inmate) Resume() { i.order(askResume) }

// order asks the init to do something, and waits until it is done.
func (i *Inmate) order(question string) {
	i.talking.Lock()
	defer i.talking.Unlock()
	if i.running && !i.over {
		i.ask(question)
	}
}

// ask asks the init, and waits for its answer. One that is over has answered
// everything.
func (i *Inmate) ask(question string) (answered bool) {
	const patience = 500 * time.Millisecond
	deadline := time.Now().Add(patience)
	if !i.over {
		i.asked++
		if err := i.to.SetWriteDeadline(deadline); err == nil {
			_, _ = i.to.WriteString(question + " " + strconv.Itoa(i.asked) + "\n") // an init that is gone says so below
		}
	}
	for !i.over {
		what, rest, err := i.hear(deadline)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false
		case err == nil && (what == saidCPU || what == saidDone) && strings.HasPrefix(rest, strconv.Itoa(i.asked)+" "):
			return true
		}
	}
	return true
}

// Exit returns how the bot's own process exited, in the words of
// [os.ProcessState]. It is known after the command was waited for, unless the
// bot was killed before it exited.
func (i *Inmate) Exit() (state string, ok bool) {
	i.talking.Lock()
	defer i.talking.Unlock()
	i.drain()
	return i.exit, i.exit != ""
}

// drain hears what an init has said before its end.
func (i *Inmate) drain() {
	const patience = 20 * time.Millisecond
	deadline := time.Now().Add(patience)
	for i.running && !i.over {
		if _, _, err := i.hear(deadline); errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
	}
}

// Kill ends the bot, its init and all that they started. It does not wait, may
// be called from any goroutine, and more than once.
func (i *Inmate) Kill() {
	i.mu.Lock()
	first := !i.killed && i.init != nil && !i.closed
	i.killed = true
	i.mu.Unlock()
	if first {
		i.end()
	}
}

// end ends an init that was started.
func (i *Inmate) end() {
	if i.spec.Spaces {
		_ = i.init.Kill() // it may have ended; all of its namespace end with it
		return
	}
	i.to.Close() // and it kills the others, and ends
	const patience = 5 * time.Second
	init := i.init
	time.AfterFunc(patience, func() { _ = init.Kill() }) // it will have ended
}

// Close releases what is left. It is called after [exec.Cmd.Wait], or if the
// command could not be started or never was.
func (i *Inmate) Close() {
	i.mu.Lock()
	closed := i.closed
	i.closed = true
	i.mu.Unlock()
	if closed {
		return
	}
	i.talking.Lock()
	defer i.talking.Unlock()
	if i.from != nil {
		i.drain()
	}
	i.over = true
	if i.running && i.Cmd.ProcessState != nil {
		state := i.Cmd.ProcessState // of the init, with all that was reaped below it
		i.cpu = max(i.cpu, state.UserTime()+state.SystemTime()-i.own)
	}
	for _, f := range append(i.theirs, i.to, i.from) {
		if f != nil {
			f.Close()
		}
	}
	if i.temp != "" {
		_ = os.RemoveAll(i.temp) // what is left goes with the jail
	}
	if i.id != 0 {
		i.jail.ids.giveBack(i.id)
	}
}
