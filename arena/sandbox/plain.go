package sandbox

import (
	"errors"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"sembra/arena/sandbox/procfs"
)

// plain keeps a process of a bot without isolation, in a process group of its own.
type plain struct{ cmd *exec.Cmd }

// plain returns a process without isolation.
func (p *Prepared) plain() *Process {
	c := p.command
	cmd := &exec.Cmd{Path: c.Program, Args: c.Args, Dir: c.Dir, Env: c.Env, SysProcAttr: attributes()}
	return &Process{keeper: plain{cmd}, cmd: cmd, itself: true}
}

func (p plain) executed(_ *Process, err error) error {
	if err != nil && !Shortage(err) {
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

// Shortage reports whether an error says that this machine or this user is short of
// something at the moment: of processes, open files, memory, or room on a disk. It is
// a failure of the runner, and no mistake of a bot or of a tournament file.
func Shortage(err error) bool {
	return slices.ContainsFunc([]error{
		syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.ENOSPC, syscall.EDQUOT,
		syscall.EBADF, // Go reports it if a child process runs out of file descriptors
	}, func(short error) bool { return errors.Is(err, short) })
}
