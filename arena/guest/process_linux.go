package guest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
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

// exited reports whether a process has exited; with when, it first waits until it has. Somebody must still wait for it.
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

// pipe returns a pipe for a bot's standard input or output. Go's poller does not know our end. It would wake an idle
// thread for all that a bot writes, mostly on another processor; so the thread that waits for a bot sleeps in the system.
func pipe(weWrite bool) (ours, theirs *os.File, err error) {
	var ends [2]int
	if err = unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	if weWrite {
		slices.Reverse(ends[:])
	}
	ours, theirs = os.NewFile(uintptr(ends[0]), "|"), os.NewFile(uintptr(ends[1]), "|")
	return ours, theirs, unix.SetNonblock(ends[0], true) // NewFile gives the poller what does not block
}

func (p *process) read(b []byte, deadline time.Time) (n int, err error) {
	n, err = p.transfer(p.out, unix.POLLIN, deadline, func(fd int) (int, error) { return unix.Read(fd, b) })
	if err == nil && n == 0 {
		err = io.EOF
	}
	return n, err
}

func (p *process) write(b []byte, deadline time.Time) (n int, err error) {
	for n < len(b) && err == nil {
		var wrote int
		wrote, err = p.transfer(p.in, unix.POLLOUT, deadline, func(fd int) (int, error) { return unix.Write(fd, b[n:]) })
		n += wrote
	}
	return n, err
}

// transfer moves bytes through a pipe. It waits until the pipe is ready for that, or the deadline is over. The pipe
// stays open meanwhile, so that its number belongs to no other file.
//
// Going to sleep and being woken takes longer than an instant bot needs for its answer. So before transfer waits, it
// offers the processor to the bot.
func (p *process) transfer(
	f *os.File, ready int16, deadline time.Time, move func(fd int) (int, error),
) (n int, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	gone := conn.Control(func(fd uintptr) {
		for tries := 0; ; tries++ {
			if n, err = move(int(fd)); err != unix.EAGAIN && err != unix.EINTR {
				return
			}
			if tries == 0 {
				_, _, _ = syscall.Syscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
			} else if err = p.await(int32(fd), ready, deadline); err != nil {
				return
			}
		}
	})
	if gone != nil {
		err = gone
	}
	return max(0, n), err
}

// await waits until a pipe is ready, or the deadline is over. That is so when the bot is being stopped: a process that
// it has started can hold the pipe open when the bot is gone, so await looks a few times a second.
func (p *process) await(fd int32, ready int16, deadline time.Time) error {
	const often = 100 * time.Millisecond
	for !p.stopped.Load() {
		patience := often
		if !deadline.IsZero() {
			patience = min(patience, time.Until(deadline))
		}
		if patience <= 0 {
			break
		}
		wait := unix.NsecToTimespec(patience.Nanoseconds())
		n, err := unix.Ppoll([]unix.PollFd{{Fd: fd, Events: ready}}, &wait, nil)
		if n > 0 || err != nil && err != unix.EINTR {
			return err
		}
	}
	return os.ErrDeadlineExceeded
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

// AllowedProcessors returns the numbers of the processors on which this program
// may run; none on systems where bots cannot be bound to processors.
func AllowedProcessors() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var all []int
	for n := 0; len(all) < set.Count(); n++ {
		if set.IsSet(n) {
			all = append(all, n)
		}
	}
	return all
}

// claimProcessor claims a processor for one table of one run on this machine. It binds a socket to an abstract name,
// which nobody else can have at the same time. No file stands for the name. The claim ends with the process, however
// that ends.
func claimProcessor(n int) (release func(), ok bool) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: fmt.Sprint("@sembra-processor-", n)}); err != nil {
		unix.Close(fd)
		return nil, false
	}
	return func() { unix.Close(fd) }, true
}

// bindThread lets the thread of this goroutine run only on those processors.
func bindThread(processors []int) {
	var set unix.CPUSet
	for _, n := range processors {
		set.Set(n)
	}
	_ = unix.SchedSetaffinity(0, &set) // without this, only speed is lost
}
