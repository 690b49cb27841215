package guest

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

const ms = time.Millisecond

// scripted is a bot whose times a test sets.
type scripted struct {
	Bot
	below  float64       // of one processor, in the processes below its first one
	works  float64       // the part of the time for which it works
	tidies time.Duration // or how long after each turn
	begun  time.Time
	used   time.Duration // until then
	paused bool
	every  bool  // each of its threads was stopped
	wakes  bool  // it works although it is paused
	breeds bool  // it begins processes all the time, which its clock misses
	newest int64 // the process that it has begun last
	on     []int // the processors to which it was bound last
}

func (b *scripted) CPU() (time.Duration, bool) {
	since := time.Since(b.begun)
	if b.paused && !b.wakes {
		since = 0
	}
	return b.used + min(since, b.tidies) + time.Duration(b.works*float64(since)), true
}

func (b *scripted) Pause(every bool) {
	b.used, _ = b.CPU()
	b.paused, b.every, b.begun = true, every, time.Now()
}

func (b *scripted) Resume()               { b.used, _ = b.CPU(); b.paused, b.begun = false, time.Now() }
func (b *scripted) Bind(processors []int) { b.on = slices.Clone(processors) }

// Used counts the rest of the bot only if its first process is not enough.
func (b *scripted) Used(enough time.Duration) (used time.Duration, newest int64, known bool) {
	if newest = b.newest; b.breeds {
		newest = time.Now().UnixNano()
	}
	if used, known = b.CPU(); used <= enough {
		used += time.Duration(b.below * float64(time.Since(b.begun)))
	}
	return used, newest, known
}

// pair returns the players of two such bots.
func pair() (bots [2]*scripted, players [2]*Player) {
	for i := range bots {
		bots[i] = &scripted{begun: time.Now()}
		players[i] = &Player{Entry: &Entry{Name: fmt.Sprint(i)}, Bot: bots[i]}
	}
	return bots, players
}

// freezes returns a freezer that looks after players until the test ends.
func freezes(t *testing.T, pause Pause, players [2]*Player) *Freezer {
	f := NewFreezer(pause)
	for _, p := range players {
		f.Add(p)
	}
	quit := make(chan struct{})
	t.Cleanup(func() { close(quit) })
	go f.Watch(quit)
	return f
}

// TestFreezing: while South is to move, North is frozen if it works more than it may,
// and from then on whenever it waits.
func TestFreezing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		pause  Pause
		works  float64 // of one processor
		below  float64 // of another one, below its first process
		tidies time.Duration
		turn   time.Duration
		turns  int
		breeds bool
		frozen bool
	}{
		{name: "quiet", pause: AutomaticPause, turn: time.Minute, turns: 2},
		{name: "many threads", pause: AutomaticPause, works: 60, turn: 15 * ms, turns: 1, frozen: true},
		{name: "one thread", pause: AutomaticPause, works: 1, turn: 30 * ms, turns: 1, frozen: true},
		{name: "one thread in short turns", pause: AutomaticPause, works: 1, turn: 5 * ms, turns: 8, frozen: true},
		{name: "one thread in turns as long as a look", pause: AutomaticPause, works: 1, turn: 15 * ms, turns: 4, frozen: true},
		{name: "not yet", pause: AutomaticPause, works: 1, turn: 9 * ms, turns: 1},
		{name: "it tidies up", pause: AutomaticPause, tidies: ms, turn: 3 * ms, turns: 5000},
		{name: "it tidies up in long turns", pause: AutomaticPause, tidies: 9 * ms, turn: 40 * ms, turns: 500},
		{name: "a timer in a long turn", pause: AutomaticPause, works: 0.04, turn: 5 * time.Minute, turns: 2},
		{name: "much in a long turn", pause: AutomaticPause, works: 0.07, turn: 5 * time.Minute, turns: 1, frozen: true},
		{
			name: "below a process that may work", pause: AutomaticPause, works: 0.02, below: 0.5,
			turn: 5 * time.Minute, turns: 1, frozen: true,
		},
		{name: "its clock misses its children", pause: AutomaticPause, breeds: true, turn: 30 * ms, turns: 1, frozen: true},
		{name: "it does in short turns", pause: AutomaticPause, breeds: true, turn: 5 * ms, turns: 8, frozen: true},
		{name: "allowed", pause: NeverPause, works: 60, turn: time.Minute, turns: 1},
		{name: "always frozen", pause: AlwaysPause, turn: ms, turns: 1, frozen: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				bots, players := pair()
				north := bots[1]
				north.works, north.below, north.tidies, north.breeds = test.works, test.below, test.tidies, test.breeds
				f := freezes(t, test.pause, players)
				for range test.turns {
					north.Resume() // its turn has just ended
					f.Turn(players, 0)
					time.Sleep(test.turn)
					synctest.Wait()
					f.Turn(players, 1)
				}
				found := test.frozen && test.pause == AutomaticPause
				if players[1].Works() != found || players[0].Works() {
					t.Errorf("who works: South %v, North %v", players[0].Works(), players[1].Works())
				}
				if north.paused || bots[0].paused != (test.pause == AlwaysPause) {
					t.Errorf("at North's turn South is frozen: %v, North: %v", bots[0].paused, north.paused)
				}
				f.Turn(players, 0)
				if north.paused != test.frozen || north.every != found {
					t.Errorf("whether it is frozen from now on: %v, with every thread: %v", north.paused, north.every)
				}
				// In the next match it has another process.
				bots, players = pair()
				f.Add(players[0])
				f.Add(players[1])
				f.Turn(players, 0)
				if bots[1].paused != test.frozen || players[1].Works() {
					t.Errorf("whether another process of it is frozen: %v", bots[1].paused)
				}
			})
		})
	}
}

