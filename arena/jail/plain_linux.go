package jail

import (
	"syscall"
	"time"

	"sembra/arena/jail/procfs"
)

// attributes puts a bot in a process group of its own, so that Ctrl-C does not
// reach it and its children can be killed with it, and lets it die with the
// thread that started it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func cpuOf(pid int) (time.Duration, bool) { return procfs.CPU(pid) }

// othersInGroup counts the living processes of a group beside its leader.
func othersInGroup(leader int) (processes int, known bool) {
	all, err := procfs.All()
	for _, p := range all {
		if p.Group == leader && p.PID != leader && p.State != 'Z' {
			processes++
		}
	}
	return processes, err == nil && len(all) > 0
}
