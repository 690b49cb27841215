package arena

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"sembra/arena/guest"
)

// sulky is a bot that never answers, and complains when it is stopped.
type sulky struct {
	guest.Bot
	stopped *atomic.Bool
}

func (b sulky) Stop(grace time.Duration) {
	b.stopped.Store(true)
	b.Bot.Stop(grace)
}

func (b sulky) Stderr() (end []byte, left int64) {
	if b.stopped.Load() {
		return []byte("reading the book\nBrokenPipeError: [Errno 32] Broken pipe\n"), 0
	}
	return []byte("reading the book\n"), 0
}

// gone is a bot that has ended before it is greeted.
type gone struct{ guest.Bot }

func (gone) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// dressed is a launcher of bots that behave otherwise.
type dressed struct {
	inMemory
	as func(guest.Bot) guest.Bot
}

func (d dressed) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	b, err := d.inMemory.Launch(ctx, n)
	return d.as(b), err
}

// TestFailedStarts: the reason of a start that took too long quotes what the bot wrote until then, and not what it wrote
// because it was stopped; the record has both. What a bot said is known even if it had ended before it was greeted.
func TestFailedStarts(t *testing.T) {
	t.Parallel()
	silent := func(in io.Reader, _ io.Writer) { _, _ = io.Copy(io.Discard, in) }
	speaks := func(_ io.Reader, out io.Writer) { _, _ = io.WriteString(out, "no book\n") }
	for _, test := range []struct {
		bot            dressed
		reason, stderr string // the ends
	}{
		{
			dressed{silent, func(b guest.Bot) guest.Bot { return sulky{b, new(atomic.Bool)} }},
			"; it wrote: reading the book", "BrokenPipeError: [Errno 32] Broken pipe\n",
		},
		{
			dressed{speaks, func(b guest.Bot) guest.Bot { return gone{b} }},
			"it exited or closed its standard input or output; it said «no book»; expected mbiok", "",
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := guest.NewSpawner(nil)
			defer n.Close()
			_, err := guest.Start(t.Context(), &guest.Entry{Name: "b", Launcher: test.bot}, "", time.Second, n, guest.Session{})
			start := new(guest.StartError)
			if !errors.As(err, &start) || !strings.HasSuffix(start.Reason, test.reason) {
				t.Fatalf("it did not start: %v", err)
			}
			if !strings.HasSuffix(string(start.Talk.Stderr), test.stderr) {
				t.Errorf("the record has %q", start.Talk.Stderr)
			}
		})
	}
}
