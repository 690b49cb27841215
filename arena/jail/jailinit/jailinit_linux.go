package jailinit

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"sembra/arena/jail/procfs"
)

// init is the one init function of the program. The package comment says why.
func init() {
	if len(os.Args) > 1 && os.Args[1] == Word {
		os.Exit(live())
	}
}

// process is the state of the init.
type process struct {
	task Task
	kept [Last + 1]uint64
	bot  int

	mu sync.Mutex // held while a process is reaped and while processor times are summed up
}

// live runs the init. It returns the exit status.
func live() int {
	keepFiles()
	p := new(process)
	if !p.read() {
		_, _ = os.Stderr.WriteString(Word + " is not a command: the program executes itself with it to isolate a bot\n")
		return 2
	}
	if !p.start() {
		return 1
	}
	go p.listen()
	p.reap()
	return 0
}

// keepFiles lets the bot inherit nothing but the standard files. The runner may
// have inherited others from its parent.
func keepFiles() {
	const closeRange, last, onlyAtExec = 436, 1<<32 - 1, 4 // the same numbers on every architecture
	if _, _, errno := syscall.RawSyscall(closeRange, FromRunner, last, onlyAtExec); errno == 0 {
		return
	}
	const many = 4096
	for fd := FromRunner; fd < many; fd++ { // before Linux 5.11
		syscall.CloseOnExec(fd)
	}
}

// read reads the task.
func (p *process) read() bool {
	length := make([]byte, numberSize)
	if !fill(length) {
		return false
	}
	c := coder{data: make([]byte, numberAt(length)), reading: true}
	if !fill(c.data) {
		return false
	}
	c.task(&p.task)
	return true
}

// fill reads from the runner until a buffer is full.
func fill(b []byte) bool {
	for len(b) > 0 {
		n, err := syscall.Read(FromRunner, b)
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 {
			return false
		}
		b = b[n:]
	}
	return true
}

// say sends a message to the runner. If the runner is gone, listen notices it.
func say(numbers ...uint64) {
	text := make([]byte, 4*numberSize)
	for i, n := range numbers {
		putNumber(text[i*numberSize:], n)
	}
	_, _ = syscall.Write(ToRunner, text) // a pipe does not split so short a message
}

// failure is a step that failed.
type failure struct {
	step  uint64
	errno syscall.Errno
}

// do makes the system calls of some steps. first is the number of the first one.
func (p *process) do(steps []Step, first int) *failure {
	for n := 0; n < len(steps); n++ {
		s := &steps[n]
		var args [6]uintptr
		for i := range s.Args {
			args[i] = p.value(&s.Args[i])
		}
		if s.Call == Address {
			p.kept[s.Keep] = uint64(args[0])
			continue
		}
		result, _, errno := syscall.Syscall6(uintptr(s.Call), args[0], args[1], args[2], args[3], args[4], args[5])
		switch {
		case errno == syscall.EINTR:
			n--
		case errno == 0 && s.Keep > 0:
			p.kept[s.Keep] = uint64(result)
		case errno != 0 && !s.accepts(errno):
			return &failure{uint64(first + n), errno}
		case errno != 0:
			n += int(s.Skip)
		}
	}
	return nil
}

// value returns what an argument stands for.
func (p *process) value(a *Arg) uintptr {
	if a.Data == nil {
		return uintptr(a.Number + p.kept[a.Add])
	}
	if a.Add > 0 {
		putNumber(a.Data[a.At:], numberAt(a.Data[a.At:])+p.kept[a.Add])
	}
	return uintptr(unsafe.Pointer(&a.Data[0])) // the garbage collector moves nothing, and the task keeps the data alive
}

// start executes the bot and tells the runner the outcome. A process inherits the
// restrictions of the thread that starts it. So one thread restricts itself,
// starts the bot, and ends, so that the bot cannot send it a signal.
func (p *process) start() bool {
	t := &p.task
	if failed := p.do(t.Process, 0); failed != nil {
		say(Failed, failed.step, uint64(failed.errno))
		return false
	}
	restricted, limited, born := make(chan *failure), make(chan bool), make(chan birth)
	go func() {
		// Never unlocked: the thread ends with the goroutine. It is not the main
		// thread, which is locked to the goroutine of init functions.
		runtime.LockOSThread()
		restricted <- p.do(t.Thread, len(t.Process)+len(t.Leave))
		if <-limited {
			born <- p.fork()
		}
	}()
	// This takes a while: the kernel waits until no processor uses the old root.
	failed := p.do(t.Leave, len(t.Process))
	if f := <-restricted; f != nil {
		failed = f
	}
	beforeLimit := len(t.Process) + len(t.Leave) + len(t.Thread)
	p.kept[Threads] = threads()
	if failed == nil {
		failed = p.do(t.Limit, beforeLimit)
	}
	limited <- failed == nil
	var b birth
	if failed == nil {
		b = <-born
	}
	if b.pid > 0 {
		p.bot, p.kept[Bot] = b.pid, uint64(b.pid)
		failed = p.do(t.Lift, beforeLimit+len(t.Limit))
	}
	switch {
	case b.errno != 0:
		say(Refused, uint64(b.errno))
	case failed != nil:
		say(Failed, failed.step, uint64(failed.errno))
	default:
		// Only the bot holds its ends of the pipes: whoever waits for their end waits
		// for the bot. The init keeps standard error for a crash of its own.
		_ = syscall.Dup3(ToRunner, 0, 0)
		_ = syscall.Dup3(ToRunner, 1, 0)
		say(Started, uint64(own()))
		return true
	}
	return false
}

