package arena

import (
	"context"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"sembra/arena/guest"
)

// freezable is a launcher in memory whose bot tells whether it is frozen.
type freezable struct {
	guest.Bot
	starts func()
	frozen *atomic.Bool
}

func (f freezable) Launch(ctx context.Context, n *guest.Spawner) (b guest.Bot, err error) {
	f.starts()
	f.Bot, err = scripted{}.Launch(ctx, n)
	return f, err
}

func (f freezable) Pause()  { f.frozen.Store(true) }
func (f freezable) Resume() { f.frozen.Store(false) }

// TestFrozenAtAStart: of two bots that start for a match, one starts alone, and then is frozen until the other one is
// ready.
func TestFrozenAtAStart(t *testing.T) {
	t.Parallel()
	for _, slow := range []int{0, 1} {
		control := unclocked()
		control.Pause = true
		bots, starts := [2]freezable{{frozen: new(atomic.Bool)}, {frozen: new(atomic.Bool)}}, 0
		other := 0
		bots[1-slow].starts = func() { other++ }
		bots[slow].starts = func() {
			if starts++; starts == 1 { // this only tries
				return
			}
			time.Sleep(20 * ms) // in which the other one would start
			if first := slow == 0; first != (other == 1) || first == bots[1-slow].frozen.Load() {
				t.Error("the other bot runs while one starts")
			}
		}
		tableRun(t, tournament(t, 1, control, bots[0], bots[1]))
		if starts != 2 || bots[0].frozen.Load() || bots[1].frozen.Load() {
			t.Errorf("bot %d started %d times, at the end South is frozen: %v, North: %v",
				slow, starts, bots[0].frozen.Load(), bots[1].frozen.Load())
		}
	}
}

// TestSentAway: a bot that works after quit is killed soon, and so is one that has closed its standard output and
// stays. One that takes its time has it.
func TestSentAway(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{NoIsolation, AutoIsolation} {
		for name, exit := range map[string]string{
			"works when it is sent away": "", "closes its standard output": "", "leaves slowly": "exit status 4",
		} {
			t.Run(mode+" "+name, func(t *testing.T) {
				t.Parallel()
				if runtime.GOOS != "linux" {
					t.Skip("what a bot that runs has used is not known on this system")
				}
				spawner, _, err := Isolate(t.Context(), isolation(mode), nil)
				must(t, err)
				defer spawner.Close()
				bot, err := inFolder(t, name).Launch(t.Context(), spawner)
				must(t, err)
				bot.SetDeadline(time.Now().Add(time.Minute))
				must2(io.WriteString(bot, "mbi 1\n"))
				must2(bot.Read(make([]byte, 1)))
				before, _ := bot.CPU() // what it used to start does not count
				must2(io.WriteString(bot, "legal A\ngo\ngo\nquit\n"))
				begun, grace := time.Now(), guest.StopGrace
				if name == "closes its standard output" {
					grace = 0
					_, err = io.ReadAll(bot)
				}
				bot.Stop(grace)
				used, known := bot.CPU()
				long := known && used-before > guest.StopGrace/2 || grace == 0 && time.Since(begun) > 4*time.Second
				if err != nil || bot.Exit() != exit || long {
					t.Errorf("%q after %v, it used %v; %v", bot.Exit(), time.Since(begun), used, err)
				}
			})
		}
	}
}
