package jail

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// spec is what the runner tells the init, as one line of JSON.
type spec struct {
	way
	Program   string
	Args, Env []string
	Dir       string
	ID        uint32   // the bot's own user and group, where the way has one
	Places    []place  // what is seen of the file system
	Hidden    []string `json:",omitempty"` // and what is not, with its lock
	Exact     []string `json:",omitempty"` // and just these
	Root      string   // where the new root is mounted
	Temp      string   // the bot's temporary folder
	TempSize  int64
	Memory    int64
	Processes int
	Network   bool
	NoNet     bool // enter the network namespace that is given
	Landlock  int  // its version
}

// The channel between runner and init: lines both ways. The runner asks for
// something, with a number; the init says something.
const (
	askCPU    = "cpu"
	askPause  = "pause"
	askResume = "resume"

	fromRunner = 3
	toRunner   = 4
	emptyNet   = 5 // no channel but a network namespace, where there is one for all

	saidStarted = "started" // and the init's own processor time
	saidRefused = "refused" // and the errno with which the program was refused
	saidFailed  = "failed"  // and why
	saidCPU     = "cpu"     // and the number of the question, the family's and the init's own processor time
	saidDone    = "done"    // and the number of the question, and a point
	saidExit    = "exit"    // and the bot's wait status, the family's and the init's own processor time
)

// Enter is the life of a program that was executed to be a jail's init. It
// returns the status with which the program should exit.
func Enter() int {
	if len(os.Args) > 3 && os.Args[2] == probeWord {
		return attempt(os.Args[3])
	}
	keepFiles()
	i := &initProcess{in: bufio.NewReader(os.NewFile(fromRunner, "runner")), out: os.NewFile(toRunner, "runner")}
	if i.out == nil {
		fmt.Fprintln(os.Stderr, Word+" is not a command: the runner executes itself with it")
		return 2
	}
	if err := i.setUp(); err != nil {
		i.say(saidFailed, strings.ReplaceAll(err.Error(), "\n", " "))
		return 1
	}
	if !i.start() {
		return 1
	}
	go i.listen()
	i.reap()
	return 0
}

// keepFiles keeps all open files but the standard ones from the bot, also
// those that the runner has inherited from whoever started it.
func keepFiles() {
	if unix.CloseRange(fromRunner, uint(^uint32(0)), unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	const many = 4096
	for fd := fromRunner; fd < many; fd++ {
		unix.CloseOnExec(fd)
	}
}

// initProcess is the process above a bot.
type initProcess struct {
	spec spec
	in   *bufio.Reader
	out  *os.File
	bot  int
	left chan error // gets what leaving the old root has come to; nil: there is none to be left

	mu sync.Mutex // held while a process is reaped or processor time is summed up
}

// say writes one line in one piece. A runner that is gone is seen elsewhere.
func (i *initProcess) say(words ...any) { _, _ = i.out.WriteString(fmt.Sprintln(words...)) }

// setUp does what concerns the whole process.
func (i *initProcess) setUp() error {
	line, err := i.in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("cannot read what to run: %w", err)
	}
	s := &i.spec
	if err := json.Unmarshal(line, s); err != nil {
		return fmt.Errorf("cannot read what to run: %w", err)
	}
	syscall.Umask(0o022)
	if s.Spaces {
		if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
			return fmt.Errorf("cannot ask to die with the runner: %w", err)
		}
	} else if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("cannot adopt orphans: %w", err)
	}
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // better than nothing only
	if s.Mounts {
		if err := mount(s); err != nil {
			return err
		}
		i.left = make(chan error, 1)
		go func() { i.left <- leave() }()
	}
	if err := os.Chdir(s.Dir); err != nil {
		return fmt.Errorf("cannot enter the bot's folder: %w", err)
	}
	const files = 4096
	for _, l := range []struct {
		resource  int
		soft, max uint64
	}{
		{unix.RLIMIT_CORE, 1, 1}, // at 1 a core is not even given to a program that collects them
		{unix.RLIMIT_FSIZE, uint64(s.TempSize), uint64(s.TempSize)},
		{unix.RLIMIT_NOFILE, 1024, files},
		{unix.RLIMIT_MSGQUEUE, 0, 0},
		{unix.RLIMIT_MEMLOCK, 64 << 10, 64 << 10},
	} {
		if err := limit(l.resource, l.soft, l.max); err != nil {
			return fmt.Errorf("cannot limit resource %d: %w", l.resource, err)
		}
	}
	// Nobody but root may look into the init.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("cannot close itself to others: %w", err)
	}
	return nil
}

