package arena

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// eat holds that much memory from now on, in bytes. It is not Go's, of which a build
// with the race detector needs several times as much.
func eat(size int) {
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	need(err)
	for n := 0; n < len(b); n += os.Getpagesize() {
		b[n] = 1
	}
}

// unbind tries all ways in which a thread changes where and how it runs. It returns nil if one of them works.
func unbind() error {
	var all unix.CPUSet
	for n := range 64 {
		all.Set(n)
	}
	attr := &unix.SchedAttr{Size: unix.SizeofSchedAttr, Runtime: 1_000_000}
	var param int32
	_, _, scheduler := unix.Syscall(unix.SYS_SCHED_SETSCHEDULER, 0, unix.SCHED_BATCH, uintptr(unsafe.Pointer(&param)))
	_, _, parameter := unix.Syscall(unix.SYS_SCHED_SETPARAM, 0, uintptr(unsafe.Pointer(&param)), 0)
	for _, err := range []error{unix.SchedSetaffinity(0, &all), unix.SchedSetAttr(0, attr, 0), scheduler, parameter} {
		if err == nil || err == unix.Errno(0) {
			return nil
		}
	}
	return unix.EPERM
}
