package sandbox

import (
	"os"
	"syscall"
)

func plainAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// kill kills a bot, but not the processes that the bot started.
func kill(p *os.Process) { _ = p.Kill() }

// pause does nothing: a bot cannot be paused on this system.
func pause(*os.Process, bool) {}
