package arena

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sembra/arena/guest"
	"sembra/results"
)

// TestNoIdleBotsAfterAShortage: when the runner cannot start a process, the idle ones are ended, and no more are kept.
func TestNoIdleBotsAfterAShortage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &counted{Launcher: scripted{}, fail: func(start int) bool { return start == 3 }}
		c := &counted{Launcher: scripted{}}
		tour := tournament(t, 2, unclocked(), scripted{}, b, c)
		tour.Entries[1].Restart = true // so that each of its matches starts it
		kept, _ := tableRun(t, tour)
		settle()
		// The pairings are b-c, a-b, c-a, and each has two matches; then the same again.
		if len(kept.voids) != 1 || c.starts.Load() != 1+1+1+1+1 {
			t.Errorf("void %v; %d starts of c, want the try, one before and one after the shortage, and two for later pairings",
				kept.voids, c.starts.Load())
		}
	})
}

// TestFaultsOfIdleBots: what a bot does while it is idle is a fault in its next match.
func TestFaultsOfIdleBots(t *testing.T) {
	t.Parallel()
	after := func(do func(q *question)) guest.Launcher {
		return scripted{Line: func(q *question, line string) bool {
			if strings.HasPrefix(line, "endmatch") && q.Match == 2 {
				do(q)
			}
			return false
		}}
	}
	for _, test := range []struct {
		name string
		bot  guest.Launcher

		faults int // one at the third match of each process
		what   string
	}{
		{"exits", after(func(*question) { runtime.Goexit() }), 2, "exited or closed"},
		{"writes", after(func(q *question) { q.Say("bestmove A") }), 0, ""}, // passed over before readyok
		{"writes too much", after(func(q *question) { q.Say("%s", strings.Repeat("x", 100<<10)) }), 2, "line"},
	} {
		inBubble(t, test.name, func(t *testing.T) {
			other := scripted{Answer: thinks(ms)}
			tour := tournament(t, 1, unclocked(), test.bot, other, other, other)
			_, told := tableRun(t, tour)
			var faults []string
			for _, e := range of[MatchEnded](told) {
				if e.Record.Fault == results.NoFault {
					continue
				}
				what := whatOf(e.Record)
				if e.Record.FaultName() != "a" || e.Record.Ending != results.EndStart || !strings.Contains(what, test.what) {
					t.Errorf("%s loses by %v: %s", e.Record.FaultName(), e.Record.Ending, what)
				}
				faults = append(faults, fmt.Sprint(e.Record.Key))
			}
			// It plays three pairings of two matches. After a fault it is started again.
			if len(faults) != test.faults {
				t.Errorf("faults in %v, want %d", faults, test.faults)
			}
		})
	}
}

// TestIdleBotsAreStopped: no process of an idle bot runs while others play.
func TestIdleBotsAreStopped(t *testing.T) {
	t.Parallel()
	pondering(t, func(t *testing.T, mode string, c guest.Command, mark string, processes int) {
		// The pairings are b-c, a-b and c-a. Bot c is idle in the second.
		looked := make(map[bool]bool)
		second := false
		a := asked(inFolder(t, "first"), func() { second = true })
		b := asked(inFolder(t, "first"), func() {
			if !looked[second] {
				seeStopped(t, mark, processes, second)
			}
			looked[second] = true
		})
		tour := tournament(t, 1, unclocked(), a, b, c)
		tour.Isolation = isolation(mode)
		kept, _ := tableRun(t, tour)
		noFault(t, kept)
		if !looked[false] || !looked[true] {
			t.Errorf("bot c was not seen in both pairings: %v", looked)
		}
		nobodyLeft(t, mark)
	})
}

// heldMemory is what the bot "holds memory" holds, in bytes.
const heldMemory = 48 << 20

// TestMemoryOfABot: the runner sees what a bot holds, in a sandbox and without one.
func TestMemoryOfABot(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process is not known on this system")
	}
	for _, mode := range []string{NoIsolation, AutoIsolation} {
		t.Run(mode, func(t *testing.T) {
			n, _, err := Isolate(t.Context(), isolation(mode), nil)
			must(t, err)
			defer n.Close()
			entry := &guest.Entry{Name: "a", Launcher: inFolder(t, "holds memory")}
			bot := must2(guest.Start(t.Context(), entry, "", time.Minute, n, guest.Session{}))
			defer bot.Bot.Stop(0)
			if bytes, known := bot.Bot.Memory(); !known || bytes < heldMemory || bytes > 4*heldMemory {
				t.Errorf("it holds %d bytes (known: %v), want about %d", bytes, known, heldMemory)
			}
		})
	}
}