// limit sets a limit of this process, as far as its own allows.
func limit(resource int, soft, hard uint64) error {
	var old unix.Rlimit
	if err := unix.Getrlimit(resource, &old); err != nil {
		return err
	}
	hard = min(hard, old.Max)
	return unix.Setrlimit(resource, &unix.Rlimit{Cur: min(soft, hard), Max: hard})
}

// start executes the bot, and tells the runner. What a thread has put on
// itself its children have too; so one thread takes away from itself what the
// bot may not have, starts the bot, and ends. None is left then that the bot
// would be allowed to signal.
func (i *initProcess) start() bool {
	restricted, limited, born := make(chan error), make(chan struct{}), make(chan birth)
	var run func()
	run = func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if unix.Gettid() == os.Getpid() {
			go run() // the main thread would not end
			return
		}
		restricted <- i.restrict()
		if _, ok := <-limited; ok {
			born <- i.fork()
		}
	}
	go run()
	err := <-restricted
	if i.left != nil {
		err = errors.Join(err, <-i.left)
	}
	var lift func()
	if err == nil {
		lift, err = i.limitInPassing()
	}
	if err != nil {
		close(limited)
		i.say(saidFailed, err)
		return false
	}
	limited <- struct{}{}
	b := <-born
	i.bot = b.pid
	lift()
	switch {
	case b.err != nil:
		i.say(saidFailed, b.err)
		return false
	case b.refused != 0:
		i.say(saidRefused, int(b.refused))
		return false
	}
	// The bot's ends of the pipes are its own: whoever waits for their end
	// waits for the bot. Standard error is kept for a cry of the init itself.
	if null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0); err == nil {
		_ = unix.Dup3(int(null.Fd()), 0, 0)
		_ = unix.Dup3(int(null.Fd()), 1, 0)
		null.Close()
	} else {
		unix.Close(0)
		unix.Close(1)
	}
	i.say(saidStarted, int64(own()))
	return true
}

// restrict takes away from this thread what the bot may not have.
func (i *initProcess) restrict() error {
	s := &i.spec
	if s.NoNet {
		if err := unix.Setns(emptyNet, unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("cannot leave the network: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("cannot give up new privileges: %w", err)
	}
	if err := restrictFiles(s); err != nil {
		return err
	}
	for c := uintptr(0); unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0) == nil; c++ {
		// Until there is no other; they are not to be had again either way.
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) // before Linux 4.3 there are none
	if !s.OwnID {                                                               // else they go with the change of the user
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var none [2]unix.CapUserData
		if err := unix.Capset(&header, &none[0]); err != nil {
			return fmt.Errorf("cannot give up capabilities: %w", err)
		}
	}
	return restrictCalls(s)
}

// limitInPassing sets the limits that would hurt the init itself, until they
// are lifted. They are soft ones, which the filter does not let the bot raise.
func (i *initProcess) limitInPassing() (lift func(), err error) {
	limits, before := i.spec.passing(), make(map[int]unix.Rlimit)
	lift = func() {
		for resource, old := range before {
			_ = unix.Setrlimit(resource, &old) // to what was allowed before
			if i.bot > 0 {                     // for a kernel without filters
				most := min(limits[resource], old.Max)
				_ = unix.Prlimit(i.bot, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
			}
		}
	}
	for resource, most := range limits {
		var old unix.Rlimit
		if err := unix.Getrlimit(resource, &old); err != nil {
			return nil, fmt.Errorf("cannot read limit %d: %w", resource, err)
		}
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: min(most, old.Max), Max: old.Max}); err != nil {
			return nil, fmt.Errorf("cannot set limit %d: %w", resource, err)
		}
		before[resource] = old
	}
	return lift, nil
}

