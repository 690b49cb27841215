package arena

import (
	"fmt"
	"slices"
	"testing"

	"sembra/arena/guest"
	"sembra/results"
)

// tableRun plays all matches of a tournament at one table.
func tableRun(t *testing.T, tour *Run) (*log, events) {
	t.Helper()
	kept, told, err := run(t, tour)
	if err != nil {
		t.Error(err)
	}
	return kept, told
}

// TestReplaced: a bot at fault gets a new process for its next match, and the other bot keeps its process.
func TestReplaced(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"bestmove Q", "bestmove", "", "exit"} {
		inBubble(t, fault, func(t *testing.T) {
			bad := &counted{}
			bad.Launcher = scripted{Answer: func(q *question) string {
				if bad.starts.Load() > 2 { // the first only tries, the second plays
					return q.First()
				}
				if fault == "exit" {
					return closesOutput(q)
				}
				return fault
			}}
			good := &counted{Launcher: scripted{}}
			kept, _ := tableRun(t, tournament(t, 2, unclocked(), bad, good))
			var faults []results.Fault
			for _, r := range kept.timeless(t, allPlayAll([]string{"a", "b"}, 2)) {
				faults = append(faults, r.Fault)
			}
			if want := []results.Fault{results.SouthFault, 0, 0, 0}; !slices.Equal(faults, want) {
				t.Errorf("faults %v, want %v", faults, want)
			}
			if bad.starts.Load() != 3 || good.starts.Load() != 2 {
				t.Errorf("%d and %d starts, want 3 and 2", bad.starts.Load(), good.starts.Load())
			}
		})
	}
}

// TestReuse counts starts: one to try the bot and one to play, or one for each match if the entry says so.
func TestReuse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		bots, pairs int
		restart     bool
		want        []int32
	}{
		{2, 3, false, []int32{1 + 1, 1 + 1}},
		{2, 3, true, []int32{1 + 6, 1 + 1}},
		{3, 1, false, []int32{1 + 1, 1 + 1, 1 + 1}},
		{3, 2, false, []int32{1 + 1, 1 + 1, 1 + 1}},
		{3, 1, true, []int32{1 + 4, 1 + 1, 1 + 1}},
	} {
		inBubble(t, fmt.Sprintf("bots=%d,pairs=%d,restart=%v", test.bots, test.pairs, test.restart), func(t *testing.T) {
			var bots []*counted
			var launchers []guest.Launcher
			matches := 0 // of a's process
			for range test.bots {
				bots = append(bots, &counted{Launcher: scripted{}})
				launchers = append(launchers, bots[len(bots)-1])
			}
			bots[0].Launcher = scripted{Answer: func(q *question) string {
				matches = max(matches, q.Match)
				return q.First()
			}}
			tour := tournament(t, test.pairs, unclocked(), launchers...)
			tour.Entries[0].Restart = test.restart
			tableRun(t, tour)
			var got []int32
			for _, b := range bots {
				got = append(got, b.starts.Load())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("starts %v, want %v", got, test.want)
			}
			if test.restart && matches != 1 {
				t.Errorf("one process played %d matches", matches)
			}
		})
	}
}
