package procfs

import (
	"syscall"
	"time"
	"unsafe"
)

// clock returns the CPU time of a living process, without its children.
func clock(pid int) (time.Duration, bool) {
	var used syscall.Timespec
	id := uintptr(int32(^pid)<<3 | 2) // as clock_getcpuclockid(3) makes it
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&used)), 0)
	return time.Duration(used.Nano()), errno == 0
}
