//go:build unix

package jail

import (
	"os"
	"syscall"
)

func tempVariables() []string { return []string{"TMPDIR", "HOME"} }

// kill kills the process group of a bot. Nobody may have waited for the bot yet.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) } // it may have exited

// pause stops the process group of a bot, and other processes of the bot.
func pause(bot *os.Process, others []int) { tell(syscall.SIGSTOP, bot, others) }

func resume(bot *os.Process, others []int) { tell(syscall.SIGCONT, bot, others) }

func tell(s syscall.Signal, bot *os.Process, others []int) {
	_ = syscall.Kill(-bot.Pid, s) // any of them may have exited
	for _, pid := range others {
		_ = syscall.Kill(pid, s)
	}
}
