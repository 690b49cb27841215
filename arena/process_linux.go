package arena

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// processAttributes puts a bot in a process group of its own, so that Ctrl-C
// does not reach it and its children can be killed with it, and lets it die
// with the arena.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// pending returns how many bytes wait in a pipe.
func pending(f *os.File) (n int, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	controlErr := conn.Control(func(fd uintptr) {
		n, err = unix.IoctlGetInt(int(fd), unix.TIOCINQ)
	})
	if controlErr != nil {
		return 0, controlErr
	}
	return n, err
}
