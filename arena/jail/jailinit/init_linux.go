package jailinit

import (
	"syscall"
	"unsafe"
)

// process is the state of a fork server, and of the inits that are copies of it.
// All that the system calls of an init write to is in it: the stack is small.
type process struct {
	served bool
	input  []byte // of which the task is made
	coder  coder
	task   Task
	files  [mostFiles]int32
	given  int // how many files came with the task
	args   []*byte
	env    []*byte

	kept   [Last + 1]uint64
	bot    int // the number of its process; 0 after its end
	pipe   [2]int32
	polled [2]pollFile
	status uint32
	usage  syscall.Rusage
	text   [4 * numberSize]byte // a message
	buffer [4096]byte
}

// pollFile is a struct pollfd.
type pollFile struct {
	fd             int32
	events, arrive int16
}

// fork forks this process. The copy becomes an init and never returns.
//
//go:norace
//go:nosplit
func (p *process) fork(flags uintptr) (pid uintptr, errno syscall.Errno) {
	pid, _, errno = syscall.RawSyscall6(syscall.SYS_CLONE, flags, 0, 0, 0, 0, 0)
	if pid == 0 && errno == 0 {
		p.live()
		exit(0)
	}
	return pid, errno
}

//go:norace
//go:nosplit
func exit(status uintptr) {
	for {
		_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, status, 0, 0)
	}
}

// live is the life of an init.
//
//go:norace
//go:nosplit
func (p *process) live() {
	p.takeFiles()
	if step, errno := p.do(p.task.Init, 0); errno != 0 {
		p.say(Failed, step, uint64(errno), 0)
		return
	}
	pid, errno := p.forkBot()
	if errno != 0 {
		p.say(Failed, uint64(len(p.task.Init)+len(p.task.Bot)), uint64(errno), 0)
		return
	}
	if pid == 0 {
		p.execute()
	}
	if p.bot = int(pid); !p.executed() {
		return
	}
	// Only the bot holds its ends of the pipes: whoever waits for their end waits for
	// the bot.
	for fd := range uintptr(FromRunner) {
		_, _, _ = syscall.RawSyscall(syscall.SYS_CLOSE, fd, 0, 0)
	}
	p.say(Started, p.used(0), 0, 0)
	p.watch()
}

// takeFiles gives the files of an init their numbers. The copies lie above their
// new numbers, because the server's own files have the lowest numbers.
//
//go:norace
//go:nosplit
func (p *process) takeFiles() {
	for n := range p.given {
		flags := uintptr(0)
		if n >= FromRunner {
			flags = syscall.O_CLOEXEC
		}
		_, _, _ = syscall.RawSyscall(syscall.SYS_DUP3, uintptr(p.files[n]), uintptr(n), flags)
	}
	const most = Server + 1 + mostFiles
	for fd := p.given; fd < most; fd++ {
		_, _, _ = syscall.RawSyscall(syscall.SYS_CLOSE, uintptr(fd), 0, 0)
	}
}

// do makes the system calls of some steps. first is the number of the first one. It
// returns the step that failed and its error, or 0.
//
//go:norace
//go:nosplit
func (p *process) do(steps []Step, first int) (failed uint64, errno syscall.Errno) {
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
		result, _, errno := syscall.RawSyscall6(uintptr(s.Call), args[0], args[1], args[2], args[3], args[4], args[5])
		switch {
		case errno == syscall.EINTR:
			n--
		case errno == 0 && s.Keep > 0:
			p.kept[s.Keep] = uint64(result)
		case errno != 0 && !s.accepts(errno):
			return uint64(first + n), errno
		case errno != 0:
			n += int(s.Skip)
		}
	}
	return 0, 0
}

// value returns what an argument stands for.
//
//go:norace
//go:nosplit
func (p *process) value(a *Arg) uintptr {
	if a.Data == nil {
		return uintptr(a.Number + p.kept[a.Add])
	}
	if a.Add > 0 {
		putNumber(a.Data[a.At:], numberAt(a.Data[a.At:])+p.kept[a.Add])
	}
	return uintptr(unsafe.Pointer(&a.Data[0])) // an init has no garbage collector, which could move or free it
}

// executed waits until the bot's process has executed the program. It passes on the
// error if that has failed.
//
//go:norace
//go:nosplit
func (p *process) executed() bool {
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOSE, uintptr(p.pipe[1]), 0, 0)
	n, _, _ := syscall.RawSyscall(syscall.SYS_READ, uintptr(p.pipe[0]), uintptr(unsafe.Pointer(&p.text)), uintptr(len(p.text)))
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOSE, uintptr(p.pipe[0]), 0, 0)
	if int(n) == len(p.text) {
		_, _, _ = syscall.RawSyscall(syscall.SYS_WRITE, ToRunner, uintptr(unsafe.Pointer(&p.text)), n)
		return false
	}
	return true
}

