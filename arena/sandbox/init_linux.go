package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The first argument of the program that runs as the init of a bot, or as a bot that
// tries to break out. In that case the second one says what to try.
const (
	initWord  = "__sandbox"
	probeWord = "__probe"
)

// IsChild reports whether the arguments say that the program runs as a part of a
// sandbox. Then main has to call [RunChild].
func IsChild(args []string) bool {
	return len(args) == 2 && args[1] == initWord || len(args) == 3 && args[1] == probeWord
}

// RunChild runs that part. It returns the exit status.
func RunChild() int {
	if os.Args[1] == probeWord {
		return attempt(os.Args[2])
	}
	return live()
}

// The open files of an init beside the standard ones, which are those of the bot.
const (
	runnerFile = 3 // the connection with the runner
	mappedFile = 4 // the bot's folder, to be mounted, if the bot sees it as if it were the owner
)

// initTask tells an init how to start its bot.
type initTask struct {
	Program    string
	Args, Env  []string
	Dir        string
	Processors []int  // on which the bot runs; none: any
	ID         int    // the bot's own user and group id; 0: those of the init
	Temp       string // the bot's temporary folder, as the bot sees it
	Limits     Limits

	Landlock int    // its version; 0: none
	Spaces   bool   // the init is the first process of its own namespaces
	Root     string // an empty folder, on which the bot's root is mounted, with namespaces
	Places   []seenPath
	Hidden   []string
	Mapped   string // the bot's folder, if mappedFile is to be mounted there
}

// report is what an init reports to the runner: first when the bot was executed, or could not
// be, and then when the bot has exited.
type report struct {
	failure
	Refused bool // the system refused to execute the program

	Own    time.Duration // the CPU time of the init
	Status syscall.WaitStatus
	CPU    time.Duration // that of all descendants of the init
}

// failure says which system call failed.
type failure struct {
	Failed string // what failed; "": nothing
	Errno  syscall.Errno
}

func (f failure) Error() string { return f.Failed + ": " + f.Errno.Error() }

func (f failure) Unwrap() error { return f.Errno }

// initProcess is the state of an init.
type initProcess struct {
	initTask
	bot     int
	threads *os.File            // of this process, opened while it can be
	room    []byte              // unused memory
	own     map[int]unix.Rlimit // its limits, while the bot's are in force
	reports *json.Encoder       // to the runner
	end     sync.Mutex          // locked by whoever ends this process, and never unlocked
}

// live is the life of an init: it prepares everything, starts the bot from a thread
// that has lost all rights, and stays until the bot has exited or the runner is gone.
func live() int {
	runtime.LockOSThread() // the thread that ends with the runner, and keeps its rights
	conn := os.NewFile(runnerFile, "")
	runner := json.NewDecoder(conn)
	p := &initProcess{reports: json.NewEncoder(conn)}
	if err := runner.Decode(&p.initTask); err != nil {
		fmt.Fprintln(os.Stderr, initWord, "is not a command: the program executes itself with it to isolate bots")
		return 2
	}
	ignoreSignals()
	keepFiles()
	if f := p.setUp(); f.Failed != "" {
		_ = p.reports.Encode(report{failure: f})
		return 0
	}
	makeThreads()
	if !p.start() {
		return 0
	}
	// Only the bot holds its ends of the pipes: whoever waits for their end waits for
	// the bot.
	for fd := range runnerFile {
		_ = syscall.Close(fd)
	}
	_ = p.reports.Encode(report{Own: used(syscall.RUSAGE_SELF)}) // if the runner is gone, the next goroutine notices
	// This goroutine ends with the process.
	go func() {
		var signal syscall.Signal
		for runner.Decode(&signal) == nil {
			_ = syscall.Kill(-1, signal) // all but this one
		}
		p.sweep() // the runner is gone, or wants the bot to end
		os.Exit(0)
	}()
	p.reap()
	return 0
}

// ignoreSignals makes this process ignore what its bot may send it. Go gives the
// bot the usual actions again when it is forked. Nothing can keep SIGKILL away, but
// the kernel lets no process of a namespace send it to the first one.
func ignoreSignals() {
	const signals, ignored = 64, 1 // SIG_IGN
	action := [4]uint64{ignored}   // a struct sigaction of the kernel
	for n := uintptr(1); n <= signals; n++ {
		if n != uintptr(syscall.SIGCHLD) { // of which the kernel would forget the dead
			_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, n, uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
		}
	}
}

// keepFiles keeps the files from the bot that whoever started the runner had left open.
func keepFiles() {
	if unix.CloseRange(runnerFile, 1<<32-1, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	const many = 4096
	for fd := runnerFile; fd < many; fd++ { // before Linux 5.11
		syscall.CloseOnExec(fd)
	}
}

// setUp prepares the init itself.
func (p *initProcess) setUp() failure {
	const umask = 0o022
	syscall.Umask(umask)
	// If the machine runs out of memory, the kernel should end a bot first. The sandbox
	// also holds if this fails.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	var s steps
	threads, err := os.Open("/proc/self/task")
	p.threads = threads
	s.do("cannot see its own threads", err)
	if p.Spaces {
		p.mount(&s)
		// The kernel ends the init when the runner dies. It forgets that for a thread whose user changes.
		s.do("cannot end with the runner", unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0))
	} else {
		s.do("cannot adopt orphans", unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
	}
	s.do("cannot enter the bot's folder", os.Chdir(p.Dir))
	// Nobody but root may look into the init.
	s.do("cannot close itself to others", unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
	p.limit(&s)
	return s.failure
}

// makeThreads makes Go start the threads that it may want later, and keep them. Go
// dies if it gets no thread. Before the bot runs that is a failure of the runner;
// afterwards the bot would seem to have exited.
func makeThreads() {
	const enough = 4 // one that reads, one for a moment in which all others wait, and some to spare
	var begun, ended sync.WaitGroup
	begun.Add(enough)
	for range enough {
		ended.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			begun.Done()
			begun.Wait() // for the others, so each has a thread
		})
	}
	ended.Wait()
}

