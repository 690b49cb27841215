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
	stopped atomic.Bool
}

func (b *sulky) Stop(grace time.Duration) {
	b.stopped.Store(true)
	b.Bot.Stop(grace)
}

func (b *sulky) Log() (end []byte, left int64) {
	if b.stopped.Load() {
		return []byte("reading the book\nBrokenPipeError: [Errno 32] Broken pipe\n"), 0
	}
	return []byte("reading the book\n"), 0
}

// Launch starts the bot.
func (b *sulky) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	var err error
	b.Bot, err = inMemory(func(in io.Reader, _ io.Writer) { _, _ = io.Copy(io.Discard, in) }).Launch(ctx, n)
	return b, err
}

// TestSlowStartQuotes: the reason of a start that took too long quotes what the bot
// wrote until then, and not what it wrote because it was stopped. The record has both.
func TestSlowStartQuotes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := guest.NewSpawner(nil)
		defer n.Close()
		_, err := guest.Start(t.Context(), &guest.Entry{Name: "b", Launcher: new(sulky)}, "", time.Second, n, guest.Session{})
		start := new(guest.StartError)
		if !errors.As(err, &start) || !strings.HasSuffix(start.Reason, "; it wrote: reading the book") {
			t.Fatalf("it did not start: %v", err)
		}
		if !strings.Contains(string(start.Talk.Stderr), "BrokenPipeError") {
			t.Errorf("the record has %q", start.Talk.Stderr)
		}
	})
}

// ended is a bot that has ended before it is greeted.
type ended struct{ guest.Bot }

func (ended) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// Launch starts the bot.
func (b ended) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	var err error
	b.Bot, err = inMemory(func(_ io.Reader, out io.Writer) { _, _ = io.WriteString(out, "no book\n") }).Launch(ctx, n)
	return b, err
}

// TestEndedAtOnce: what a bot said is known even if it had ended before it was greeted.
func TestEndedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := guest.NewSpawner(nil)
		defer n.Close()
		_, err := guest.Start(t.Context(), &guest.Entry{Name: "b", Launcher: ended{}}, "", time.Minute, n, guest.Session{})
		start := new(guest.StartError)
		if !errors.As(err, &start) || start.Reason != "it exited or closed its standard input or output; it said «no book»; expected mbiok" {
			t.Errorf("it did not start: %v", err)
		}
	})
}
