//go:build unix && !linux

package arena

import "syscall"

// processAttributes puts a bot in a process group of its own, so that Ctrl-C
// does not reach it and its children can be killed with it.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
