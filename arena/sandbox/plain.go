package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"sembra/arena/sandbox/procfs"
)

// tree is a process that was started, with its descendants.
type tree struct {
	cmd    *exec.Cmd
	itself bool // the process belongs to the bot; else it is an init, and only its descendants do
}

func (t *tree) Command() *exec.Cmd { return t.cmd }

func (t *tree) Start() error { return t.cmd.Start() }

func (t *tree) Wait() error { return t.cmd.Wait() }

func (t *tree) IgnoresChildren() bool { return procfs.IgnoresChildren(t.cmd.Process.Pid) }

func (t *tree) Memory() (bytes int64, known bool) { return procfs.Memory(t.cmd.Process.Pid, t.itself) }

// Bind leaves an init where it is: it has to notice the end of the bot even if the bot
// keeps its processors busy.
func (t *tree) Bind(processors []int) { bind(t.cmd.Process.Pid, t.itself, processors) }

// plain is a process of a bot without isolation, in a process group of its own.
type plain struct {
	tree
	mu      sync.Mutex // guards the fields below
	started bool
	killed  bool
	cpu     time.Duration // that it had used when it was killed
	closed  bool          // the caller has waited for it: its number may now belong to another process
}

// plain returns a process without isolation.
func (p *Prepared) plain() Process {
	c := p.command
	cmd := &exec.Cmd{Path: c.Program, Args: c.Args, Dir: c.Dir, Env: c.Env, SysProcAttr: attributes()}
	return &plain{tree: tree{cmd, true}}
}

func (p *plain) Started(err error) error {
	if err != nil && !shortage(err) {
		return &ExecError{p.cmd.Path, err}
	}
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.started = true
	killed := p.killed
	p.mu.Unlock()
	if killed {
		p.Kill()
	}
	return nil
}

func (p *plain) CPU() (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed: // before that, the state belongs to whoever waits for the process
		if state := p.cmd.ProcessState; state != nil {
			return max(p.cpu, state.UserTime()+state.SystemTime()), true
		}
		return 0, false
	case !p.started:
		return 0, false
	}
	return procfs.CPU(p.cmd.Process.Pid, true)
}

func (p *plain) Pause() { p.alive(pause) }

func (p *plain) Resume() { p.alive(resume) }

// alive calls a function for the process unless the caller has waited for it.
func (p *plain) alive(do func(*os.Process)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started && !p.closed {
		do(p.cmd.Process)
	}
}

func (p *plain) Exit() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed && p.cmd.ProcessState != nil {
		return p.cmd.ProcessState.String()
	}
	return ""
}

func (p *plain) Kill() {
	p.mu.Lock()
	p.killed = true
	p.mu.Unlock()
	p.alive(func(bot *os.Process) {
		p.cpu, _ = procfs.CPU(bot.Pid, true) // the system will tell nothing of those for which the bot has not waited
		kill(bot)
	})
}

func (p *plain) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

// Shortage reports whether an error says that this machine or this user is short of
// something at the moment: of processes, open files, memory, or room on a disk. It is
// a failure of the runner, and no mistake of a bot or of a tournament file.
func Shortage(err error) bool {
	return shortage(err) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// shortage reports whether an error says that this machine or this user has too
// many processes or open files, or too little memory, at the moment.
func shortage(err error) bool {
	// Go reports EBADF if a child process runs out of file descriptors.
	for _, short := range []error{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.EBADF} {
		if errors.Is(err, short) {
			return true
		}
	}
	return false
}
