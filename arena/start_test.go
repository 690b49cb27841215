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

	"github.com/google/go-cmp/cmp"

	"sembra/arena/guest"
	"sembra/engine"
	"sembra/results"
)

// TestOneDoesNotStart: the other bot wins against one that never gets ready.
func TestOneDoesNotStart(t *testing.T) {
	t.Parallel()
	silent := func(_ *question, _ string) bool { return true }
	for seat, fault := range []results.Fault{results.SouthFault, results.NorthFault} {
		t.Run(engine.Seat(seat).String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var heard transcript
				bots := [2]guest.Launcher{fake{heard: &heard}, fake{heard: &heard}}
				bots[seat] = fake{line: silent}
				rec, what := bout{south: bots[0], north: bots[1]}.play(t)
				want := results.Summary{
					Key:    results.Key{South: "a", North: "b", Pair: 1},
					Result: wonBy(engine.Seat(seat).Other()), Ending: results.EndStart, Fault: fault, Rounds: 1,
					Hash: results.MatchHash("awale", "a", "b", startText, nil), SouthCPU: -1, NorthCPU: -1,
				}
				if diff := cmp.Diff(want, rec.Summary); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				if diff := cmp.Diff([]results.Round{{Start: startText, Position: startText, Reason: "start"}}, rec.Body.Rounds); diff != "" {
					t.Errorf("rounds (-want +got)\n%s", diff)
				}
				name := string(rune('a' + seat))
				if !strings.HasPrefix(what, "bot "+name+" did not start: nothing at all came from it") {
					t.Errorf("said of it: %q", what)
				}
				if diff := cmp.Diff([]string{"endmatch win 0-0 start"}, heard.of("endmatch", "error", "go")); diff != "" {
					t.Errorf("the other was told (-want +got)\n%s", diff)
				}
			})
		})
	}
}

// sulky is a bot that never answers, and complains when it is stopped.
type sulky struct {
	*memoryBot
	stopped atomic.Bool
}

func (b *sulky) Stop(grace time.Duration) {
	b.stopped.Store(true)
	b.memoryBot.Stop(grace)
}

func (b *sulky) Log() (end []byte, left int64) {
	if b.stopped.Load() {
		return []byte("reading the book\nBrokenPipeError: [Errno 32] Broken pipe\n"), 0
	}
	return []byte("reading the book\n"), 0
}

// Launch starts the bot.
func (b *sulky) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	bot, err := memory(func(in io.Reader, _ io.Writer) { _, _ = io.Copy(io.Discard, in) }).Launch(ctx, n)
	b.memoryBot, _ = bot.(*memoryBot)
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
type ended struct{ *memoryBot }

func (ended) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// Launch starts the bot.
func (b ended) Launch(ctx context.Context, n *guest.Spawner) (guest.Bot, error) {
	bot, err := memory(func(_ io.Reader, out io.Writer) { _, _ = io.WriteString(out, "no book\n") }).Launch(ctx, n)
	b.memoryBot, _ = bot.(*memoryBot)
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
