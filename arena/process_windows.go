package arena

import (
	"os/exec"
	"syscall"
)

func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills a bot. What it started is not reached on this system.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// A bot cannot be paused on this system.
func pauseGroup(*exec.Cmd) {}

func resumeGroup(*exec.Cmd) {}
