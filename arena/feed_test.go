package arena

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// pace is a bot that takes 10 ms over each move and says a score.
func pace() scripted {
	return scripted{Answer: func(q *question) string {
		time.Sleep(10 * ms)
		q.Say("info depth 1 score %d", q.Ply)
		return q.Any()
	}}
}

// TestFeedInPlay: a feed tells which matches are in play, with their moves and times, and at last that none is.
func TestFeedInPlay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := tournament(t, 2, TimeControl{Base: time.Minute, Startup: time.Second}, pace(), pace())
		tour.Concurrency, tour.Feed = 2, &Feed{Tournament: "cup-2"}
		var during InPlay
		time.AfterFunc(300*time.Millisecond, func() { during, _ = tour.Feed.InPlay() })
		kept, _ := tableRun(t, tour)
		if now, _ := tour.Feed.InPlay(); now.Count != 0 || len(now.Matches) != 0 {
			t.Errorf("after the end: %+v", now)
		}
		for _, m := range during.Matches {
			for i, ply := range m.Plies {
				equal(t, fmt.Sprintf("match %d, ply %d", m.Number, i+1), kept.records[m.Key].Moves[i], ply.Token)
			}
			if len(m.Plies) == 0 || m.Plies[0].Left == [2]time.Duration{} || m.Moved.Before(m.At) {
				t.Errorf("match %d: %+v", m.Number, m)
			}
		}
		if during.Tournament != "cup-2" || during.Count != 2 || len(during.Matches) != 2 {
			t.Errorf("in play: %+v", during)
		}
	})
}

// TestFeedForgets: a match that was stopped or is void is not in play any more, and another one is then the longest.
func TestFeedForgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := tournament(t, 2, unclocked(), pace(), &counted{Launcher: pace(), fail: func(start int) bool { return start == 2 }})
		tour.Feed = new(Feed)
		var first time.Time
		time.AfterFunc(1900*ms, func() {
			now, _ := tour.Feed.InPlay()
			if first = now.First; now.Longest == nil || now.Count != 1 || now.Longest.Number != now.Matches[0].Number || first.After(now.Longest.At) {
				t.Errorf("the longest is %+v of %+v", now.Longest, now)
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		void := 0
		err := tour.Play(ctx, nil, new(log), func(e Event) {
			if e.MatchVoid != nil {
				void++
			}
		})
		settle()
		if now, _ := tour.Feed.InPlay(); now.Longest != nil || !now.First.Equal(first) || void == 0 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v is in play after the end, %d matches are void, %v", now.Longest, void, err)
		}
	})
}
