//go:build !linux

package guest

import (
	"os"
	"os/exec"
	"time"
)

// pending is not known on this system. So an answer that comes before its
// question is noticed only if it comes together with the answer before.
func pending(*os.File) (int, error) { return 0, nil }

// exited is not known on this system before the process is waited for.
func exited(_ *exec.Cmd, when bool) bool { return !when }

func pipe(weWrite bool) (ours, theirs *os.File, err error) {
	ours, theirs, err = os.Pipe()
	if weWrite {
		ours, theirs = theirs, ours
	}
	return ours, theirs, err
}

// read fails if the system knows no deadlines, and so does write.
func (p *process) read(b []byte, deadline time.Time) (int, error) {
	if err := p.out.SetReadDeadline(deadline); err != nil {
		return 0, err
	}
	return p.out.Read(b)
}

func (p *process) write(b []byte, deadline time.Time) (int, error) {
	if err := p.in.SetWriteDeadline(deadline); err != nil {
		return 0, err
	}
	return p.in.Write(b)
}

// keep keeps what the bot writes to its standard error, until its end.
func (e *standardError) keep() {
	defer close(e.over)
	for {
		n, err := e.pipe.Read(e.buffer[:])
		e.mu.Lock()
		e.add(time.Now(), e.buffer[:n])
		e.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Drain is not done on this system, where reading would wait.
func (e *standardError) Drain(time.Time) {}

// AllowedProcessors returns none: bots cannot be bound to processors on this
// system.
func AllowedProcessors() []int { return nil }

func claimProcessor(int) (release func(), ok bool) { return nil, false }

func bindThread([]int) {}
