package arena

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"sembra/arena/jail"
	"sembra/engine"
	"sembra/results"
)

// scripted is a bot whose times a test sets.
type scripted struct {
	memoryBot
	threads map[int]jail.Thread
	busy    bool
	burns   float64 // the part of the time for which it runs
	begun   time.Time
	paused  bool
	on      []int // the processors to which it was bound last
}

func (b *scripted) Threads() map[int]jail.Thread {
	if b.threads == nil {
		return map[int]jail.Thread{1: {Ran: time.Duration(b.burns * float64(time.Since(b.begun)))}}
	}
	all := make(map[int]jail.Thread)
	for number, thread := range b.threads {
		all[number] = thread
	}
	return all
}

func (b *scripted) Busy() bool            { return b.busy && !b.paused }
func (b *scripted) Pause()                { b.paused = true }
func (b *scripted) Resume()               { b.paused = false }
func (b *scripted) Bind(processors []int) { b.on = slices.Clone(processors) }

// pair returns the players of two such bots.
func pair() (bots [2]*scripted, players [2]*player) {
	for i := range bots {
		bots[i] = &scripted{begun: time.Now()}
		players[i] = &player{entry: &Entry{Name: fmt.Sprint(i)}, bot: bots[i]}
	}
	return bots, players
}

// TestBurning: while South is to move, North is stopped if it burns more than it
// may, and from then on whenever it waits.
func TestBurning(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		pause   Pause
		busy    bool    // right after its answer
		burns   float64 // of one processor
		turn    time.Duration
		stopped bool
	}{
		{"quiet", AutomaticPause, false, 0, time.Minute, false},
		{"busy at once", AutomaticPause, true, 60, 0, true},
		{"busy later", AutomaticPause, false, 60, 100 * ms, true},
		{"one thread", AutomaticPause, false, 1, 100 * ms, true},
		{"not yet", AutomaticPause, false, 60, 9 * ms, false},
		{"it tidies up", AutomaticPause, true, 0.4, 20 * ms, false},
		{"a timer in a long turn", AutomaticPause, false, 0.04, 5 * time.Minute, false},
		{"much in a long turn", AutomaticPause, false, 0.07, 5 * time.Minute, true},
		{"allowed", NeverPause, true, 60, time.Minute, false},
		{"always stopped", AlwaysPause, false, 0, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				bots, players := pair()
				north := bots[engine.North]
				north.busy, north.burns = test.busy, test.burns
				s := &seating{pause: test.pause, burners: new(burners)}
				quit := make(chan struct{})
				defer close(quit)
				go watch([]*seating{s}, quit)

				s.begin(players)
				s.ask(engine.South)
				time.Sleep(test.turn)
				synctest.Wait()
				if north.paused != test.stopped {
					t.Errorf("whether it is stopped: %v, want %v", north.paused, test.stopped)
				}
				found := test.stopped && test.pause == AutomaticPause
				if s.burnt != [2]bool{engine.North: found} {
					t.Errorf("who has burnt: %v", s.burnt)
				}
				s.ask(engine.North)
				if north.paused || bots[engine.South].paused != (test.pause == AlwaysPause) {
					t.Errorf("at North's turn South is stopped: %v, North: %v", bots[engine.South].paused, north.paused)
				}
				s.ask(engine.South)
				if north.paused != test.stopped {
					t.Errorf("whether it is stopped at its second wait: %v, want %v", north.paused, test.stopped)
				}
				s.end()
				if north.paused || bots[engine.South].paused {
					t.Error("a bot is stopped after the match")
				}
				// In the next match it has another process.
				bots, players = pair()
				s.begin(players)
				s.ask(engine.South)
				if bots[engine.North].paused != test.stopped || s.burnt != [2]bool{} {
					t.Errorf("whether another process of it is stopped: %v, want %v", bots[engine.North].paused, test.stopped)
				}
			})
		})
	}
}

// TestBurningBot: a bot with processes that burn is stopped while its opponent is
// to move, and the record says so. An honest bot is not.
func TestBurningBot(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the processor time of a bot's children is not known on this system")
	}
	for _, mode := range []IsolationMode{NoIsolation, AutoIsolation} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			mark := t.TempDir()
			control := unclocked()
			control.Pause = AutomaticPause
			opponent := asked{inFolder(t, "first"), func() {
				if len(alive(t, mark)) > 1 { // those that have only just begun may not be seen yet
					seeStopped(t, mark, 1+burningProcesses, true)
				}
			}}
			tour := tournament(t, 1, control, opponent, inFolder(t, "burns while it waits", testMarkVariable+"="+mark))
			tour.Isolation = isolation()
			tour.Isolation.Mode = mode
			kept, _ := tableRun(t, tour)
			burnt := 0
			for key, rec := range kept.records {
				by := map[string]bool{key.South: rec.SouthBurnt, key.North: rec.NorthBurnt}
				if rec.Fault != results.NoFault || by["a"] {
					t.Errorf("%v: ending %v, %s; burnt: %v", key, rec.Ending, rec.FaultName(), by)
				}
				if by["b"] {
					burnt++
				}
			}
			if burnt != 1 {
				t.Errorf("it is found in %d matches, want the first alone", burnt)
			}
			nobodyLeft(t, mark)
		})
	}
}