// forkBot forks the bot's process, in its control group. A flag lets the init sleep
// until the program is executed. The bot's process reports an error through a pipe,
// which the execution closes.
//
//go:norace
//go:nosplit
func (p *process) forkBot() (pid uintptr, errno syscall.Errno) {
	_, _, errno = syscall.RawSyscall(syscall.SYS_PIPE2, uintptr(unsafe.Pointer(&p.pipe)), syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return 0, errno
	}
	if p.task.Group == 0 {
		pid, _, errno = syscall.RawSyscall6(syscall.SYS_CLONE, syscall.CLONE_VFORK|uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
		return pid, errno
	}
	// A struct clone_args has these numbers. A process that is moved to a group later has
	// to wait until no other process of the machine forks or exits.
	const flags, signal, group, numbers = 0, 4, 10, 11
	const intoGroup = 1 << 33
	for n := range numbers {
		putNumber(p.buffer[n*numberSize:], 0)
	}
	putNumber(p.buffer[flags*numberSize:], syscall.CLONE_VFORK|intoGroup)
	putNumber(p.buffer[signal*numberSize:], uint64(syscall.SIGCHLD))
	putNumber(p.buffer[group*numberSize:], p.kept[p.task.Group])
	const clone3 = 435 // the same number on every architecture
	pid, _, errno = syscall.RawSyscall(clone3, uintptr(unsafe.Pointer(&p.buffer)), numbers*numberSize, 0)
	return pid, errno
}

// execute takes the rights away from the bot's process and executes the program.
//
//go:norace
//go:nosplit
func (p *process) execute() {
	step, errno := p.do(p.task.Bot, len(p.task.Init))
	putNumber(p.text[:], Failed)
	if errno == 0 {
		_, _, errno = syscall.RawSyscall(syscall.SYS_EXECVE, uintptr(unsafe.Pointer(&p.task.Program[0])),
			uintptr(unsafe.Pointer(&p.args[0])), uintptr(unsafe.Pointer(&p.env[0])))
		putNumber(p.text[:], Refused)
		step = uint64(errno)
	}
	putNumber(p.text[numberSize:], step)
	putNumber(p.text[2*numberSize:], uint64(errno))
	_, _, _ = syscall.RawSyscall(syscall.SYS_WRITE, uintptr(p.pipe[1]), uintptr(unsafe.Pointer(&p.text)), uintptr(len(p.text)))
	exit(1)
}

// say sends a message to the runner. If the runner is gone, watch notices it.
//
//go:norace
//go:nosplit
func (p *process) say(what, a, b, c uint64) {
	putNumber(p.text[:], what)
	putNumber(p.text[numberSize:], a)
	putNumber(p.text[2*numberSize:], b)
	putNumber(p.text[3*numberSize:], c)
	// A pipe does not split so short a message.
	_, _, _ = syscall.RawSyscall(syscall.SYS_WRITE, ToRunner, uintptr(unsafe.Pointer(&p.text)), uintptr(len(p.text)))
}

// watch waits for every descendant that dies, until the bot itself has exited, and
// answers the runner, until it is gone.
//
//go:norace
//go:nosplit
func (p *process) watch() {
	const readable = 1 // POLLIN
	p.polled[0] = pollFile{fd: FromRunner, events: readable}
	p.polled[1] = pollFile{fd: p.deaths(), events: readable}
	for {
		if p.reap() {
			status := p.status
			p.sweep()
			p.say(Exited, uint64(status), p.used(-1), p.used(0))
			return
		}
		_, _, _ = syscall.RawSyscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p.polled)), uintptr(len(p.polled)), 0, 0, 0, 0)
		if p.polled[1].arrive != 0 {
			_, _, _ = syscall.RawSyscall(syscall.SYS_READ, uintptr(p.polled[1].fd),
				uintptr(unsafe.Pointer(&p.buffer)), uintptr(len(p.buffer)))
		}
		if p.polled[0].arrive != 0 && !p.answer() {
			_, _ = p.do(p.task.Gone, 0) // nobody is left to hear of an error
			p.sweep()
			return
		}
	}
}

// deaths returns a file that can be read when a child has died.
//
//go:norace
//go:nosplit
func (p *process) deaths() int32 {
	putNumber(p.text[:], 1<<(uint64(syscall.SIGCHLD)-1))
	fd, _, _ := syscall.RawSyscall6(syscall.SYS_SIGNALFD4, ^uintptr(0), uintptr(unsafe.Pointer(&p.text)), numberSize,
		syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0, 0)
	return int32(fd)
}

