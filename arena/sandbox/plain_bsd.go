//go:build unix && !linux

package sandbox

import "syscall"

// attributes puts a bot in a process group of its own, so that Ctrl-C does not
// reach it and its children can be killed with it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// stopThreads does nothing: the system does not list them.
func stopThreads(int, bool) {}
