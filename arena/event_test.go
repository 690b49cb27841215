package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
	"sembra/results"
)

// hear collects what a listener receives until it is closed.
func hear(l *Listener) (heard func() events) {
	var all events
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range l.C {
			all = append(all, e)
		}
	}()
	return func() events {
		<-done
		return all
	}
}

// pace is a bot that takes 10 ms over each move and says a score.
func pace() fake {
	return fake{answer: func(q *question) string {
		time.Sleep(10 * ms)
		q.say("info depth 1 score %d", q.ply)
		return q.any()
	}}
}

// TestFeedOrder: at any concurrency a listener hears the begin of each match,
// then each of its plies, then its end when the record is safe.
func TestFeedOrder(t *testing.T) {
	t.Parallel()
	for _, concurrency := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			tour := tournament(t, 2, TimeControl{Base: time.Minute, Increment: time.Second, Startup: time.Second}, pace(), pace(), pace())
			tour.Concurrency, tour.Feed = concurrency, new(Feed)
			l := tour.Feed.Listen(true)
			heard := hear(l)
			kept, told := tableRun(t, tour)
			l.Close()
			if n := len(of[Ply](told)) + len(of[MatchBegun](told)); n > 0 {
				t.Errorf("the run itself is told of %d beginnings and plies", n)
			}
			begun, plies, ended := make(map[int]bool), make(map[int]int), 0
			for _, e := range heard() {
				switch {
				case e.Missed > 0:
					t.Fatalf("%d events were missed", e.Missed)
				case e.MatchBegun != nil:
					if m := e.MatchBegun; begun[m.Slot] || m.Opening != startText || m.Moves != nil || m.At.IsZero() {
						t.Errorf("begun: %+v", m)
					}
					begun[e.MatchBegun.Slot] = true
				case e.Ply != nil:
					plies[e.Ply.Slot]++
					if !begun[e.Ply.Slot] || e.Ply.Number != plies[e.Ply.Slot] {
						t.Errorf("ply %d of match %d comes as number %d (begun: %v)", e.Ply.Number, e.Ply.Slot, plies[e.Ply.Slot], begun[e.Ply.Slot])
					}
				case e.MatchEnded != nil:
					ended++
					m := e.MatchEnded
					if plies[m.Slot] != m.Record.Plies || kept.records[m.Record.Key].Plies == 0 {
						t.Errorf("match %d ends after %d of %d plies", m.Slot, plies[m.Slot], m.Record.Plies)
					}
					plies[m.Slot] = 0
				}
			}
			if ended != len(kept.records) || ended != 12 {
				t.Errorf("%d matches ended, %d are recorded, 12 expected", ended, len(kept.records))
			}
		})
	}
}

// TestFeedPlies: the plies say what the record keeps, and the clocks and
// positions on the way.
func TestFeedPlies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		control := TimeControl{Base: time.Minute, Increment: time.Second, Startup: time.Second}
		tour := tournament(t, 1, control, pace(), pace())
		tour.Feed = new(Feed)
		l := tour.Feed.Listen(true)
		heard := hear(l)
		kept, _ := tableRun(t, tour)
		l.Close()
		first := kept.records[tour.Schedule().Key(1)]
		match, left := engine.NewMatch(tour.Rules, tour.Rules.Start()), [2]time.Duration{time.Minute, time.Minute}
		for _, p := range of[Ply](heard())[:first.Plies] {
			i, seat := p.Number-1, match.Position().Side()
			move, err := match.Find(p.Token)
			if err != nil {
				t.Fatal(err)
			}
			match.Play(move)
			if left[seat] -= p.Elapsed; match.Over() || match.Position().Side() != seat {
				left[seat] += time.Second
			}
			want := Ply{
				Slot: 1, Number: p.Number, Token: first.Moves[i], Position: engine.Text(tour.Rules, match.Position()),
				Elapsed: first.Elapsed[i], Left: left, Score: first.Scores[i],
			}
			if diff := cmp.Diff(want, p); diff != "" {
				t.Errorf("ply %d (-want +got)\n%s", p.Number, diff)
			}
		}
	})
}

// TestFeedLate: a later listener hears of the matches in play with their moves so
// far, and of no ply twice.
func TestFeedLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := tournament(t, 2, TimeControl{Base: time.Minute, Startup: time.Second}, pace(), pace())
		tour.Concurrency, tour.Feed = 2, new(Feed)
		var late func() events
		var l *Listener
		time.AfterFunc(101*ms, func() {
			l = tour.Feed.Listen(true)
			late = hear(l)
		})
		kept, _ := tableRun(t, tour)
		l.Close()
		moves := make(map[int][]string)
		all := late()
		for _, m := range of[MatchBegun](all) {
			moves[m.Slot] = m.Moves
			// A bot takes 10 ms over each move, and South moves first.
			played := time.Duration(len(m.Moves))
			want := [2]time.Duration{time.Minute - (played+1)/2*10*ms, time.Minute - played/2*10*ms}
			if played > 0 && m.Left != want {
				t.Errorf("match %d: %v are left after %d moves, want %v", m.Slot, m.Left, played, want)
			}
		}
		if len(moves[1]) == 0 || len(moves[3]) == 0 {
			t.Errorf("moves of the matches in play: %q and %q", moves[1], moves[3])
		}
		for _, p := range of[Ply](all) {
			moves[p.Slot] = append(moves[p.Slot], p.Token)
			if p.Number != len(moves[p.Slot]) {
				t.Fatalf("ply %d of match %d comes as number %d", p.Number, p.Slot, len(moves[p.Slot]))
			}
		}
		for slot := 1; slot <= 4; slot++ {
			if want := kept.records[tour.Schedule().Key(slot)].Moves; !slices.Equal(moves[slot], want) {
				t.Errorf("match %d: heard %q, want %q", slot, moves[slot], want)
			}
		}
	})
}

