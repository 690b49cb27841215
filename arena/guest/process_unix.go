//go:build unix

package guest

import (
	"syscall"
	"time"
)

// keepLog keeps what the bot writes to its standard error, until its end.
func (p *process) keepLog() {
	conn, err := p.errors.SyscallConn()
	for over := err != nil; !over; {
		err := conn.Read(func(fd uintptr) (done bool) {
			n, err := p.takeLog(fd, time.Now)
			again := err == syscall.EAGAIN
			over = n <= 0 && !again
			return !again
		})
		over = over || err != nil
	}
}

// takeLog reads standard error once, without waiting.
func (p *process) takeLog(fd uintptr, at func() time.Time) (n int, err error) {
	return p.log.take(at, func(b []byte) (n int, err error) {
		for {
			if n, err = syscall.Read(int(fd), b); err != syscall.EINTR {
				return n, err
			}
		}
	})
}

// Drain reads at most what a pipe can hold, because a bot may write all the time.
func (p *process) Drain(at time.Time) {
	const most = 1 << 20 // bytes
	conn, err := p.errors.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Control(func(fd uintptr) { // if it is closed already, all of it is kept
		for taken := 0; taken < most; {
			n, err := p.takeLog(fd, func() time.Time { return at })
			if n <= 0 || err != nil {
				return
			}
			taken += n
		}
	})
}