// passing are the limits that the init has only while it starts the bot.
func (s *spec) passing() map[int]uint64 {
	limits := make(map[int]uint64)
	if s.Memory > 0 {
		limits[unix.RLIMIT_DATA] = uint64(s.Memory)
	}
	switch {
	case s.Processes <= 0:
	case s.OwnID:
		limits[unix.RLIMIT_NPROC] = uint64(s.Processes)
	case s.User:
		limits[unix.RLIMIT_NPROC] = uint64(s.Processes + threads()) // the init is of the same user
	}
	return limits
}

// birth is how the bot was started: its number, or the errno with which the
// system refused its program, or a failure that is not the program's.
type birth struct {
	pid     int
	refused syscall.Errno
	err     error
}

// fork executes the bot.
func (i *initProcess) fork() birth {
	s := &i.spec
	attr := &syscall.ProcAttr{
		Env:   s.Env,
		Files: []uintptr{0, 1, 2},
		// In the init's group, which the runner can pause, and not in a session of
		// its own: the scheduler shares the processors out among sessions, and two
		// bots that answer each other at once would wait twice as long.
		Sys: &syscall.SysProcAttr{},
	}
	if s.OwnID {
		attr.Sys.Credential = &syscall.Credential{Uid: s.ID, Gid: s.ID}
	}
	pid, err := syscall.ForkExec(s.Program, s.Args, attr)
	var errno syscall.Errno
	switch {
	case err == nil:
		return birth{pid: pid}
	case !errors.As(err, &errno),
		errno == unix.EAGAIN, errno == unix.ENOMEM, errno == unix.EMFILE, errno == unix.ENFILE:
		return birth{err: fmt.Errorf("cannot start a process: %w", err)}
	}
	return birth{refused: errno}
}

// threads returns how many threads this process has.
func threads() int {
	if tasks, err := os.ReadDir("/proc/self/task"); err == nil {
		return len(tasks)
	}
	const usual = 6
	return usual
}

// listen answers the runner, until it is gone.
func (i *initProcess) listen() {
	for {
		line, err := i.in.ReadString('\n')
		if err != nil {
			break
		}
		question, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		i.mu.Lock()
		switch question {
		case askCPU:
			i.say(saidCPU, number, int64(i.family()), int64(own()))
		case askPause:
			i.signalAll(unix.SIGSTOP)
			i.say(saidDone, number, ".")
		case askResume:
			i.signalAll(unix.SIGCONT)
			i.say(saidDone, number, ".")
		}
		i.mu.Unlock()
	}
	if !i.spec.Spaces {
		i.mu.Lock()
		i.sweep()
	}
	os.Exit(0) // and all processes of the namespace die with it
}

// reap waits for whatever dies below the init, until the bot itself has exited.
func (i *initProcess) reap() {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOWAIT|unix.WALL, nil)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return // there is nobody left
		}
		i.mu.Lock()
		for {
			var status unix.WaitStatus
			pid, err := unix.Wait4(-1, &status, unix.WNOHANG|unix.WALL, nil)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil || pid <= 0 {
				break
			}
			if pid != i.bot {
				continue
			}
			family := i.family()
			if !i.spec.Spaces {
				i.sweep()
			}
			i.say(saidExit, uint32(status), int64(family), int64(own()))
			return // the lock is kept: nothing is to be summed up any more
		}
		i.mu.Unlock()
	}
}

// own returns the init's own processor time.
func own() time.Duration { return used(unix.RUSAGE_SELF) }

func used(who int) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(unix.TimevalToNsec(u.Utime) + unix.TimevalToNsec(u.Stime))
}

