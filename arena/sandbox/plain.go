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

// plain is a process of a bot without isolation, in a process group of its own.
// If the jail has a base folder, the bot has a temporary folder of its own there.
type plain struct {
	cmd     *exec.Cmd
	temp    string
	mu      sync.Mutex // guards the fields below
	started bool
	killed  bool
	cpu     time.Duration // that it had used when it was killed
	closed  bool          // the caller has waited for it: its number may now belong to another process
}

// unboxed prepares a process without isolation.
func (c *Cell) unboxed() (Inmate, error) {
	i := new(plain)
	env := c.command.Env
	if c.jail.base != "" {
		var err error
		if i.temp, err = os.MkdirTemp(c.jail.base, "temp-"); err != nil {
			return nil, err
		}
		env = setEnv(env, i.temp, tempVariables()...)
	}
	i.cmd = &exec.Cmd{
		Path: c.command.Program, Args: c.command.Args, Dir: c.command.Dir, Env: env, SysProcAttr: attributes(),
	}
	return i, nil
}

func (i *plain) Command() *exec.Cmd { return i.cmd }

func (i *plain) Start() error { return i.cmd.Start() }

func (i *plain) Wait() error { return i.cmd.Wait() }

func (i *plain) Started(err error) error {
	if err != nil && !shortage(err) {
		return &ExecError{i.cmd.Path, err}
	}
	if err != nil {
		return err
	}
	i.mu.Lock()
	i.started = true
	killed := i.killed
	i.mu.Unlock()
	if killed {
		i.Kill()
	}
	return nil
}

func (i *plain) CPU() (time.Duration, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.closed: // before that, the state belongs to whoever waits for the process
		if state := i.cmd.ProcessState; state != nil {
			return max(i.cpu, state.UserTime()+state.SystemTime()), true
		}
		return 0, false
	case !i.started:
		return 0, false
	}
	return i.used()
}

// used returns the processor time of a bot that is not closed.
func (i *plain) used() (time.Duration, bool) {
	used, known := procfs.CPU(i.cmd.Process.Pid)
	family, _ := procfs.Family(i.cmd.Process.Pid)
	return used + family, known
}

func (i *plain) Memory() (bytes int64, known bool) { return procfs.Memory(i.cmd.Process.Pid, true) }

func (i *plain) Pause() { i.alive(pause) }

func (i *plain) Resume() { i.alive(resume) }

func (i *plain) Bind(processors []int) { bind(i.cmd.Process.Pid, true, processors) }

// alive calls a function for the process unless the caller has waited for it.
func (i *plain) alive(do func(*os.Process)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.started && !i.closed {
		do(i.cmd.Process)
	}
}

func (i *plain) Left() (processes int, known bool) {
	leader := i.cmd.Process.Pid
	all, err := procfs.All()
	for _, p := range all {
		if p.Group == leader && p.PID != leader && p.State != 'Z' {
			processes++
		}
	}
	return processes, err == nil && len(all) > 0
}

func (i *plain) Exit() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed && i.cmd.ProcessState != nil {
		return i.cmd.ProcessState.String()
	}
	return ""
}

func (i *plain) Kill() {
	i.mu.Lock()
	i.killed = true
	i.mu.Unlock()
	i.alive(func(bot *os.Process) {
		i.cpu, _ = i.used() // the system will tell nothing of the processes for which the bot has not waited
		kill(bot)
	})
}

func (i *plain) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	if i.temp != "" {
		_ = os.RemoveAll(i.temp) // Jail.Close removes what is left
	}
}

// Shortage reports whether an error says that this machine or this user is short of
// something at the moment: of processes, open files, memory, or room on a disk. It is
// a failure of the runner, and no mistake of a bot or of a tournament file.
func Shortage(err error) bool { return shortage(err) || full(err) }

// full reports whether an error says that a disk is full.
func full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// shortOf marks an error as a shortage. A full disk needs the mark, because the kernel
// has the same error for some limits of its own, which do not pass.
type shortOf struct{ error }

func (s shortOf) Unwrap() error { return s.error }

// shortage reports whether an error says that this machine or this user has too
// many processes or open files, or too little memory, at the moment.
func shortage(err error) bool {
	if errors.As(err, new(shortOf)) {
		return true
	}
	// Go reports EBADF if a child process runs out of file descriptors.
	for _, short := range []error{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.EBADF} {
		if errors.Is(err, short) {
			return true
		}
	}
	return false
}
