package guest

import (
	"io"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

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

// exited reports whether a process has exited, without waiting for it.
func exited(cmd *exec.Cmd) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, cmd.Process.Pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return err != nil || info.Signo != 0
}

// awaitExit waits until a process has exited, but leaves it to be waited for. It
// returns false if that is not possible.
func awaitExit(cmd *exec.Cmd) bool {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err == nil
		}
	}
}

// read reads standard output. Going to sleep and being woken takes longer than an
// instant bot needs for its answer. So while a bot is instant, read first offers
// the processor to it a few times. It does not do so for other bots: one that
// thinks would keep the processor for its whole time slice.
func (p *process) read(b []byte) (n int, err error) {
	conn, err := p.out.SyscallConn()
	if err != nil {
		return 0, err
	}
	offers := 0
	if p.instant {
		offers = 3
	}
	waitErr := conn.Read(func(fd uintptr) (done bool) {
		for {
			n, err = syscall.Read(int(fd), b)
			switch {
			case err == syscall.EINTR:
			case err == syscall.EAGAIN && offers > 0:
				offers--
				_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
			default:
				return err != syscall.EAGAIN
			}
		}
	})
	switch {
	case waitErr != nil:
		return 0, waitErr
	case err != nil:
		return 0, os.NewSyscallError("read", err)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}