// family returns the processor time of all below the init: the dead whom it
// has reaped, and the living with the dead whom they have reaped.
func (i *initProcess) family() time.Duration {
	sum := used(unix.RUSAGE_CHILDREN)
	self, living := descendants()
	if living == nil {
		if d, ok := clockOf(i.bot); ok {
			sum += d
		}
		return sum
	}
	for _, p := range living {
		sum += p.reaped
		if d, ok := clockOf(p.pid); ok && self == os.Getpid() {
			sum += d
		} else {
			sum += p.used
		}
	}
	return sum
}

// clockOf returns the processor time of a living process.
func clockOf(pid int) (time.Duration, bool) {
	var t unix.Timespec
	const clock = 2 // CPUCLOCK_SCHED, of a process
	if err := unix.ClockGettime(int32(^pid<<3|clock), &t); err != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}

// relative is a process below the init.
type relative struct {
	pid, parent  int
	dead         bool // and not yet reaped
	used, reaped time.Duration
}

// descendants returns all processes below this one, and what its own number is
// where they have theirs. Without a /proc there are none.
func descendants() (self int, below []relative) {
	text, err := os.Readlink("/proc/self")
	if err != nil {
		return 0, nil
	}
	self, err = strconv.Atoi(text)
	if err != nil {
		return 0, nil
	}
	folder, err := os.Open("/proc")
	if err != nil {
		return 0, nil
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return 0, nil
	}
	all := make(map[int]relative)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if stat, err := os.ReadFile("/proc/" + name + "/stat"); err == nil {
			if r, ok := parseStat(pid, stat); ok {
				all[pid] = r
			}
		}
	}
	below = []relative{}
	for _, r := range all {
		up := r
		for n := 0; n <= len(all) && up.parent != self && up.parent != 0; n++ {
			up = all[up.parent]
		}
		if up.parent == self {
			below = append(below, r)
		}
	}
	return self, below
}

// parseStat reads a line of /proc/PID/stat.
func parseStat(pid int, stat []byte) (relative, bool) {
	const (
		state, parent                    = 0, 1 // of the fields behind the name
		user, system, oldUser, oldSystem = 11, 12, 13, 14
		tick                             = 10 * time.Millisecond
	)
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) <= oldSystem {
		return relative{}, false
	}
	number := func(n int) int {
		v, _ := strconv.Atoi(fields[n]) // the kernel writes numbers
		return v
	}
	return relative{
		pid: pid, parent: number(parent), dead: fields[state] == "Z",
		used:   time.Duration(number(user)+number(system)) * tick,
		reaped: time.Duration(number(oldUser)+number(oldSystem)) * tick,
	}, true
}

// signalAll sends a signal to all processes below the init.
func (i *initProcess) signalAll(signal unix.Signal) {
	if i.spec.Spaces { // where there are no others
		_ = unix.Kill(-1, signal) // there may be none
		return
	}
	_, below := descendants()
	for _, r := range below {
		_ = unix.Kill(r.pid, signal) // it may have died
	}
}

// sweep kills all below the init, where no namespace does that.
func (i *initProcess) sweep() {
	const patience = 3 * time.Second
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if i.spec.OwnID {
			killUser(int(i.spec.ID))
		}
		_, below := descendants()
		for _, r := range below {
			_ = unix.Kill(r.pid, unix.SIGKILL) // it may have died
		}
		for {
			pid, err := unix.Wait4(-1, nil, unix.WNOHANG|unix.WALL, nil)
			if errors.Is(err, unix.ECHILD) {
				return // what is below is below a child
			}
			if err != nil && !errors.Is(err, unix.EINTR) || pid == 0 {
				break
			}
		}
	}
}

// killUser kills all processes of a user at once, as that user.
func killUser(id int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		// The system call changes this thread only, where Go's function changes all.
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(id), uintptr(id), uintptr(id)); errno == 0 {
			_ = unix.Kill(-1, unix.SIGKILL) // there may be nobody
		}
	}()
	<-done
}
