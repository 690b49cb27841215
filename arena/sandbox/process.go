package sandbox

import (
	"cmp"
	"errors"
	"math"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"sembra/arena/sandbox/procfs"
)

// Process is one process of a bot, a [Control]. Its methods may be called from any
// goroutine, except Start, Started, Wait and Close, which are called once and in this order.
type Process struct {
	keeper
	cmd    *exec.Cmd
	itself bool // the command is the bot itself; else it is an init, and its descendants are the bot

	mu      sync.Mutex // guards the fields below
	running bool       // the bot was executed
	killed  bool
	waited  bool // the number of the command's process may belong to another one
	paused  bool
	cpu     time.Duration // as known last
	known   bool
	exit    string
}

// Control is what can be done with a bot that runs, and what can be known of it.
type Control interface {
	// CPU returns the CPU time that the bot has used so far, and false if
	// it is not known. It includes the processes that the bot started. Without a
	// control group, it misses the ended children of processes that ignore SIGCHLD.
	// Without a sandbox it misses those for whose end nobody has waited, and on
	// systems other than Linux all that still run.
	CPU() (time.Duration, bool)

	// Memory returns the memory in bytes that the bot, with all that it has started,
	// holds in RAM and swap, without what files back. It returns false where that is not known.
	// It may return that of another process if the caller has waited for the command.
	Memory() (bytes int64, known bool)

	// Pause stops the bot until Resume, if the system can. In a sandbox it stops all
	// processes that the bot started, and without one the bot's process group. Where no
	// control group freezes the bot, Pause sends SIGSTOP, on Linux to each thread: the
	// system would stop one of them first, and the others run on while that one waits for
	// a processor. Only outside of the sandbox can a process arrange for a SIGCONT that
	// wakes it. A bot that was killed is left alone.
	Pause()
	Resume()

	// Bind lets the bot, with all that it has started, run only on these
	// processors, if the system can. What the bot starts later inherits that.
	// A bot that was killed is left alone. An init stays where it is: it has to
	// notice the end of the bot even if the bot keeps its processors busy.
	Bind(processors []int)
}

// keeper is what differs between a bot in a sandbox and one without. The lock of the
// process is held in all but executed.
type keeper interface {
	executed(p *Process, err error) error    // takes the result of Start, and waits until the bot was executed
	used(waited bool) (time.Duration, bool)  // see [Control.CPU]
	stop(stop bool)                          // stops a bot that runs, see [Control.Pause], or resumes it
	end()                                    // ends a bot that runs
	ended() (used time.Duration, how string) // says how the bot ended, after the command was waited for; "": unknown
	close()                                  // releases what is left
}

// ErrEnded says that a process of the sandbox itself ended before it executed the bot.
// That is a failure of the runner, such as when the machine runs out of memory. The
// next start uses new processes.
var ErrEnded = errors.New("the process that has to start the bot ended")

// Command returns the command that runs the bot. The caller sets its standard
// input, output and error and its WaitDelay, and reads its process.
func (p *Process) Command() *exec.Cmd { return p.cmd }

// Start starts the command. It is called on a thread that lives as long as the bot
// may live, and returns soon.
func (p *Process) Start() error { return p.cmd.Start() }

// ConfirmStart takes the result of Start, right after that call, and returns nil if
// the bot was executed. It returns an [*ExecError] if the system cannot execute
// the program. Any other error is a failure of the runner. After an error nothing
// is left running, but the caller still has to wait for a command whose Start
// succeeded.
func (p *Process) ConfirmStart(err error) error {
	if err = p.executed(p, err); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = true
	if p.killed {
		p.end()
	}
	return nil
}

// Wait waits for the command, as [exec.Cmd.Wait].
func (p *Process) Wait() error {
	err := p.cmd.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waited = true
	p.measure()
	if p.running {
		used, how := p.ended()
		p.cpu, p.known = max(p.cpu, used), p.known || how != ""
		p.exit = cmp.Or(p.exit, how)
	}
	return err
}

