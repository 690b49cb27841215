package arena

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing/synctest"
	"time"

	"sembra/arena/guest"
)

// scripted is a bot that keeps to the protocol, except for what a test makes it do
// otherwise. As a Launcher it runs in memory, so that clocks are tested in no time.
type scripted struct {
	Hello  string                              // its lines before mbiok; "": wants legal
	Line   func(q *question, line string) bool // sees each line first; true: nothing else is done about it
	Answer func(q *question) string            // its line after a go, "" for none; nil: the first legal move
	Heard  *transcript                         // of what it was told
}

// Launch starts the bot in memory.
func (b scripted) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	return inMemory(b.Run).Launch(ctx, n)
}

// question is what a bot knows when a line comes.
type question struct {
	Match int      // the number of its match in this process, from 1
	Ply   int      // how often it was asked in this match
	Seat  string   // south or north
	Seed  uint64   // of the match
	Legal []string // of the position
	Out   io.Writer
}

// Say writes a line immediately.
func (q *question) Say(format string, args ...any) { fmt.Fprintf(q.Out, format+"\n", args...) }

// First is the answer with the first legal move.
func (q *question) First() string { return "bestmove " + q.Legal[0] }

// Any is an answer that depends on the seed, the ply and the legal moves alone.
func (q *question) Any() string {
	mixed := (q.Seed + uint64(q.Ply)) * 0x9e3779b97f4a7c15
	return "bestmove " + q.Legal[mixed>>33%uint64(len(q.Legal))]
}

// hear takes what a line says.
func (q *question) hear(line string) {
	switch words := strings.Fields(line); {
	case strings.HasPrefix(line, "newmatch "):
		_, seed, _ := strings.Cut(line, " seed ")
		if _, err := fmt.Sscan(seed, &q.Seed); err != nil {
			panic(fmt.Sprintf("%s: %v", line, err))
		}
		q.Seat, q.Match, q.Ply = words[2], q.Match+1, 0
	case strings.HasPrefix(line, "legal "):
		q.Legal = words[1:]
	case line == "go", strings.HasPrefix(line, "go "):
		q.Ply++
	}
}

// Run is the bot's life.
func (b scripted) Run(in io.Reader, out io.Writer) {
	q := &question{Out: out}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		b.Heard.add(line)
		q.hear(line)
		if b.Line != nil && b.Line(q, line) {
			continue
		}
		switch word, _, _ := strings.Cut(line, " "); word {
		case "mbi":
			q.Say("%s\nmbiok", cmp.Or(b.Hello, "wants legal"))
		case "isready":
			q.Say("readyok")
		case "go":
			if b.Answer == nil {
				q.Say("%s", q.First())
			} else if line := b.Answer(q); line != "" {
				q.Say("%s", line)
			}
		case "quit":
			return
		}
	}
}

// at returns the answer that play gives to the bot's n-th question of a match, and the first legal move to the others.
func at(n int, play func(q *question) string) func(*question) string {
	return func(q *question) string {
		if q.Ply == n {
			return play(q)
		}
		return q.First()
	}
}

// says returns an answer that is the same line, whatever the question.
func says(line string) func(*question) string {
	return func(*question) string { return line }
}

// settle waits inside a bubble of time until bots have read all that they were told,
// and those that sleep on after their end have woken to it.
func settle() {
	time.Sleep(time.Hour)
	synctest.Wait()
}

// transcript is the lines that a bot was told.
type transcript struct {
	mu    sync.Mutex // guards the lines
	lines []string
}

func (t *transcript) add(line string) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, line)
}

// All returns the lines so far.
func (t *transcript) All() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.lines)
}

// Of returns the lines so far that begin with one of the words.
func (t *transcript) Of(words ...string) []string {
	return slices.DeleteFunc(t.All(), func(line string) bool {
		word, _, _ := strings.Cut(line, " ")
		return !slices.Contains(words, word)
	})
}

// inMemory starts a bot as a goroutine, on pipes that behave like those of a process.
type inMemory func(in io.Reader, out io.Writer)

