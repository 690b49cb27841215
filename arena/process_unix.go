//go:build unix

package arena

import (
	"os/exec"
	"syscall"
)

// killGroup kills a bot that has not been waited for, and its process group.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may have exited
}

// pauseGroup stops a bot's process group, resumeGroup lets it go on.
func pauseGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGSTOP) } // it may have exited

func resumeGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGCONT) }