// threads returns the number of threads of this process.
func threads() uint64 {
	if tasks, err := os.ReadDir("/proc/self/task"); err == nil {
		return uint64(len(tasks))
	}
	const usual = 6
	return usual
}

// birth is the outcome of starting the bot: the number of its process, or the
// error number if the system refused its program or could not start a process.
type birth struct {
	pid   int
	errno syscall.Errno
}

// fork executes the bot.
func (p *process) fork() birth {
	t := &p.task
	attr := &syscall.ProcAttr{
		Env:   t.Env,
		Files: []uintptr{0, 1, 2},
		// The bot is in the init's process group, which the runner can pause. It gets
		// no session of its own: the scheduler divides the processors among sessions,
		// so two bots that answer each other would wait twice as long.
		Sys: &syscall.SysProcAttr{},
	}
	if t.User != 0 {
		attr.Sys.Credential = &syscall.Credential{Uid: uint32(t.User), Gid: uint32(t.User)}
	}
	// Go would give the bot the limit of open files that the init had at its start.
	// Setting the limit through Go's function prevents that.
	var files syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files) == nil {
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files) // to its present value
	}
	pid, err := syscall.ForkExec(t.Program, t.Args, attr)
	if err == nil {
		return birth{pid: pid}
	}
	errno := syscall.EIO // replaced below: every error of ForkExec is a system error
	errors.As(err, &errno)
	return birth{errno: errno}
}

// listen answers the runner until the runner is gone.
func (p *process) listen() {
	question := make([]byte, 2*numberSize)
	for fill(question) {
		p.mu.Lock()
		number := numberAt(question[numberSize:])
		if signal := syscall.Signal(numberAt(question)); signal != 0 {
			p.signalAll(signal)
			say(Answered, number)
		} else {
			say(Answered, number, uint64(p.family()), uint64(own()))
		}
		p.mu.Unlock()
	}
	_ = p.do(p.task.Gone, 0) // nobody is left to hear of a failure
	if !p.task.Alone {
		p.mu.Lock()
		p.sweep()
	}
	os.Exit(0) // and all processes of the namespace die with it
}

// reap waits for every descendant that dies, until the bot itself has exited.
func (p *process) reap() {
	for {
		// This waits without the lock, and reaps nothing yet.
		var info [128]byte // siginfo_t
		const anybody = 0
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, anybody, 0, uintptr(unsafe.Pointer(&info)),
			syscall.WEXITED|syscall.WNOWAIT|syscall.WALL, 0, 0)
		if errno != 0 && errno != syscall.EINTR {
			return // there is nobody left
		}
		p.mu.Lock()
		for {
			var status syscall.WaitStatus
			pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG|syscall.WALL, nil)
			if err == syscall.EINTR {
				continue
			}
			if err != nil || pid <= 0 {
				break
			}
			if pid != p.bot {
				continue
			}
			family := p.family()
			if !p.task.Alone {
				p.sweep()
			}
			say(Exited, uint64(status), uint64(family), uint64(own()))
			return // with the lock held: no more times are summed up
		}
		p.mu.Unlock()
	}
}

// own returns the processor time of the init itself.
func own() time.Duration { return used(syscall.RUSAGE_SELF) }

func used(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// family returns the processor time of all descendants of the init: of the dead
// that it has reaped, of the living, and of the dead that these have reaped.
func (p *process) family() time.Duration {
	sum := used(syscall.RUSAGE_CHILDREN)
	self, living := descendants()
	if self == 0 {
		d, _ := procfs.CPU(p.bot)
		return sum + d
	}
	for _, l := range living {
		sum += l.Reaped
		if d, ok := procfs.CPU(l.PID); ok && self == os.Getpid() {
			sum += d
		} else {
			sum += l.Used
		}
	}
	return sum
}

// descendants returns all descendants of this process, and its own number in
// /proc. The number is 0 if there is no /proc.
func descendants() (self int, below []procfs.Process) {
	self, ok := procfs.Self()
	if !ok {
		return 0, nil
	}
	all, err := procfs.All()
	if err != nil {
		return 0, nil
	}
	return self, procfs.Below(self, all)
}

// signalAll sends a signal to all descendants of the init.
func (p *process) signalAll(signal syscall.Signal) {
	if p.task.Alone {
		_ = syscall.Kill(-1, signal) // there may be none
		return
	}
	_, below := descendants()
	for _, b := range below {
		_ = syscall.Kill(b.PID, signal) // it may have died
	}
}

// sweep kills all descendants of the init, if no namespace does that.
func (p *process) sweep() {
	const patience = 3 * time.Second
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if p.task.User != 0 {
			killUser(uintptr(p.task.User))
		}
		p.signalAll(syscall.SIGKILL)
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG|syscall.WALL, nil)
			if err == syscall.ECHILD {
				return // without a child there are no descendants
			}
			if err != nil && err != syscall.EINTR || pid == 0 {
				break
			}
		}
	}
}

// killUser kills all processes of a user at once, as that user.
func killUser(id uintptr) {
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		// The system call changes only this thread. Go's function would change all threads.
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, id, id, id); errno == 0 {
			_ = syscall.Kill(-1, syscall.SIGKILL) // there may be nobody
		}
	}()
	<-done
}
