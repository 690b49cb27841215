package jail

import (
	"golang.org/x/sys/unix"

	"sembra/arena/jail/procfs"
)

// bind lets all threads of some processes run only on some processors: of a
// process and its descendants, or of the descendants alone. What they start later
// inherits that.
func bind(pid int, itself bool, processors []int) {
	var set unix.CPUSet
	for _, n := range processors {
		set.Set(n)
	}
	procfs.Walk(pid, func(p procfs.Process, threads []int) {
		for _, thread := range threads {
			if itself || p.PID != pid {
				_ = unix.SchedSetaffinity(thread, &set) // it may have ended, or belong to another user
			}
		}
	})
}
