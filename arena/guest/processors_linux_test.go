package guest

import (
	"context"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"sembra/arena/sandbox"
)

// startsOn keeps the processors on which a bot starts.
type startsOn []int

func (s *startsOn) Launch(context.Context, *Spawner) (Bot, error) {
	*s = AllowedProcessors()
	return new(scripted), nil
}

// TestThread: the thread of a table runs where its bots run, and later ones start there, but not the init of a sandbox.
func TestThread(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread() // the thread ends with the test
	allowed := AllowedProcessors()
	if len(allowed) < 2 {
		t.Skip("this program may use one processor only")
	}
	at := newPinnings(AutoProcessors, 1, allowed, make(claims).claim)[0]
	_, players := pair()
	for _, want := range [][]int{allowed, allowed[:1]} {
		at.Begin(players)
		if on := AllowedProcessors(); !slices.Equal(on, want) {
			t.Errorf("it runs on %v, want %v", on, want)
		}
		for _, start := range []struct {
			bot  string
			in   *sandbox.Sandbox
			want []int
		}{{"0", sandbox.None(), want}, {"0", new(sandbox.Sandbox), allowed}, {"new", sandbox.None(), allowed}} {
			var saw startsOn
			e := &Entry{Name: start.bot, Launcher: &saw}
			_, on, err := at.launch(t.Context(), e, &Spawner{spawned: &spawned{sandbox: start.in}})
			if err != nil || !slices.Equal(saw, start.want) || (on == nil) != slices.Equal(start.want, allowed) {
				t.Errorf("%s starts on %v, want %v, and is bound to %v; %v", start.bot, saw, start.want, on, err)
			}
		}
		at.End("0", time.Second, time.Second)
		at.End("1", time.Second, time.Second)
	}
	at.Begin([2]*Player{players[0], {Entry: &Entry{Name: "new"}, Bot: new(scripted)}})
	if on := AllowedProcessors(); !slices.Equal(on, allowed) {
		t.Errorf("beside a bot that has not played, it runs on %v", on)
	}
}

// TestClaims: what one has claimed, nobody else gets before it is given back.
func TestClaims(t *testing.T) {
	t.Parallel()
	n := 1<<20 + os.Getpid() // no machine has it
	release, first := claimProcessor(n)
	if _, second := claimProcessor(n); !first || second {
		t.Fatalf("claimed at first: %v, and again: %v", first, second)
	}
	release()
	if release, again := claimProcessor(n); !again {
		t.Error("it is not free again")
	} else {
		release()
	}
}
