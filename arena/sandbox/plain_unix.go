//go:build unix

package sandbox

import (
	"os"
	"syscall"

	"sembra/arena/sandbox/procfs"
)

// plainAttributes puts a bot in a process group of its own, so that Ctrl-C does not
// reach it and its children can be killed with it.
func plainAttributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	dieWithThread(attr)
	return attr
}

// kill kills the process group of a bot, and on Linux also its descendants in other
// groups. It misses those whose parent has ended. Nobody may have waited for the bot yet.
func kill(p *os.Process) {
	var strayed []int
	procfs.Walk(p.Pid, true, func(q procfs.Process, _ []int) {
		if q.Group != p.Pid {
			strayed = append(strayed, q.PID)
		}
	})
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL) // the bot may have exited
	for _, pid := range strayed {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// pause stops the process group of a bot, or resumes it. See [Control.Pause].
func pause(p *os.Process, stop bool) {
	if !stop {
		_ = syscall.Kill(-p.Pid, syscall.SIGCONT) // it may have ended
		return
	}
	_ = syscall.Kill(-p.Pid, syscall.SIGSTOP)
	stopThreads(p.Pid, true)
}