// start takes the rights of the bot away from a new thread and starts the bot from it. It
// reports whether the bot runs; if not, it has told the runner why. That thread ends, and its child becomes one of the
// main thread, as every orphan does.
func (p *initProcess) start() bool {
	var over atomic.Bool
	var thread atomic.Int64
	go func() {
		defer over.Store(true)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		thread.Store(int64(unix.Gettid()))
		if len(p.Processors) > 0 {
			set := setOf(p.Processors)
			_ = unix.SchedSetaffinity(0, &set) // without this, only speed is lost
		}
		s := steps{p.restrict(p.lower)}
		refused := s.Failed == ""
		if refused {
			var err error
			p.bot, err = syscall.ForkExec(p.Program, p.Args, &syscall.ProcAttr{Env: p.Env, Files: []uintptr{0, 1, 2}})
			s.do("cannot execute the program", err)
		}
		if s.Failed != "" {
			_ = p.reports.Encode(report{failure: s.failure, Refused: refused})
		}
	}()
	// While the limits are low, Go gets no thread. So this thread waits without leaving its
	// goroutine, and can always raise them again.
	pause := func() {
		nap := unix.Timespec{Nsec: 50_000}
		_, _, _ = syscall.RawSyscall(syscall.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&nap)), 0, 0)
	}
	for !over.Load() {
		pause()
	}
	for resource, limit := range p.own { // the filter keeps the other thread from that
		_ = unix.Setrlimit(resource, &limit)
	}
	me, other := os.Getpid(), int(thread.Load())
	const patience = 5 * time.Second                                                    // only a busy machine needs more than a moment
	for begun := time.Now(); other != me && unix.Tgkill(me, other, 0) == nil; pause() { // Go does not end the main thread
		if time.Since(begun) > patience {
			_ = p.reports.Encode(report{failure: failure{"a thread does not end", unix.ETIMEDOUT}})
			p.sweep()
			return false
		}
	}
	return p.bot > 0
}

// lower lowers the limits of memory and processes that the bot inherits, and notes those
// of this process. An init could not live with those of its bot. The filter keeps the bot
// from raising them.
func (p *initProcess) lower() {
	// Go takes memory from the system in pieces of 4 MiB. This leaves it most of a
	// piece, so that it asks for none while the limit is low.
	const more = 4<<20 + 1
	p.room = make([]byte, more)
	most := map[int]int64{unix.RLIMIT_DATA: p.Limits.Memory}
	if n := int64(p.Limits.Processes); n > 0 && p.ID != 0 {
		most[unix.RLIMIT_NPROC] = n
	} else if n > 0 && p.Spaces && os.Geteuid() != 0 { // the init's threads belong to the same user; one ends now
		threads, _ := p.threads.Readdirnames(-1) // it does not fail
		most[unix.RLIMIT_NPROC] = n + int64(len(threads)) - 1
	}
	p.own = make(map[int]unix.Rlimit)
	for resource, n := range most {
		var own unix.Rlimit
		if unix.Getrlimit(resource, &own) == nil && n > 0 {
			p.own[resource] = own
			_ = unix.Setrlimit(resource, &unix.Rlimit{Cur: min(uint64(n), own.Max), Max: own.Max}) // it is not raised
		}
	}
}

// used returns the CPU time of the init itself, or that of all of its
// descendants that are dead.
func used(who int) time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(who, &usage) // it does not fail for these
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// reap waits for every descendant that dies, until the bot itself has exited. Then
// it kills the others, and tells the runner.
func (p *initProcess) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WALL, nil)
		if pid != p.bot && !errors.Is(err, syscall.ECHILD) {
			continue
		}
		p.sweep()
		_ = p.reports.Encode(report{Status: status, CPU: used(syscall.RUSAGE_CHILDREN)})
		return
	}
}

// sweep kills all descendants of the init and waits for them. Then the process ends, so
// only one caller returns.
func (p *initProcess) sweep() {
	p.end.Lock()
	const most, pause = 3000, time.Millisecond // three seconds, then it gives up
	for range most {
		if p.Spaces {
			_ = syscall.Kill(-1, syscall.SIGKILL) // all but this one
		} else {
			p.killChildren()
		}
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WALL|syscall.WNOHANG, nil)
			if errors.Is(err, syscall.ECHILD) {
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
// has a user id of its own, one call kills all processes of that user.
func (p *initProcess) killChildren() {
	if p.ID != 0 {
		done := make(chan struct{})
		go func() { // ends soon; done waits for it
			defer close(done)
			runtime.LockOSThread() // and never unlocked: the thread has another user now
			// The bot may not signal a thread whose real and saved user it is not.
			const nobody = 1_999_999_999
			_, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, uintptr(p.ID), nobody)
			if errno == 0 {
				_, _, _ = syscall.RawSyscall(syscall.SYS_KILL, ^uintptr(0), uintptr(syscall.SIGKILL), 0)
			}
		}()
		<-done
	}
	children, _ := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid())) // it does not fail
	for child := range strings.FieldsSeq(string(children)) {
		if pid, err := strconv.Atoi(child); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it has not been waited for
		}
	}
}
