package arena

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"
)

// TestFeedSamples: another process is told four times a second at most which matches are in play, with their moves
// and times, and at last that none is.
func TestFeedSamples(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := tournament(t, 2, TimeControl{Base: time.Minute, Startup: time.Second}, pace(), pace())
		tour.Concurrency, tour.Feed = 2, new(Feed)
		tour.Feed.Name("cup-2")
		events, stop := tour.Feed.Events()
		begun := time.Now()
		var told []InPlay
		done := make(chan struct{})
		go func() {
			defer close(done)
			for text := range events {
				var now InPlay
				if err := json.Unmarshal(text, &now); err != nil {
					t.Error(err)
				}
				told = append(told, now)
			}
		}()
		kept, _ := tableRun(t, tour)
		took := time.Since(begun)
		time.Sleep(2 * sampleEvery)
		stop()
		<-done
		if most := int(took/sampleEvery) + 2; len(told) < 4 || len(told) > most {
			t.Fatalf("%d samples in %v", len(told), took)
		}
		if last := told[len(told)-1]; last.Count != 0 || len(last.Matches) != 0 {
			t.Errorf("after the end: %+v", last)
		}
		for _, m := range told[1].Matches {
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
		if told[1].Tournament != "cup-2" || told[1].Count != 2 || len(told[1].Matches) != 2 {
			t.Errorf("in play: %+v", told[1])
		}
	})
}
