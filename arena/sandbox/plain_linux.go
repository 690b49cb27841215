package sandbox

import (
	"syscall"

	"golang.org/x/sys/unix"

	"sembra/arena/sandbox/procfs"
)

// attributes puts a bot in a process group of its own, so that Ctrl-C does not
// reach it and its children can be killed with it, and lets it die with the
// thread that started it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// bind lets all threads of some processes run only on some processors: of a
// process and its descendants, or of the descendants alone. What they start later
// inherits that.
func bind(pid int, itself bool, processors []int) {
	set := setOf(processors)
	each(pid, itself, func(_ procfs.Process, thread int) {
		_ = unix.SchedSetaffinity(thread, &set) // it may have ended, or belong to another user
	})
}

func setOf(processors []int) (set unix.CPUSet) {
	for _, n := range processors {
		set.Set(n)
	}
	return set
}

// signalBelow sends a signal to all descendants of a process.
func signalBelow(pid int, signal syscall.Signal) {
	each(pid, false, func(p procfs.Process, thread int) {
		if thread == p.PID {
			_ = unix.Kill(p.PID, signal) // it may have ended
		}
	})
}

// stopThreads stops each thread of a process group, or of the descendants of an init. Those of a process that has been
// told to stop start no others.
func stopThreads(pid int, itself bool) {
	procfs.Walk(pid, itself, func(p procfs.Process, threads []int) {
		if itself && p.Group != pid || !itself && p.PID == pid {
			return
		}
		for _, thread := range threads {
			_ = unix.Tgkill(p.PID, thread, unix.SIGSTOP) // it may have ended
		}
	})
}

// each calls a function once for every thread of a process and its descendants, or of
// the descendants alone. It looks again until there are no new ones: a thread may start
// another before the function has been called for it.
func each(pid int, itself bool, do func(p procfs.Process, thread int)) {
	done := make(map[int]bool)
	const most = 10 // times, as a bot can start threads without end
	for more, n := true, 0; more && n < most; n++ {
		more = false
		procfs.Walk(pid, itself, func(p procfs.Process, threads []int) {
			for _, thread := range threads {
				if (itself || p.PID != pid) && !done[thread] {
					done[thread], more = true, true
					do(p, thread)
				}
			}
		})
	}
}
