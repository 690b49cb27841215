package arena

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestFeedInPlay: a feed tells which matches are in play, with their moves and times, and at last that none is.
func TestFeedInPlay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := tournament(t, 2, TimeControl{Base: time.Minute, Startup: time.Second}, pace(), pace())
		tour.Concurrency, tour.Feed = 2, new(Feed)
		tour.Feed.Name("cup-2")
		var during InPlay
		time.AfterFunc(300*time.Millisecond, func() { during, _ = tour.Feed.InPlay() })
		kept, _ := tableRun(t, tour)
		if now, _ := tour.Feed.InPlay(); now.Count != 0 || len(now.Matches) != 0 {
			t.Errorf("after the end: %+v", now)
		}
		for _, m := range during.Matches {
			want := kept.records[m.Key].Moves[:len(m.Moves)]
			for i := range want {
				if m.Moves[i] != want[i] {
					t.Errorf("match %d: move %d is %q, want %q", m.Slot, i+1, m.Moves[i], want[i])
				}
			}
			if len(m.Moves) == 0 || m.Left == [2]time.Duration{} || m.Moved.Before(m.At) {
				t.Errorf("match %d: %+v", m.Slot, m)
			}
		}
		if during.Tournament != "cup-2" || during.Count != 2 || len(during.Matches) != 2 {
			t.Errorf("in play: %+v", during)
		}
	})
}
