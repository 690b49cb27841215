package arena

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"sync/atomic"
	"time"
)

// cutter cuts lines after some bytes, as fgets does in C.
type cutter struct {
	in   *bufio.Reader
	size int
	read int // of the line
}

func (c *cutter) Read(b []byte) (int, error) {
	one, err := c.in.ReadByte()
	if err != nil {
		return 0, err
	}
	b[0] = one
	if c.read++; one == '\n' {
		c.read = 0
	}
	if c.read < c.size || len(b) == 1 {
		return 1, nil
	}
	c.read, b[1] = 0, '\n'
	return 2, nil
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

// onlyOnce is a bot of which each process answers a line only once.
func onlyOnce(line string) Launcher {
	return memory(func(in io.Reader, out io.Writer) {
		heard := false
		fake{line: func(_ *question, said string) bool {
			again := said == line && heard
			heard = heard || said == line
			return again
		}}.run(in, out)
	})
}

// onlyTheFirst does something at the first question, also if the bot starts anew.
func onlyTheFirst(do func(*question)) func(*question) {
	var done atomic.Bool
	return func(q *question) {
		if !done.Swap(true) {
			do(q)
		}
	}
}

// pondering is a launcher of bots that never rest.
type pondering struct{ Launcher }

func (p pondering) Launch(ctx context.Context, n *Nursery) (Bot, error) {
	b, err := p.Launcher.Launch(ctx, n)
	return restless{b, time.Now()}, err
}

type restless struct {
	Bot
	begun time.Time
}

func (r restless) CPU() (time.Duration, bool) { return time.Since(r.begun), true }

// idlers is a launcher of bots that use no processor time.
type idlers struct{ Launcher }

func (i idlers) Launch(ctx context.Context, n *Nursery) (Bot, error) {
	b, err := i.Launcher.Launch(ctx, n)
	return idler{b}, err
}

type idler struct{ Bot }

func (idler) CPU() (time.Duration, bool) { return 0, true }

// keeper is a buffer that is flushed after all lines but those with a bestmove.
type keeper struct {
	io.Writer
	kept []byte
}

func (k *keeper) Write(b []byte) (int, error) {
	if k.kept = append(k.kept, b...); bytes.Contains(b, []byte("bestmove")) {
		return len(b), nil
	}
	_, err := k.Writer.Write(k.kept)
	k.kept = nil
	return len(b), err
}