// TestFirstLook: a bot that begins to work after a short turn is frozen at the first look, though the clock was read
// before that turn.
func TestFirstLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bots, players := pair()
		north := bots[1]
		f := freezes(t, AutomaticPause, players)
		for range 2 {
			f.Turn(players, 0)
			time.Sleep(15 * ms)
			synctest.Wait()
			f.Turn(players, 1)
		}
		north.Resume()
		north.works = 60
		f.Turn(players, 0)
		time.Sleep(readEvery + ms)
		synctest.Wait()
		if !north.paused {
			t.Error("it is not frozen after one look")
		}
	})
}

// TestOwnTurn: what a bot does in its own turn, such as to start a process or to use all processors, does not count,
// though the clock was read before that turn. What it does later counts.
func TestOwnTurn(t *testing.T) {
	t.Parallel()
	for turn := ms; turn < 10*ms; turn += 2 * ms {
		for wait := 5 * ms; wait < 60*ms; wait += 3 * ms {
			synctest.Test(t, func(t *testing.T) {
				bots, players := pair()
				north := bots[1]
				f := freezes(t, AutomaticPause, players)
				exchange := func(works float64) {
					north.Resume()
					north.works = works
					north.newest++ // begun in its turn
					f.Turn(players, 0)
					time.Sleep(wait)
					synctest.Wait()
					north.Resume()
					north.works = float64(runtime.NumCPU())
					f.Turn(players, 1)
					time.Sleep(turn)
					synctest.Wait()
				}
				for range 5 {
					exchange(0)
				}
				if players[1].Works() {
					t.Errorf("after turns of %v and waits of %v it works", turn, wait)
				}
				for range 50 {
					exchange(1)
				}
				if wait > 12*ms && !players[1].Works() {
					t.Errorf("after turns of %v and working waits of %v it does not work", turn, wait)
				}
			})
		}
	}
}

// TestSettle: a match does not begin before a bot that works is frozen, though nobody watches, and begins at once
// beside a quiet one.
func TestSettle(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		works  float64
		waits  time.Duration // before Settle is called
		frozen bool
		within time.Duration
	}{
		{works: 2, waits: 2 * ms, frozen: true, within: 5 * ms},
		{works: 240, waits: 2 * ms, frozen: true},
		{works: 2},
		{works: 0.3, waits: 2 * ms},
		{waits: 2 * ms},
	} {
		synctest.Test(t, func(t *testing.T) {
			bots, players := pair()
			f := NewFreezer(AutomaticPause)
			for _, p := range players {
				f.Add(p)
			}
			f.Turn(players, 1)
			bots[0].Resume()
			bots[0].works = test.works
			time.Sleep(test.waits)
			begun := time.Now()
			f.Settle(players[0])
			took := time.Since(begun)
			if bots[0].paused != test.frozen || players[0].Works() != test.frozen || took > test.within {
				t.Errorf("%+v: frozen %v after %v", test, bots[0].paused, took)
			}
		})
	}
}

// TestEvading: a bot that keeps working although it is frozen is frozen again, and found when it has done so twice.
func TestEvading(t *testing.T) {
	t.Parallel()
	for _, wakes := range []bool{true, false} {
		testEvading(t, wakes, 100*ms)
		testEvading(t, wakes, 45*ms)
	}
}

func testEvading(t *testing.T, wakes bool, length time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		bots, players := pair()
		north := bots[1]
		north.wakes, north.works = wakes, 1
		f := freezes(t, AlwaysPause, players)
		for pause := range 3 {
			if north.every != (wakes && pause > 0) {
				t.Errorf("wakes %v, after %d pauses of %v each thread is stopped: %v", wakes, pause, length, north.every)
			}
			if evades := players[1].Evades() > 0; evades != (wakes && pause >= 2) {
				t.Errorf("wakes %v, after %d pauses of %v it evades: %v", wakes, pause, length, evades)
			}
			f.Turn(players, 0)
			time.Sleep(length)
			f.Turn(players, 1)
		}
	})
}
