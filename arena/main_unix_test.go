//go:build unix

package arena

import (
	"os"
	"syscall"
	"time"
)

// cpuTime returns the CPU time that this process has used, without its children.
func cpuTime() time.Duration { return usedBy(syscall.RUSAGE_SELF) }

// usedBy returns the CPU time of this process or of its children, which counts once they were waited for.
func usedBy(who int) time.Duration {
	var usage syscall.Rusage
	need(syscall.Getrusage(who, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// ownSession puts a process into a session of its own.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// sigStop stops a process.
const sigStop = syscall.SIGSTOP

// reaches reports whether this process may send signals to another one.
func reaches(pid int) bool { return syscall.Kill(pid, 0) == nil }

func signalMe(s syscall.Signal) {
	need(syscall.Kill(os.Getpid(), s))
}