// TestFeedSlow: a listener that reads nothing delays no match. It is told with
// the next event how many it missed.
func TestFeedSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		took := func(feed *Feed) time.Duration {
			tour := tournament(t, 20, unclocked(), pace(), pace())
			tour.Feed = feed
			begun := time.Now()
			tableRun(t, tour)
			return time.Since(begun)
		}
		alone := took(nil)
		feed := new(Feed)
		deaf, without := feed.Listen(true), feed.Listen(false)
		heard := hear(without)
		if with := took(feed); with != alone {
			t.Errorf("it took %v with a listener that reads nothing, and %v without", with, alone)
		}
		without.Close()
		all := heard()
		if len(of[Ply](all)) > 0 || len(of[MatchBegun](all)) != 40 || len(of[MatchEnded](all)) != 40 {
			t.Errorf("without plies it hears %d plies, %d beginnings and %d ends",
				len(of[Ply](all)), len(of[MatchBegun](all)), len(of[MatchEnded](all)))
		}
		for range feedBuffer {
			if e := <-deaf.C; e.Missed > 0 {
				t.Fatalf("missed %d events before the buffer was full", e.Missed)
			}
		}
		feed.publish(Event{Isolated: new(Isolated)})
		if e := <-deaf.C; e.Isolated == nil || e.Missed == 0 {
			t.Errorf("the next event is %+v, and none was missed", e)
		}
		feed.publish(Event{Isolated: new(Isolated)})
		if e := <-deaf.C; e.Missed != 0 {
			t.Errorf("%d events were missed twice", e.Missed)
		}
		deaf.Close()
		deaf.Close()
		if _, open := <-deaf.C; open || feed.plies != 0 {
			t.Errorf("closed, and %d listeners want plies", feed.plies)
		}
	})
}

// TestFeedForgets: a match that was stopped or is void is not in play any more.
func TestFeedForgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := tournament(t, 2, unclocked(), pace(), &counted{Launcher: pace(), fail: func(start int) bool { return start == 2 }})
		tour.Feed = new(Feed)
		l := tour.Feed.Listen(false)
		heard := hear(l)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if err := tour.Run(ctx, nil, new(log), func(Event) {}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		settle()
		l.Close()
		var said []string
		for _, e := range heard() {
			switch {
			case e.MatchBegun != nil:
				said = append(said, fmt.Sprint("begun ", e.MatchBegun.Slot))
			case e.MatchVoid != nil:
				said = append(said, fmt.Sprint("void ", e.MatchVoid.Job.Slot))
			}
		}
		if len(said) < 3 || !slices.Equal(said[:3], []string{"begun 1", "void 1", "begun 1"}) {
			t.Errorf("heard %q", said)
		}
		if later := tour.Feed.Listen(true); len(later.C) > 0 || len(tour.Feed.inPlay) > 0 {
			t.Errorf("%d events of matches that are over", len(later.C))
		}
	})
}

// TestEventJSON: an event is the same after a way through JSON.
func TestEventJSON(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := tournament(t, 1, unclocked(), pace(), fake{answer: at(3, says("bestmove Q"))})
		tour.Feed = new(Feed)
		l := tour.Feed.Listen(true)
		heard := hear(l)
		tableRun(t, tour)
		l.Close()
		all := append(heard(),
			Event{Isolated: &Isolated{Line: "x", Less: true}, Missed: 3},
			Event{BotFailed: &BotFailed{Bot: "a", What: "b"}},
			Event{MatchVoid: &MatchVoid{Job{Key: results.Key{South: "a", North: "b", Pair: 1}, Slot: 4}, "x", true}})
		for _, e := range all {
			text, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			var back Event
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatal(err)
			}
			if ended := e.MatchEnded; ended != nil {
				if ended.Key != ended.Record.Key {
					t.Errorf("%s: the record is that of %v", text, ended.Record.Key)
				}
				said := *ended
				said.Record = results.Record{}
				e.MatchEnded = &said
			}
			if diff := cmp.Diff(e, back); diff != "" {
				t.Errorf("%s (-said +read)\n%s", text, diff)
			}
		}
	})
	text, err := json.Marshal(Event{Ply: &Ply{Slot: 2, Number: 1, Token: "A", Position: "p", Elapsed: time.Millisecond}})
	const want = `{"ply":{"slot":2,"number":1,"token":"A","position":"p","elapsed_ns":1000000}}`
	if err != nil || string(text) != want {
		t.Errorf("%s (%v), want %s", text, err, want)
	}
}
