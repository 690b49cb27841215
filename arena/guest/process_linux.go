package guest

import (
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

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

// exited reports whether a process has exited, at once or when it has. It leaves the process to be waited for.
func exited(cmd *exec.Cmd, when bool) bool {
	var info unix.Siginfo
	options := unix.WEXITED | unix.WNOWAIT
	if !when {
		options |= unix.WNOHANG
	}
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, &info, options, nil)
		if err != unix.EINTR {
			return err != nil || info.Signo != 0
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
			if n, err = readNow(fd, b); err != syscall.EAGAIN || offers == 0 {
				return err != syscall.EAGAIN
			}
			offers--
			_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
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

// readNow reads from a pipe without waiting. The error is EAGAIN if nothing is there.
func readNow(fd uintptr, b []byte) (n int, err error) {
	for {
		if n, err = syscall.Read(int(fd), b); err != syscall.EINTR {
			return n, err
		}
	}
}

// keep keeps what the bot writes to its standard error, until its end.
func (e *standardError) keep() {
	defer close(e.over)
	conn, err := e.pipe.SyscallConn()
	for n := 1; n > 0 && err == nil; {
		err = conn.Read(func(fd uintptr) (done bool) {
			var wrong error
			n, wrong = e.take(fd, time.Now())
			return wrong != syscall.EAGAIN
		})
	}
}

// take reads once, without waiting, and keeps that. Several goroutines may call it: they read and keep one after
// another, so the text stays in order.
func (e *standardError) take(fd uintptr, at time.Time) (n int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n, err = readNow(fd, e.buffer[:]); n > 0 {
		e.add(at, e.buffer[:n])
	}
	return n, err
}

// Drain reads at most what a pipe can hold, because a bot may write all the time.
func (e *standardError) Drain(at time.Time) {
	const most = 1 << 20 // bytes
	conn, err := e.pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Control(func(fd uintptr) { // if it is closed already, all of it is kept
		for n, taken := 1, 0; n > 0 && taken < most; taken += n {
			n, _ = e.take(fd, at)
		}
	})
}
