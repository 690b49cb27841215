package sandbox

import (
	"golang.org/x/sys/unix"

	"sembra/arena/sandbox/procfs"
)

// bind lets all threads of some processes run only on some processors: of a
// process and its descendants, or of the descendants alone. What they start later
// inherits that.
func bind(pid int, itself bool, processors []int) {
	var set unix.CPUSet
	for _, n := range processors {
		set.Set(n)
	}
	bound := make(map[int]bool)
	const most = 10                                 // times, as a bot can start threads without end
	for more, n := true, 0; more && n < most; n++ { // a thread may start another before it is bound itself
		more = false
		procfs.Walk(pid, func(p procfs.Process, threads []int) {
			for _, thread := range threads {
				if (itself || p.PID != pid) && !bound[thread] {
					bound[thread], more = true, true
					_ = unix.SchedSetaffinity(thread, &set) // it may have ended, or belong to another user
				}
			}
		})
	}
}
