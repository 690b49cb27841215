//go:build unix

package sandbox

import (
	"os"
	"syscall"

	"sembra/arena/sandbox/procfs"
)

func tempVariables() []string { return []string{"TMPDIR", "HOME"} }

func kill(p *os.Process) { signalFamily(p, syscall.SIGKILL) }

func pause(bot *os.Process) { signalFamily(bot, syscall.SIGSTOP) }

func resume(bot *os.Process) { signalFamily(bot, syscall.SIGCONT) }

// signalFamily sends a signal to the process group of a bot, and on Linux also to
// its descendants in other groups. It misses those whose parent has ended. Nobody
// may have waited for the bot yet.
func signalFamily(p *os.Process, signal syscall.Signal) {
	var strayed []int
	procfs.Walk(p.Pid, func(q procfs.Process, _ []int) {
		if q.Group != p.Pid {
			strayed = append(strayed, q.PID)
		}
	})
	_ = syscall.Kill(-p.Pid, signal) // the bot may have exited
	for _, pid := range strayed {
		_ = syscall.Kill(pid, signal)
	}
}
