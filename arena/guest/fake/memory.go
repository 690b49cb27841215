package fake

import (
	"bytes"
	"context"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"sembra/arena/guest"
)

// Memory starts a bot as a goroutine, on pipes that behave like those of a process.
type Memory func(in io.Reader, out io.Writer)

// Launch starts the goroutine. The bot's end of input and output is closed when the
// function returns.
func (m Memory) Launch(context.Context, *guest.Spawner) (guest.Bot, error) {
	b := &memoryBot{in: newStream(), out: newStream(), gone: make(chan struct{})}
	go func() { // ends when the function returns, at the latest at the end of its input
		defer close(b.gone)
		defer b.in.Close()
		defer b.out.Close()
		m(b.in, b.out)
	}()
	return b, nil
}

// memoryBot is a bot that runs as a goroutine.
type memoryBot struct {
	in, out *stream
	arrived time.Time
	gone    chan struct{}
}

func (b *memoryBot) Read(p []byte) (int, error) {
	n, err := b.out.Read(p)
	b.arrived = time.Now()
	return n, err
}

func (b *memoryBot) SetDeadline(t time.Time) {
	b.in.setDeadline(&b.in.writeDeadline, t)
	b.out.setDeadline(&b.out.readDeadline, t)
}

// Stop closes both pipes. A goroutine cannot be killed: one that goes on without
// reading or writing is left to itself.
func (b *memoryBot) Stop(grace time.Duration) {
	b.in.Close()
	if grace > 0 {
		select {
		case <-b.gone:
		case <-time.After(grace):
		}
	}
	b.out.Close()
}

func (b *memoryBot) Write(p []byte) (int, error)   { return b.in.Write(p) }
func (b *memoryBot) Arrived() time.Time            { return b.arrived }
func (b *memoryBot) Pending() (int, error)         { return b.out.pending(), nil }
func (b *memoryBot) Exit() string                  { return "" }
func (b *memoryBot) Log() ([]byte, int64)          { return nil, 0 }
func (b *memoryBot) Explain([]byte) string         { return "" }
func (b *memoryBot) Watch(func(time.Time, []byte)) {}
func (b *memoryBot) Drain(time.Time)               {}
func (b *memoryBot) CPU() (time.Duration, bool)    { return 0, false }
func (b *memoryBot) Memory() (int64, bool)         { return 0, true }
func (b *memoryBot) Pause()                        {}
func (b *memoryBot) Resume()                       {}
func (b *memoryBot) Bind([]int)                    {}
func (b *memoryBot) CloseInput()                   { b.in.Close() }
func (b *memoryBot) IgnoresChildren() bool         { return false }

// PipeSize is what a pipe holds before its writer has to wait, as on Linux.
const PipeSize = 64 << 10

// stream is one direction of a pipe in memory.
type stream struct {
	mu            sync.Mutex // guards all that follows
	changed       *sync.Cond
	data          bytes.Buffer
	closed        bool
	readDeadline  time.Time
	writeDeadline time.Time
	alarm         *time.Timer // of the deadline that was set last
}

func newStream() *stream {
	s := &stream{}
	s.changed = sync.NewCond(&s.mu)
	return s
}

func (s *stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case late(s.readDeadline): // first, as the runtime does for files
			return 0, os.ErrDeadlineExceeded
		case s.data.Len() > 0:
			s.changed.Broadcast()
			return s.data.Read(p)
		case s.closed:
			return 0, io.EOF
		}
		s.changed.Wait()
	}
}

func (s *stream) Write(p []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n < len(p) {
		switch room := PipeSize - s.data.Len(); {
		case s.closed:
			return n, syscall.EPIPE
		case late(s.writeDeadline):
			return n, os.ErrDeadlineExceeded
		case room == 0:
			s.changed.Wait()
		default:
			part := p[n:min(n+room, len(p))]
			s.data.Write(part)
			n += len(part)
			s.changed.Broadcast()
		}
	}
	return n, nil
}

func late(deadline time.Time) bool {
	return !deadline.IsZero() && !time.Now().Before(deadline)
}

func (s *stream) setDeadline(which *time.Time, t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*which = t
	if s.alarm != nil {
		s.alarm.Stop()
	}
	if !t.IsZero() {
		s.alarm = time.AfterFunc(time.Until(t), s.wake)
	}
}

// wake lets those who wait look at their deadlines.
func (s *stream) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed.Broadcast()
}

func (s *stream) pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.data.Len()
}

// Close never fails.
func (s *stream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.alarm != nil {
		s.alarm.Stop()
	}
	s.changed.Broadcast()
	return nil
}
