package arena

import (
	"os"

	"golang.org/x/sys/unix"
)

// leases reports whether the system gives a lease on a file, which would delay others
// who open the file.
func leases() bool {
	own, err := os.CreateTemp("", "")
	need(err)
	defer own.Close()
	_, err = unix.FcntlInt(own.Fd(), unix.F_SETLEASE, unix.F_WRLCK)
	return err == nil
}

// uncounted reports whether the system gives memory that no limit counts, as stacks
// or in large buffers.
func uncounted() bool {
	const size, writable = 1 << 30, unix.PROT_READ | unix.PROT_WRITE
	_, err := unix.Mmap(-1, 0, size, writable, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_GROWSDOWN)
	if err == nil || unix.Setrlimit(unix.RLIMIT_STACK, &unix.Rlimit{Cur: size, Max: size}) == nil {
		return true
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	return err == nil && unix.SetsockoptInt(pair[0], unix.SOL_SOCKET, unix.SO_SNDBUF, size) == nil
}
