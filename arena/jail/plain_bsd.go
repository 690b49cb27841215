//go:build unix && !linux

package jail

import (
	"os"
	"syscall"
)

func tempVariables() []string { return []string{"TMPDIR", "HOME"} }

// attributes puts a bot in a process group of its own, so that Ctrl-C does not
// reach it and its children can be killed with it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// kill kills a bot that has not been waited for, and its process group.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) } // it may have exited

func pause(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGSTOP) }

func resume(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGCONT) }