// Launch starts the goroutine. The bot's end of input and output is closed when the function returns.
func (run inMemory) Launch(context.Context, *guest.Spawner) (guest.Bot, error) {
	b := &memoryBot{in: newStream(), out: newStream(), gone: make(chan struct{})}
	go func() { // ends when the function returns, at the latest at the end of its input
		defer close(b.gone)
		defer b.in.Close()
		defer b.out.Close()
		run(b.in, b.out)
	}()
	return b, nil
}

// memoryBot is a bot that runs as a goroutine.
type memoryBot struct {
	in, out  *stream
	deadline time.Time
	arrived  time.Time
	gone     chan struct{}
}

func (b *memoryBot) Read(p []byte) (int, error) {
	n, err := b.out.read(p, b.deadline)
	b.arrived = time.Now()
	return n, err
}

// Stop closes both pipes. A goroutine cannot be killed: one that continues without
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

func (b *memoryBot) Write(p []byte) (int, error)   { return b.in.write(p, b.deadline) }
func (b *memoryBot) SetDeadline(t time.Time)       { b.deadline = t }
func (b *memoryBot) DuringRead(time.Time, func())  {}
func (b *memoryBot) Arrived() time.Time            { return b.arrived }
func (b *memoryBot) Pending() (int, error)         { return len(b.out.chunks) + len(b.out.rest), nil }
func (b *memoryBot) Exit() string                  { return "" }
func (b *memoryBot) Stderr() ([]byte, int64)       { return nil, 0 }
func (b *memoryBot) WhyEnded() string              { return "" }
func (b *memoryBot) Watch(func(time.Time, []byte)) {}
func (b *memoryBot) Drain(time.Time)               {}
func (b *memoryBot) CPU() (time.Duration, bool)    { return 0, false }
func (b *memoryBot) Memory() (int64, bool)         { return 0, true }
func (b *memoryBot) Pause()                        {}
func (b *memoryBot) Resume()                       {}
func (b *memoryBot) Bind([]int)                    {}
func (b *memoryBot) CloseInput()                   { b.in.Close() }
func (b *memoryBot) InputRead() bool               { return true }

// What a pipe holds before its writer has to wait, as on Linux: so many chunks of bytes.
const (
	chunkSize = 64
	pipeSize  = 64 << 10
)

// stream is one direction of a pipe in memory, with one reader and one writer at a time.
type stream struct {
	chunks chan []byte
	rest   []byte // of the chunk that is being read
	closed chan struct{}
	once   sync.Once
}

func newStream() *stream {
	return &stream{chunks: make(chan []byte, pipeSize/chunkSize), closed: make(chan struct{})}
}

func (s *stream) Read(p []byte) (int, error)  { return s.read(p, time.Time{}) }
func (s *stream) Write(p []byte) (int, error) { return s.write(p, time.Time{}) }

// Close lets writers fail, and readers once they have read all.
func (s *stream) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

func (s *stream) read(p []byte, deadline time.Time) (int, error) {
	for {
		switch {
		case late(deadline): // first, as the runtime does for files
			return 0, os.ErrDeadlineExceeded
		case len(s.rest) > 0:
			n := copy(p, s.rest)
			s.rest = s.rest[n:]
			return n, nil
		}
		select {
		case s.rest = <-s.chunks:
		case <-expiry(deadline):
		case <-s.closed:
			select {
			case s.rest = <-s.chunks:
			default:
				return 0, io.EOF
			}
		}
	}
}

func (s *stream) write(p []byte, deadline time.Time) (n int, err error) {
	for chunk := range slices.Chunk(bytes.Clone(p), chunkSize) {
		select {
		case <-s.closed:
			return n, syscall.EPIPE
		default:
		}
		select {
		case s.chunks <- chunk:
			n += len(chunk)
		case <-s.closed:
			return n, syscall.EPIPE
		case <-expiry(deadline):
			return n, os.ErrDeadlineExceeded
		}
	}
	return n, nil
}

func late(deadline time.Time) bool { return !deadline.IsZero() && !time.Now().Before(deadline) }

// expiry returns a channel that is ready at a deadline; never if there is none.
func expiry(deadline time.Time) <-chan time.Time {
	if deadline.IsZero() {
		return nil
	}
	return time.After(time.Until(deadline))
}
