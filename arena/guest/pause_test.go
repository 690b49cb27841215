package guest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"sembra/engine/expect"
)

const ms = time.Millisecond

// scripted is a bot in memory that notes what is done with it.
type scripted struct {
	Bot
	paused    bool
	at        time.Time // of meanwhile
	meanwhile func()
	on        []int // the processors to which it was bound last
}

func (b *scripted) Pause()                            { b.paused = true }
func (b *scripted) Resume()                           { b.paused = false }
func (b *scripted) SetDeadline(time.Time)             { b.meanwhile = nil }
func (b *scripted) DuringRead(at time.Time, f func()) { b.at, b.meanwhile = at, f }
func (b *scripted) CPU() (time.Duration, bool)        { return 0, false }
func (b *scripted) Bind(processors []int)             { b.on = slices.Clone(processors) }

// pair returns the players of two such bots, who meet.
func pair() (bots [2]*scripted, players [2]*Player) {
	for i := range bots {
		bots[i] = new(scripted)
		players[i] = &Player{Entry: &Entry{Name: fmt.Sprint(i)}, Bot: bots[i], slow: 1}
	}
	players[0].Opponent, players[1].Opponent = players[1], players[0]
	return bots, players
}

// TestPause: each bot runs when it is asked. The other one is frozen then: before the clock starts if one of them was
// slow lately, else after a millisecond.
func TestPause(t *testing.T) {
	t.Parallel()
	const fast, slow = 100 * time.Microsecond, 5 * ms
	none, all := "", "before"
	for _, test := range []struct {
		name  string
		took  []time.Duration // for the answers of both in turn
		other []string        // when the other one is frozen at each question
	}{
		{"instant bots", []time.Duration{fast, fast, fast, fast}, []string{all, all, none, none}},
		{"slow from the start", []time.Duration{slow, slow, slow}, []string{all, all, all}},
		{"one is slow", []time.Duration{fast, slow, fast, slow}, []string{all, all, all, all}},
		{
			"slow once", slices.Concat(slices.Repeat([]time.Duration{fast}, 4), []time.Duration{slow},
				slices.Repeat([]time.Duration{fast}, 18)),
			slices.Concat([]string{all, all, none, none, "meanwhile"}, slices.Repeat([]string{all}, 16), []string{none, none}),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				bots, players := pair()
				var other []string
				for n, took := range test.took {
					seat, when := n%2, none
					players[seat].Wake()
					if bots[1-seat].paused {
						when = all
					}
					players[seat].Await(time.Now(), time.Minute)
					if f := bots[seat].meanwhile; f != nil && took >= time.Until(bots[seat].at) {
						when = "meanwhile"
						f()
					}
					time.Sleep(took)
					if bots[seat].paused {
						t.Errorf("question %d: who is asked is frozen", n)
					}
					players[seat].NoteAnswerTime(took, true)
					other = append(other, when)
				}
				expect.Equal(t, "the other one is frozen", test.other, other)
			})
		})
	}
}

// TestAlone: a bot without an opponent, or whose opponent may think on, freezes nobody.
func TestAlone(t *testing.T) {
	t.Parallel()
	bots, players := pair()
	players[0].Opponent = nil
	players[0].Freeze()
	players[0].Wake()
	players[0].Await(time.Now(), time.Minute)
	if bots[0].paused || bots[0].meanwhile != nil || bots[1].paused {
		t.Errorf("it is frozen: %v, and the other one: %v", bots[0].paused, bots[1].paused)
	}
}

// TestMeanwhile: a wait that lasts does once what was set, and waits on. A new deadline forgets that.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	n := NewSpawner(nil)
	defer n.Close()
	bot, err := Command{Args: []string{"cat"}, Env: CleanEnvironment()}.Launch(context.Background(), n)
	if err != nil {
		t.Skip(err)
	}
	defer bot.Stop(0)
	for _, test := range []struct {
		name   string
		at     time.Duration
		answer bool
		again  bool // the deadline is set once more
		calls  int
	}{
		{"an answer before", time.Minute, true, false, 0},
		{"a wait", ms, false, false, 1},
		{"after the deadline", time.Minute, false, false, 0},
		{"another wait", ms, false, true, 0},
	} {
		calls, patience := 0, 30*ms
		if test.answer {
			patience = 2 * time.Minute
			expect.Value(io.WriteString(bot, "x"))
		}
		bot.SetDeadline(time.Now().Add(patience))
		bot.DuringRead(time.Now().Add(test.at), func() { calls++ })
		if test.again {
			bot.SetDeadline(time.Now().Add(patience))
		}
		_, err := bot.Read(make([]byte, 1))
		if late := errors.Is(err, os.ErrDeadlineExceeded); late == test.answer || calls != test.calls {
			t.Errorf("%s: %d calls, %v", test.name, calls, err)
		}
	}
}