// CPU belongs to [Control].
func (p *Process) CPU() (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.measure()
	return p.cpu, p.known
}

// measure reads the CPU time of a bot that runs. The lock is held.
func (p *Process) measure() {
	if p.running {
		used, known := p.used(p.waited)
		p.cpu, p.known = max(p.cpu, used), p.known || known
	}
}

// Exiting reports whether nothing of the bot runs code of its program any more. The command ends soon then. It is
// true where the system does not say. The caller has not waited for the command.
func (p *Process) Exiting() bool { return procfs.Exiting(p.cmd.Process.Pid, p.itself) }

// Memory belongs to [Control].
func (p *Process) Memory() (bytes int64, known bool) {
	return procfs.Memory(p.cmd.Process.Pid, p.itself, math.MaxInt64, nil)
}

// Pause belongs to [Control].
func (p *Process) Pause() { p.pause(true) }

// Resume belongs to [Control].
func (p *Process) Resume() { p.pause(false) }

func (p *Process) pause(stop bool) {
	p.alive(func() {
		p.paused = stop
		p.stop(stop)
	})
}

// Bind belongs to [Control].
func (p *Process) Bind(processors []int) {
	p.alive(func() { bind(p.cmd.Process.Pid, p.itself, processors) })
}

// alive calls a function unless the bot was killed or waited for: its number may then belong to another process. It
// reports whether it did.
func (p *Process) alive(do func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	alive := p.running && !p.killed && !p.waited
	if alive {
		do()
	}
	return alive
}

// Exit returns how the bot's own process exited, in the words of
// [os.ProcessState]. It returns "" if that is not known: before Wait, and for
// a bot that was killed in a sandbox.
func (p *Process) Exit() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit
}

// Kill ends the bot, with the processes that Pause stops. It does not wait, and may
// be called again. A bot that was not started yet ends when it is.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kill()
}

// kill ends a bot that runs. The lock is held.
func (p *Process) kill() {
	p.killed = true
	if p.running && !p.waited {
		p.measure() // the system reports nothing of those for whose end nobody waits
		p.end()
	}
}

// Close releases what is left. The caller calls it after Wait, or
// instead of Start, or after the start failed.
func (p *Process) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.measure()
	p.waited = true
	p.close()
}

// plain keeps a process of a bot without isolation, in a process group of its own.
type plain struct{ cmd *exec.Cmd }

// plain returns a process without isolation.
func (p *Prepared) plain() *Process {
	c := p.command
	cmd := &exec.Cmd{Path: c.Program, Args: c.Args, Dir: c.Dir, Env: c.Env, SysProcAttr: plainAttributes()}
	return &Process{keeper: plain{cmd}, cmd: cmd, itself: true}
}

func (p plain) executed(_ *Process, err error) error {
	if err != nil && !IsShortage(err) {
		return &ExecError{p.cmd.Path, err}
	}
	return err
}

func (p plain) used(waited bool) (time.Duration, bool) {
	if waited {
		return 0, false
	}
	return procfs.CPU(p.cmd.Process.Pid, true)
}

func (p plain) stop(stop bool) { pause(p.cmd.Process, stop) }

func (p plain) end() { kill(p.cmd.Process) }

func (p plain) ended() (time.Duration, string) {
	state := p.cmd.ProcessState
	return state.UserTime() + state.SystemTime(), state.String()
}

func (p plain) close() {}

// IsShortage reports whether an error says that this machine or this user is short of
// something at the moment: of processes, open files, memory, or room on a disk. It is
// a failure of the runner, and no mistake of a bot or of a tournament file.
func IsShortage(err error) bool {
	return slices.ContainsFunc([]error{
		syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.ENOSPC, syscall.EDQUOT,
		syscall.EBADF, // Go reports it if a child process runs out of file descriptors
	}, func(short error) bool { return errors.Is(err, short) })
}
