package check

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"sembra/arena/guest"
)

// scripted is a bot in memory that keeps to the protocol, except for what a test makes it do otherwise.
type scripted struct {
	Hello  string                              // its lines before mbiok; "": wants legal
	Line   func(q *question, line string) bool // sees each line first; true: nothing else is done about it
	Answer func(q *question) string            // its line after a go; nil: the first legal move
}

// Launch starts the bot in memory.
func (b scripted) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	return inMemory(b.Run).Launch(ctx, n)
}

// question is what a bot knows when a line comes.
type question struct {
	Match int    // the number of its match in this process, from 1
	Ply   int    // how often it was asked in this match
	Seat  string // south or north
	Legal []string
	out   io.Writer
}

// Say writes a line immediately.
func (q *question) Say(line string) { fmt.Fprintln(q.out, line) }

// First is the answer with the first legal move.
func (q *question) First() string { return "bestmove " + q.Legal[0] }

// Run is the bot's life.
func (b scripted) Run(in io.Reader, out io.Writer) {
	q := &question{out: out}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "newmatch":
			q.Seat, q.Match, q.Ply = words[2], q.Match+1, 0
		case "legal":
			q.Legal = words[1:]
		case "go":
			q.Ply++
		}
		if b.Line != nil && b.Line(q, lines.Text()) {
			continue
		}
		switch words[0] {
		case "mbi":
			q.Say(cmp.Or(b.Hello, "wants legal") + "\nmbiok")
		case "isready":
			q.Say("readyok")
		case "go":
			answer := b.Answer
			if answer == nil {
				answer = (*question).First
			}
			q.Say(answer(q))
		case "quit":
			return
		}
	}
}

// at answers the n-th question of a match with a line, and the others with the first legal move.
func at(n int, line string) func(*question) string {
	return func(q *question) string {
		if q.Ply == n {
			return line
		}
		return q.First()
	}
}

// settle waits inside a bubble of time until bots that sleep on after their end have woken to it.
func settle() {
	time.Sleep(time.Hour)
	synctest.Wait()
}

// inMemory is a bot that runs as a goroutine, so that clocks are tested in no time.
type inMemory func(in io.Reader, out io.Writer)

// Launch starts the goroutine.
func (run inMemory) Launch(context.Context, *guest.Spawner) (guest.Bot, error) {
	b := &memoryBot{in: newPipe(), out: newPipe()}
	go func() { // ends when the function returns, at the latest at the end of its input
		defer b.out.close()
		defer b.in.close()
		run(b.in, b.out)
	}()
	return b, nil
}

// memoryBot is the arena's end of a bot in memory.
type memoryBot struct {
	guest.Bot // nil: nobody asks for what is missing below
	in, out   *pipe
	arrived   time.Time
}

func (b *memoryBot) Read(p []byte) (int, error) {
	n, err := b.out.Read(p)
	b.arrived = time.Now()
	return n, err
}

// Stop waits for the end of the bot as long as it may.
func (b *memoryBot) Stop(grace time.Duration) {
	b.in.close()
	select {
	case <-b.out.closed:
	case <-time.After(grace):
	}
	b.out.close()
}

func (b *memoryBot) Write(p []byte) (int, error) { return b.in.Write(p) }
func (b *memoryBot) SetDeadline(t time.Time)     { b.out.deadline = t }
func (b *memoryBot) Arrived() time.Time          { return b.arrived }
func (b *memoryBot) Pending() (int, error)       { return len(b.out.texts) + len(b.out.rest), nil }
func (b *memoryBot) Exit() string                { return "" }
func (b *memoryBot) Stderr() ([]byte, int64)     { return nil, 0 }
func (b *memoryBot) WhyEnded() string            { return "" }
func (b *memoryBot) Drain(time.Time)             {}
func (b *memoryBot) CPU() (time.Duration, bool)  { return 0, false }
func (b *memoryBot) CloseInput()                 { b.in.close() }
func (b *memoryBot) InputRead() bool             { return true }

// pipe is one direction of a bot's wire. It has room for all that a test writes.
type pipe struct {
	texts    chan []byte
	rest     []byte    // of the text that is being read
	deadline time.Time // of the reader
	closed   chan struct{}
	close    func() // closes closed, once
}

func newPipe() *pipe {
	p := &pipe{texts: make(chan []byte, 1<<14), closed: make(chan struct{})}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	return p
}

func (p *pipe) Read(b []byte) (int, error) {
	late := make(<-chan time.Time)
	if !p.deadline.IsZero() {
		late = time.After(time.Until(p.deadline))
	}
	for len(p.rest) == 0 {
		select {
		case p.rest = <-p.texts:
		case <-late:
			return 0, os.ErrDeadlineExceeded
		case <-p.closed:
			if len(p.texts) == 0 {
				return 0, io.EOF
			}
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p *pipe) Write(b []byte) (int, error) {
	select {
	case <-p.closed:
		return 0, io.ErrClosedPipe
	default:
		p.texts <- bytes.Clone(b)
		return len(b), nil
	}
}
