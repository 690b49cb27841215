// Package fake has bots for tests, and only tests import it. The bots run as goroutines,
// on pipes in memory, so that clocks can be tested in no time. They keep to the protocol,
// except for what a test makes them do otherwise.
package fake

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"sembra/arena/guest"
)

// Bot is a bot that keeps to the protocol, except for what a test makes it do
// otherwise. As a Launcher it runs in memory.
type Bot struct {
	Hello  string                              // its lines before mbiok; "": wants legal
	Line   func(q *Question, line string) bool // sees each line first; true: nothing else is done about it
	Answer func(q *Question) string            // its line after a go, "" for none; nil: the first legal move
	Heard  *Transcript                         // of what it was told
}

// Launch starts the bot in memory.
func (b Bot) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	return Memory(b.Run).Launch(ctx, n)
}

// Question is what a bot knows when a line comes.
type Question struct {
	Match int      // the number of its match in this process, from 1
	Ply   int      // how often it was asked in this match
	Seat  string   // south or north
	Seed  uint64   // of the match
	Legal []string // of the position
	Out   io.Writer
}

// Say writes a line at once.
func (q *Question) Say(format string, args ...any) { fmt.Fprintf(q.Out, format+"\n", args...) }

// First is the answer with the first legal move.
func (q *Question) First() string { return "bestmove " + q.Legal[0] }

// Any is an answer that depends on the seed, the ply and the legal moves alone.
func (q *Question) Any() string {
	mixed := (q.Seed + uint64(q.Ply)) * 0x9e3779b97f4a7c15
	return "bestmove " + q.Legal[mixed>>33%uint64(len(q.Legal))]
}

// hear takes what a line says.
func (q *Question) hear(word, rest string) {
	switch word {
	case "newmatch":
		before, seed, _ := strings.Cut(rest, " seed ")
		words := strings.Fields(before)
		if _, err := fmt.Sscan(seed, &q.Seed); err != nil || len(words) < 2 {
			panic(fmt.Sprintf("newmatch %q: %v", rest, err))
		}
		q.Seat, q.Match, q.Ply = words[1], q.Match+1, 0
	case "legal":
		q.Legal = strings.Fields(rest)
	case "go":
		q.Ply++
	}
}

// Run is the bot's life.
func (b Bot) Run(in io.Reader, out io.Writer) {
	q := &Question{Out: out}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		b.Heard.add(line)
		word, rest, _ := strings.Cut(line, " ")
		q.hear(word, rest)
		if b.Line != nil && b.Line(q, line) {
			continue
		}
		switch word {
		case "mbi":
			hello := b.Hello
			if hello == "" {
				hello = "wants legal"
			}
			q.Say("%s\nmbiok", hello)
		case "isready":
			q.Say("readyok")
		case "go":
			answer := q.First
			if b.Answer != nil {
				answer = func() string { return b.Answer(q) }
			}
			if line := answer(); line != "" {
				q.Say("%s", line)
			}
		case "quit":
			return
		}
	}
}

// At returns the answer that play gives to the bot's n-th question of a match, and
// the first legal move to the others.
func At(n int, play func(q *Question) string) func(*Question) string {
	return func(q *Question) string {
		if q.Ply == n {
			return play(q)
		}
		return q.First()
	}
}

// Says returns an answer that is the same line, whatever the question.
func Says(line string) func(*Question) string {
	return func(*Question) string { return line }
}

// Settle waits inside a bubble of time until bots have read all that they were told,
// and those that sleep on after their end have woken to it.
func Settle() {
	time.Sleep(time.Hour)
	synctest.Wait()
}

// Transcript is the lines that a bot was told.
type Transcript struct {
	mu    sync.Mutex // guards the lines
	lines []string
}

func (t *Transcript) add(line string) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, line)
}

// All returns the lines so far.
func (t *Transcript) All() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.lines)
}

// Of returns the lines so far that begin with one of the words.
func (t *Transcript) Of(words ...string) []string {
	return slices.DeleteFunc(t.All(), func(line string) bool {
		word, _, _ := strings.Cut(line, " ")
		return !slices.Contains(words, word)
	})
}
