package arena

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"sembra/results"
)

// slow is a Recorder that needs a time for each transaction.
type slow struct {
	log
	takes  time.Duration
	groups [][]results.Key // what was put together
}

func (s *slow) Put(records []results.Record) error {
	time.Sleep(s.takes)
	var group []results.Key
	for _, r := range records {
		group = append(group, r.Key)
	}
	s.groups = append(s.groups, group)
	return s.log.Put(records)
}

// TestSlowDisk: matches are played while the disk writes, and are told of when they are stored.
func TestSlowDisk(t *testing.T) {
	t.Parallel()
	for _, concurrency := range []int{1, 3} {
		inBubble(t, fmt.Sprint(concurrency), func(t *testing.T) {
			const pairs, writing = 20, 10 * time.Millisecond
			tour := tournament(t, pairs, unclocked(), scripted{}, scripted{Answer: thinks(2 * ms)}, scripted{})
			tour.Concurrency = concurrency
			var play log
			begun := time.Now()
			must(t, tour.Play(t.Context(), nil, &play, func(Event) {}))
			playing := time.Since(begun)

			kept, told := &slow{takes: writing}, 0
			begun = time.Now()
			err := tour.Play(t.Context(), nil, kept, func(e Event) {
				if e.MatchEnded == nil {
					return
				}
				told++
				if _, stored := kept.records[e.MatchEnded.Record.Key]; !stored {
					t.Errorf("%v is told before it is stored", e.MatchEnded.Record.Key)
				}
			})
			must(t, err)
			equal(t, "at once and slowly", play.timeless(t, tour.Schedule()), kept.timeless(t, tour.Schedule()))
			if took := time.Since(begun); told != 6*pairs || took > playing+2*writing {
				t.Errorf("%d matches are told of; the run takes %v, but %v without writing", told, took, playing)
			}
			var numbers []int
			for _, key := range slices.Concat(kept.groups...) {
				number, _ := tour.Schedule().Number(key)
				numbers = append(numbers, number)
			}
			if concurrency == 1 && !slices.IsSorted(numbers) {
				t.Errorf("the matches are stored in the order %v", numbers)
			}
		})
	}
}

// numbered is the ending of a match of that pair.
func numbered(pair int) ending {
	key := results.Key{South: "a", North: "b", Pair: pair}
	return ending{ended: &MatchEnded{Record: results.Record{Summary: results.Summary{Key: key}}}}
}

// TestBacklogBounds: who adds an ending beyond the bound waits until there is room, and who adds a void or large one
// waits until it is dealt with.
func TestBacklogBounds(t *testing.T) {
	t.Parallel()
	fault, long, void := numbered(1), numbered(1), numbered(1)
	fault.ended.Record.Evidence = &results.Evidence{}
	long.ended.Record.Moves = make([]string, longMatch+1)
	void.ended, void.void = nil, new(MatchVoid)
	for name, test := range map[string]struct {
		ending ending
		added  int // until somebody has to wait
	}{
		"number": {numbered(1), mostWaiting / 2}, "fault": {fault, 0}, "long": {long, 0}, "void": {void, 0},
	} {
		inBubble(t, name, func(t *testing.T) {
			unstored, added := newBacklog(), 0
			go func() {
				for range test.added + 1 {
					unstored.add(test.ending)
					added++
				}
			}()
			time.Sleep(time.Hour)
			synctest.Wait()
			if added != test.added {
				t.Errorf("the one who adds waits after %d, want %d", added, test.added)
			}
			group := unstored.next(time.Now())
			if kept := group[0].kept; kept != nil {
				close(kept)
			}
			synctest.Wait()
			if want := max(1, test.added); len(group) != want || added != test.added+1 {
				t.Errorf("%d endings are there, want %d; then %d are added", len(group), want, added)
			}
		})
	}
}

// TestStoppedWhileWriting: when a run is stopped, all matches that have ended are
// stored, also those that wait for the disk.
func TestStoppedWhileWriting(t *testing.T) {
	t.Parallel()
	for _, concurrency := range []int{1, 3} {
		inBubble(t, fmt.Sprint(concurrency), func(t *testing.T) {
			var heard transcript
			slowly := scripted{Heard: &heard, Answer: thinks(3 * ms)}
			tour := tournament(t, 50, unclocked(), slowly, slowly)
			tour.Concurrency = concurrency
			ctx, stop := context.WithTimeout(t.Context(), 75*ms+ms/2)
			defer stop()
			kept := &slow{takes: 40 * ms}
			var told events
			if err := tour.Play(ctx, nil, kept, told.tell); err == nil {
				t.Error("the run was not stopped")
			}
			settle()
			ended := len(heard.Of("endmatch")) / 2
			tells := len(of[MatchEnded](told))
			if ended < 5 || len(kept.records) != ended || tells != ended {
				t.Errorf("%d matches have ended, %d are stored and %d told of", ended, len(kept.records), tells)
			}
			if len(kept.groups[len(kept.groups)-1]) < 2 {
				t.Errorf("no match waited when the run was stopped: %v", kept.groups)
			}
		})
	}
}
