package check

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing/synctest"
	"time"

	"sembra/arena/guest"
)

// memory is a bot that runs as a goroutine, with pipes that have deadlines.
type memory func(in io.Reader, out io.Writer)

// memoryBot is its process.
type memoryBot struct {
	guest.Bot
	in, out net.Conn
	arrived time.Time
	gone    chan struct{}
}

func (m memory) Launch(context.Context, *guest.Spawner) (guest.Bot, error) {
	in, toBot := net.Pipe()
	fromBot, out := net.Pipe()
	told, kept := make(chunks, 1<<10), make(chunks, 1<<10)
	b := &memoryBot{in: toBot, out: fromBot, gone: make(chan struct{})}
	go func() {
		defer out.Close()
		for text := range kept {
			_, _ = out.Write(text) // the arena may be gone
		}
	}()
	go func() {
		defer close(b.gone)
		defer close(kept)
		defer in.Close()
		m(&reader{chunks: told}, kept)
	}()
	go func() {
		defer close(told)
		_, _ = io.Copy(told, in)
	}()
	return b, nil
}

// chunks are what is on its way between a bot and the arena. There is room for them, as in a pipe of a system.
type chunks chan []byte

func (c chunks) Write(b []byte) (int, error) {
	c <- slices.Clone(b)
	return len(b), nil
}

type reader struct {
	chunks
	left []byte
}

func (r *reader) Read(b []byte) (n int, err error) {
	if len(r.left) == 0 {
		more, open := <-r.chunks
		if !open {
			return 0, io.EOF
		}
		r.left = more
	}
	n = copy(b, r.left)
	r.left = r.left[n:]
	return n, nil
}

func (b *memoryBot) Read(p []byte) (int, error) {
	n, err := b.out.Read(p)
	b.arrived = time.Now()
	return n, err
}

func (b *memoryBot) SetDeadline(t time.Time) error {
	_ = b.in.SetDeadline(t) // pipes in memory do not fail
	return b.out.SetDeadline(t)
}

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

func (b *memoryBot) Write(p []byte) (int, error)       { return b.in.Write(p) }
func (b *memoryBot) Pending() (int, error)             { return 0, nil }
func (b *memoryBot) Arrived() time.Time                { return b.arrived }
func (b *memoryBot) CloseInput()                       { b.in.Close() }
func (b *memoryBot) Exit() string                      { return "" }
func (b *memoryBot) Log() ([]byte, int64)              { return nil, 0 }
func (b *memoryBot) Explain([]byte) string             { return "" }
func (b *memoryBot) Watch(func(time.Time, []byte))     {}
func (b *memoryBot) Drain(time.Time)                   {}
func (b *memoryBot) CPU() (d time.Duration, know bool) { return 0, false }

// fake is a bot that keeps to the protocol, except for what a test makes it do otherwise.
type fake struct {
	hello  string                              // its lines before mbiok; "": wants legal
	line   func(q *question, line string) bool // sees each line first; true: nothing else is done about it
	answer func(q *question) string            // its line after a go, "" for none; nil: the first legal move
}

func (f fake) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	return memory(f.run).Launch(ctx, n)
}

// question is what a fake knows when a line comes.
type question struct {
	match int      // the number of its match in this process, from 1
	ply   int      // how often it was asked in this match
	seat  string   // south or north
	seed  uint64   // of the match
	legal []string // of the position
	out   io.Writer
}

// say writes a line at once.
func (q *question) say(format string, args ...any) { fmt.Fprintf(q.out, format+"\n", args...) }

// first is the answer with the first legal move.
func (q *question) first() string { return "bestmove " + q.legal[0] }

// any is an answer that depends on the seed, the ply and the legal moves alone.
func (q *question) any() string {
	mixed := (q.seed + uint64(q.ply)) * 0x9e3779b97f4a7c15
	return "bestmove " + q.legal[mixed>>33%uint64(len(q.legal))]
}

// run is the bot's life.
func (f fake) run(in io.Reader, out io.Writer) {
	q := &question{out: out}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "newmatch":
			q.seat, q.match, q.ply = words[2], q.match+1, 0
			_, _ = fmt.Sscan(words[slices.Index(words, "seed")+1], &q.seed)
		case "legal":
			q.legal = words[1:]
		case "go":
			q.ply++
		}
		if f.line != nil && f.line(q, lines.Text()) {
			continue
		}
		switch words[0] {
		case "mbi":
			hello := f.hello
			if hello == "" {
				hello = "wants legal"
			}
			q.say("%s\nmbiok", hello)
		case "isready":
			q.say("readyok")
		case "go":
			answer := q.first
			if f.answer != nil {
				answer = func() string { return f.answer(q) }
			}
			if line := answer(); line != "" {
				q.say("%s", line)
			}
		case "quit":
			return
		}
	}
}

// stuckAt makes a bot do nothing more after a line.
func stuckAt(line string) func(*question, string) bool {
	return func(_ *question, said string) bool {
		if said == line {
			time.Sleep(time.Hour)
		}
		return false
	}
}

// at returns the answer to the bot's n-th question of a match, and the first legal move to the others.
func at(n int, answer string) func(*question) string {
	return func(q *question) string {
		if q.ply == n {
			return answer
		}
		return q.first()
	}
}

// settle waits inside a bubble of time until bots have read all that they were told, and those that sleep on after
// their end have woken to it.
func settle() {
	time.Sleep(time.Hour)
	synctest.Wait()
}
