package procfs

import (
	"time"

	"golang.org/x/sys/unix"
)

// clock returns the processor time of a living process, without its children.
func clock(pid int) (time.Duration, bool) {
	var used unix.Timespec
	err := unix.ClockGettime(int32(^pid)<<3|2, &used) // as clock_getcpuclockid(3) makes it
	return time.Duration(used.Nano()), err == nil
}
