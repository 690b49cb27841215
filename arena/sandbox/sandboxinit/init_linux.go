package sandboxinit

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// init is the whole life of a process that is an init. The package comment says why that is not left to main.
func init() {
	if len(os.Args) > 1 && os.Args[1] == Word {
		os.Exit(live())
	}
}

// process is the state of an init.
type process struct {
	task Task
	kept [Last + 1]uint64
	bot  int
	self int    // the file /proc/self/status, opened while it can be
	room []byte // unused memory

	mu sync.Mutex // held while all descendants are killed
}

// live is the life of an init. It returns the exit status.
func live() int {
	p := new(process)
	if !p.receive() {
		_, _ = os.Stderr.WriteString(Word + " is not a command: the program executes itself with it to isolate bots\n")
		return 2
	}
	ignoreSignals()
	keepFiles()
	p.self, _ = syscall.Open("/proc/self/status", syscall.O_RDONLY|syscall.O_CLOEXEC, 0) // else the threads are estimated
	if step, errno := p.do(p.task.Init, 0); errno != 0 {
		say(Failed, uint64(step), uint64(errno), 0)
		return 0
	}
	makeThreads()
	if !p.start() {
		return 0
	}
	// Only the bot holds its ends of the pipes: whoever waits for their end waits for
	// the bot.
	for fd := range FromRunner {
		_ = syscall.Close(fd)
	}
	say(Started, used(syscall.RUSAGE_SELF), 0, 0)
	go p.listen()
	p.reap()
	return 0
}

// receive reads the task. It reports whether there was one.
func (p *process) receive() bool {
	var length [numberSize]byte
	if !readFull(length[:]) {
		return false
	}
	const most = 64 << 20
	size := numberAt(length[:])
	if size > most {
		return false
	}
	text := make([]byte, size)
	if !readFull(text) {
		return false
	}
	c := coder{data: text, reading: true}
	c.task(&p.task)
	return true
}

// readFull reads from the runner, and reports whether it got everything.
func readFull(b []byte) bool {
	for len(b) > 0 {
		n, err := syscall.Read(FromRunner, b)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return false
		}
		b = b[n:]
	}
	return true
}

// makeThreads makes Go start the threads that it may want later, and keep them. Go
// dies if it gets no thread. Before the bot runs that is a failure of the runner;
// afterwards the bot would seem to have exited.
func makeThreads() {
	const enough = 4 // one for listen, one for a moment in which all others wait, and some to spare
	var begun, ended sync.WaitGroup
	all := make(chan struct{})
	begun.Add(enough)
	for range enough {
		ended.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			begun.Done()
			<-all
		})
	}
	begun.Wait()
	close(all)
	ended.Wait()
}

// ignoreSignals makes this process ignore what its bot may send it. Go gives the
// bot the usual actions again when it is forked. Nothing can keep SIGKILL away, but
// the kernel lets no process of a namespace send it to the first one.
func ignoreSignals() {
	const signals, ignored = 64, 1 // SIG_IGN
	action := [4]uint64{ignored}   // a struct sigaction of the kernel
	for n := 1; n <= signals; n++ {
		if s := syscall.Signal(n); s != syscall.SIGCHLD { // of which the kernel would forget the dead
			_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(n), uintptr(unsafe.Pointer(&action)), 0, numberSize, 0, 0)
		}
	}
}

// keepFiles keeps the files from the bot that whoever started the runner had left
// open, and the limit of open files from being raised for the bot.
func keepFiles() {
	const closeRange, last, closeOnExec = 436, 1<<32 - 1, 4 // the same number on every architecture
	if _, _, errno := syscall.RawSyscall(closeRange, FromRunner, last, closeOnExec); errno != 0 {
		const many = 4096
		for fd := FromRunner; fd < many; fd++ { // before Linux 5.11
			syscall.CloseOnExec(fd)
		}
	}
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err == nil {
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files) // then Go does not restore what was before its start
	}
}

// do makes the system calls of some steps. first is the number of the first one. It
// returns the step that failed and its error, or 0.
func (p *process) do(steps []Step, first int) (failed int, errno syscall.Errno) {
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
			return first + n, errno
		case errno != 0:
			n += int(s.Skip)
		}
	}
	return 0, 0
}

// value returns what an argument stands for. Data stays where it is, as the task is
// kept and Go moves nothing on the heap.
func (p *process) value(a *Arg) uintptr {
	if a.Data == nil {
		return uintptr(a.Number + p.kept[a.Add])
	}
	if a.Add > 0 {
		putNumber(a.Data[a.At:], numberAt(a.Data[a.At:])+p.kept[a.Add])
	}
	return uintptr(unsafe.Pointer(&a.Data[0]))
}

// start takes the rights of the bot away from a new thread and starts the bot from it. It
// reports whether the bot runs; if not, it has told the runner why.
func (p *process) start() bool {
	restricted, lowered, started := make(chan bool), make(chan bool), make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		step, errno := p.do(p.task.Bot, len(p.task.Init))
		if errno != 0 {
			say(Failed, uint64(step), uint64(errno), 0)
		}
		restricted <- errno == 0
		<-lowered
		var err error
		attr := &syscall.ProcAttr{Env: p.task.Env, Files: []uintptr{0, 1, 2}}
		p.bot, err = syscall.ForkExec(p.task.Program, p.task.Args, attr)
		started <- err
	}()
	if !<-restricted {
		return false
	}
	restore := p.lower() // which the filter of system calls keeps the other thread from
	lowered <- true
	err := <-started
	restore()
	if err != nil {
		errno, _ := err.(syscall.Errno)
		say(Refused, uint64(errno), 0, 0)
		return false
	}
	return true
}