// reap waits for all dead children. It reports whether the bot is among them; then
// the status is that of the bot.
//
//go:norace
//go:nosplit
func (p *process) reap() bool {
	for {
		pid, errno := p.wait(syscall.WNOHANG)
		if pid == 0 || errno != 0 {
			return false
		}
		if pid == p.bot {
			p.bot = 0
			return true
		}
	}
}

// wait waits for a child.
//
//go:norace
//go:nosplit
func (p *process) wait(flags uintptr) (pid int, errno syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_WAIT4, ^uintptr(0), uintptr(unsafe.Pointer(&p.status)),
		flags|syscall.WALL, 0, 0, 0)
	return int(n), errno
}

// answer does what the runner asks for, or reports that the runner is gone.
//
//go:norace
//go:nosplit
func (p *process) answer() bool {
	n, _, _ := syscall.RawSyscall(syscall.SYS_READ, FromRunner, uintptr(unsafe.Pointer(&p.buffer)), 2*numberSize)
	if int(n) != 2*numberSize {
		return false
	}
	signalAll(uintptr(numberAt(p.buffer[:])))
	p.say(Answered, numberAt(p.buffer[numberSize:]), 0, 0)
	return true
}

// signalAll sends a signal to all processes that this one may signal.
//
//go:norace
//go:nosplit
func signalAll(signal uintptr) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_KILL, ^uintptr(0), signal, 0) // there may be none
}

// used returns the processor time of the init itself (0), or that of all of its
// descendants that are dead (-1).
//
//go:norace
//go:nosplit
func (p *process) used(who int) uint64 {
	_, _, _ = syscall.RawSyscall(syscall.SYS_GETRUSAGE, uintptr(who), uintptr(unsafe.Pointer(&p.usage)), 0)
	const second, microsecond = 1e9, 1e3
	user, system := &p.usage.Utime, &p.usage.Stime
	return uint64(user.Sec+system.Sec)*second + uint64(user.Usec+system.Usec)*microsecond
}

// sweep kills all descendants of the init and waits for them.
//
//go:norace
//go:nosplit
func (p *process) sweep() {
	if p.task.Alone {
		signalAll(uintptr(syscall.SIGKILL))
		for {
			if _, errno := p.wait(0); errno != 0 {
				return // there is nobody left
			}
		}
	}
	const most, pause = 3000, 1e6 // three seconds, then it gives up
	for range most {
		p.killChildren()
		for {
			pid, errno := p.wait(syscall.WNOHANG)
			if errno != 0 {
				return // without a child there are no descendants, because it adopts them
			}
			if pid == 0 {
				break
			}
		}
		putNumber(p.text[:], 0)
		putNumber(p.text[numberSize:], pause)
		_, _, _ = syscall.RawSyscall6(syscall.SYS_PPOLL, 0, 0, uintptr(unsafe.Pointer(&p.text)), 0, 0, 0)
	}
}

// killChildren kills the children of an init, if no namespace does that. If the bot
// has a user id of its own, it kills all processes of that user at once.
//
//go:norace
//go:nosplit
func (p *process) killChildren() {
	if id := uintptr(p.task.User); id != 0 {
		pid, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, syscall.CLONE_VFORK|uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
		if pid == 0 && errno == 0 {
			if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, id, id, id); errno == 0 {
				signalAll(uintptr(syscall.SIGKILL))
			}
			exit(0)
		}
	}
	if p.bot != 0 {
		_, _, _ = syscall.RawSyscall(syscall.SYS_KILL, uintptr(p.bot), uintptr(syscall.SIGKILL), 0)
	}
	path := "/proc/thread-self/children\x00"
	const here = -100 // AT_FDCWD
	at := here
	fd, _, errno := syscall.RawSyscall6(syscall.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(unsafe.StringData(path))),
		syscall.O_CLOEXEC, 0, 0, 0)
	if errno != 0 {
		return
	}
	n, _, errno := syscall.RawSyscall(syscall.SYS_READ, fd, uintptr(unsafe.Pointer(&p.buffer)), uintptr(len(p.buffer)))
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOSE, fd, 0, 0)
	if errno != 0 {
		return
	}
	pid := uintptr(0)
	for _, c := range p.buffer[:n] { // numbers, each with a space after it
		if c >= '0' && c <= '9' {
			pid = 10*pid + uintptr(c-'0')
			continue
		}
		_, _, _ = syscall.RawSyscall(syscall.SYS_KILL, pid, uintptr(syscall.SIGKILL), 0)
		pid = 0
	}
}
