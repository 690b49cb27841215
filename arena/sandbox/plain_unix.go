//go:build unix

package sandbox

import (
	"os"
	"syscall"

	"sembra/arena/sandbox/procfs"
)

func kill(p *os.Process) { signalGroup(p, syscall.SIGKILL) }

// pause stops a bot, or resumes it. See [Control.Pause].
func pause(p *os.Process, stop, every bool) {
	signalGroup(p, map[bool]syscall.Signal{true: syscall.SIGSTOP, false: syscall.SIGCONT}[stop])
	if every {
		stopThreads(p.Pid, true)
	}
}

// signalGroup sends a signal to the process group of a bot, and on Linux also to
// its descendants in other groups. It misses those whose parent has ended. Nobody
// may have waited for the bot yet.
func signalGroup(p *os.Process, signal syscall.Signal) {
	var strayed []int
	procfs.Walk(p.Pid, true, func(q procfs.Process, _ []int) {
		if q.Group != p.Pid {
			strayed = append(strayed, q.PID)
		}
	})
	_ = syscall.Kill(-p.Pid, signal) // the bot may have exited
	for _, pid := range strayed {
		_ = syscall.Kill(pid, signal)
	}
}