// lower lowers the limits that the bot inherits, and returns a function that gives
// this process its own limits back. An init could not live with those of its bot.
func (p *process) lower() (restore func()) {
	// Go takes memory from the system in pieces of 4 MiB. This leaves it most of a
	// piece, so that it asks for none while the limit is low.
	const more = 4<<20 + 1
	p.room = make([]byte, more)
	olds := make([]syscall.Rlimit, len(p.task.Limits))
	for n, l := range p.task.Limits {
		_ = syscall.Getrlimit(int(l.Resource), &olds[n]) // it does not fail for a limit that exists
		most := l.Most
		if l.Threads {
			most += uint64(p.threads())
		}
		p.task.Limits[n].Most = min(most, olds[n].Max)
		setLimit(0, l.Resource, syscall.Rlimit{Cur: p.task.Limits[n].Most, Max: olds[n].Max})
	}
	return func() {
		for n, l := range p.task.Limits {
			setLimit(0, l.Resource, olds[n])
			if p.bot > 0 { // the filter of system calls keeps the bot from raising it, too
				setLimit(p.bot, l.Resource, syscall.Rlimit{Cur: l.Most, Max: l.Most})
			}
		}
	}
}

func setLimit(pid int, resource uint64, limit syscall.Rlimit) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), uintptr(resource), uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
}

// threads returns how many threads this process has.
func (p *process) threads() int {
	const usual = 6
	var text [4096]byte
	n, err := syscall.Pread(p.self, text[:], 0)
	if err != nil {
		return usual
	}
	const name = "\nThreads:\t"
	for at := range n {
		if at+len(name) < n && string(text[at:at+len(name)]) == name {
			count := 0
			for _, c := range text[at+len(name) : n] {
				if c < '0' || c > '9' {
					break
				}
				count = 10*count + int(c-'0')
			}
			return count
		}
	}
	return usual
}

// say sends a message to the runner. If the runner is gone, listen notices it.
func say(what, a, b, c uint64) {
	var text [4 * numberSize]byte
	for n, number := range []uint64{what, a, b, c} {
		putNumber(text[n*numberSize:], number)
	}
	_, _ = syscall.Write(ToRunner, text[:]) // a pipe does not split so short a message
}

// used returns the processor time of the init itself, or that of all of its
// descendants that are dead, in nanoseconds.
func used(who int) uint64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(who, &usage) // it does not fail for these
	return uint64(usage.Utime.Nano() + usage.Stime.Nano())
}

// listen answers the runner, until it is gone. Then it ends the bot and the init.
func (p *process) listen() {
	var question [2 * numberSize]byte
	for readFull(question[:]) {
		signalAll(syscall.Signal(numberAt(question[:])))
		say(Answered, numberAt(question[numberSize:]), 0, 0)
	}
	_, _ = p.do(p.task.Gone, 0) // nobody is left to hear of an error
	p.sweep()
	os.Exit(0)
}

// reap waits for every descendant that dies, until the bot itself has exited. Then
// it kills the others.
func (p *process) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WALL, nil)
		if pid != p.bot && err != syscall.ECHILD {
			continue
		}
		p.sweep()
		say(Exited, uint64(status), used(syscall.RUSAGE_CHILDREN), used(syscall.RUSAGE_SELF))
		return
	}
}

// signalAll sends a signal to all processes that this one may signal.
func signalAll(signal syscall.Signal) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_KILL, ^uintptr(0), uintptr(signal), 0) // there may be none
}

// sweep kills all descendants of the init and waits for them.
func (p *process) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.task.Alone {
		signalAll(syscall.SIGKILL)
		for {
			if _, err := syscall.Wait4(-1, nil, syscall.WALL, nil); err == syscall.ECHILD {
				return
			}
		}
	}
	const most, pause = 3000, time.Millisecond // three seconds, then it gives up
	for range most {
		p.killChildren()
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WALL|syscall.WNOHANG, nil)
			if err == syscall.ECHILD {
				return // without a child there are no descendants, because it adopts them
			}
			if pid <= 0 {
				break
			}
		}
		time.Sleep(pause)
	}
}

// killChildren kills the children of an init, if no namespace does that. If the bot
// has a user id of its own, it kills all processes of that user at once.
func (p *process) killChildren() {
	if p.task.User != 0 {
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread() // and never unlocked: the thread has another user now
			// The bot may not signal a thread whose real and saved user it is not.
			const nobody = 1_999_999_999
			_, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, uintptr(p.task.User), nobody)
			if errno == 0 {
				signalAll(syscall.SIGKILL)
			}
		}()
		<-done
	}
	threads, _ := os.ReadDir("/proc/self/task") // without /proc, only the bot itself is known
	if p.bot > 0 && len(threads) == 0 {
		_ = syscall.Kill(p.bot, syscall.SIGKILL)
	}
	for _, thread := range threads {
		children, _ := os.ReadFile("/proc/self/task/" + thread.Name() + "/children") // the thread may have ended
		pid := 0
		for _, c := range children { // numbers, each with a space after it
			if c >= '0' && c <= '9' {
				pid = 10*pid + int(c-'0')
				continue
			}
			_ = syscall.Kill(pid, syscall.SIGKILL) // it has not been waited for
			pid = 0
		}
	}
}
