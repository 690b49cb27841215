//go:build unix

package jail

import (
	"os"
	"syscall"
)

func tempVariables() []string { return []string{"TMPDIR", "HOME"} }

// kill kills the process group of a bot. Nobody may have waited for the bot yet.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) } // it may have exited

func pause(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGSTOP) }

func resume(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGCONT) }
