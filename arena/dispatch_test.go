package arena

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
	"sembra/results/schedule"
)

// allPlayAll is the schedule of a round-robin.
func allPlayAll(bots []string, pairs int) *schedule.Schedule {
	return schedule.New(results.Tournament{Plan: results.Plan{Format: results.RoundRobin, Bots: bots, Pairs: pairs}})
}

// summaryOf returns the summary of a match: a draw, or lost by a fault.
func summaryOf(s *schedule.Schedule, number int, f results.Fault) results.Numbered {
	m := results.Summary{Key: s.Key(number), Result: results.Draw, Fault: f}
	switch f {
	case results.SouthFault:
		m.Result = results.NorthWins
	case results.NorthFault:
		m.Result = results.SouthWins
	case results.BothFault:
		m.Result = results.Void
	}
	return results.Numbered{Number: number, Summary: m}
}

// after returns the outcome of a match by its number; nil for 0.
func after(s *schedule.Schedule, number int) *results.Summary {
	if number == 0 {
		return nil
	}
	m := summaryOf(s, number, results.NoFault)
	return &m.Summary
}

// dispatching returns a dispatcher of the matches without a record.
func dispatching(t *testing.T, s *schedule.Schedule, kept ...results.Numbered) *dispatcher {
	t.Helper()
	return must2(newDispatcher(s, 0, kept))
}

// take tells the dispatcher of matches that were played, and compares what is then to be played; 0: nothing.
func take(t *testing.T, d *dispatcher, s *schedule.Schedule, idle func(), steps [][2]int) {
	t.Helper()
	for _, step := range steps {
		if task, ok := d.next(step[0], after(s, step[0]), idle); ok != (step[1] > 0) || task.number != step[1] {
			t.Errorf("after %d: match %d (%v), want %d", step[0], task.number, ok, step[1])
		}
	}
}

// TestDispatchOrder: without faults the matches come in order, but the second match
// of a pair stays at the table of the first.
func TestDispatchOrder(t *testing.T) {
	t.Parallel()
	schedule := allPlayAll([]string{"a", "b", "c"}, 2)
	d := dispatching(t, schedule, summaryOf(schedule, 3, results.NoFault))
	take(t, d, schedule, func() {}, [][2]int{
		{0, 1}, {0, 4}, // at another table: 2 is kept for the first
		{1, 2}, {4, 5}, {2, 7}, {5, 6}, {6, 9}, {7, 8}, {8, 11}, {9, 10}, {11, 12}, {10, 0},
	})
}

// TestDispatchIdle: a table that has to wait for the end of a stage first sends
// its bots away, once. It does not while there is a match to play.
func TestDispatchIdle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := schedule.New(results.Tournament{Plan: results.Plan{Format: results.Knockout, Bots: []string{"1", "2", "3", "4"}, Pairs: 1}})
		d := dispatching(t, s)
		sentAway, numbers := 0, make(chan int, 1)
		idle := func() { sentAway++ }
		take(t, d, s, idle, [][2]int{{0, 1}, {0, 3}, {1, 2}})
		go func() {
			task, _ := d.next(2, after(s, 2), idle) // 4 is for the table of 3
			numbers <- task.number
		}()
		synctest.Wait()
		if sentAway != 1 {
			t.Errorf("sent away %d times before it waits", sentAway)
		}
		take(t, d, s, idle, [][2]int{{3, 4}, {4, 5}, {5, 6}, {6, 0}})
		if number := <-numbers; number != 0 || sentAway != 1 {
			t.Errorf("match %d was given to the table that waited; sent away %d times", number, sentAway)
		}
	})
}

// faultsIn returns a bot that is at fault in some of its matches, by their number
// in the schedule. The bot knows its match by the seed.
func faultsIn(tour *Run, bot string, bad func(nth int) bool) scripted {
	schedule := tour.Schedule()
	bySeed := make(map[uint64]bool)
	nth := 0
	for number := 1; number <= schedule.Known(); number++ {
		job := tour.job(number, schedule.Key(number))
		seat := 0
		if job.North == bot {
			seat = 1
		}
		if job.South == bot || job.North == bot {
			nth++
			bySeed[job.Seeds[seat]] = bad(nth)
		}
	}
	return scripted{Answer: func(q *question) string {
		time.Sleep(time.Duration(q.Seed%5) * ms) // so that matches end in any order
		if bySeed[q.Seed] {
			return "bestmove Q"
		}
		return q.First()
	}}
}

// TestDisqualified: a bot forfeits the rest after some faults in a row, in schedule
// order. The concurrency and the place where a run was stopped do not matter.
func TestDisqualified(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tour := tournament(t, 4, unclocked(), scripted{}, scripted{}, scripted{}, scripted{})
		tour.DisqualifyAfter = 3
		// b: two faults, a good match, three faults. c: never three in a row.
		tour.Entries[1].Launcher = faultsIn(tour, "b", func(n int) bool { return n <= 2 || n > 3 && n <= 6 })
		tour.Entries[2].Launcher = faultsIn(tour, "c", func(n int) bool { return n%3 != 0 })
		schedule := tour.Schedule()

		want := undisturbed(t, tour)
		nth, forfeits := 0, 0
		for _, rec := range want {
			for _, bot := range []string{rec.South, rec.North} {
				if bot != "b" {
					continue
				}
				nth++
				forfeit := rec.Plies == 0 && rec.Ending == results.EndStart
				if forfeit != (nth > 6) || forfeit && rec.FaultName() != "b" {
					t.Errorf("match %d of b: %v, ending %v, fault %q", nth, rec.Key, rec.Ending, rec.FaultName())
				}
				if forfeit {
					forfeits++
				}
			}
		}
		if forfeits != 24-6 {
			t.Errorf("%d forfeits", forfeits)
		}

		for _, concurrency := range []int{2, 3, 8, 50} {
			tour.Concurrency = concurrency
			equal(t, fmt.Sprintf("concurrency %d", concurrency), want, undisturbed(t, tour))
			// The same after a restart from any number of matches.
			for stop := 1; stop < schedule.Known(); stop += 5 {
				kept := &log{records: make(map[results.Key]results.Record)}
				for _, rec := range want[:stop] {
					kept.records[rec.Key] = rec
				}
				must(t, tour.Play(t.Context(), kept.done(tour.Schedule()), kept, func(Event) {}))
				equal(t, fmt.Sprintf("concurrency %d, from %d", concurrency, stop), want, kept.timeless(t, schedule), cmp.Transformer("who", who))
			}
		}
	})
}

// who describes a record in a line, for shorter differences.
func who(r results.Record) string {
	return fmt.Sprintf("%v %v %v %s %d", r.Key, r.Result, r.Ending, r.FaultName(), r.Plies)
}

// TestDispatchWithdrawn: nobody plays the matches of a bot that has withdrawn, or waits for them. One that is
// recorded still disqualifies the other bot.
func TestDispatchWithdrawn(t *testing.T) {
	t.Parallel()
	plan := results.Tournament{Plan: results.Plan{Format: results.RoundRobin, Bots: []string{"a", "b", "c"}, Pairs: 2, Withdrawn: []string{"a"}}}
	s := schedule.New(plan)
	var counts []int
	for number := 1; number <= s.Known(); number++ {
		if !s.Key(number).Of(plan.Withdrawn) {
			counts = append(counts, number)
		}
	}
	d := must2(newDispatcher(s, 1, []results.Numbered{summaryOf(s, 3, results.BothFault)}))
	var played []int
	for task, ok := d.next(0, nil, nil); ok; task, ok = d.next(task.number, after(s, task.number), nil) {
		want := [2]int{}
		if task.number == 7 {
			want[0] = 3
		}
		equal(t, fmt.Sprintf("disqualified in match %d", task.number), want, task.disqualified)
		played = append(played, task.number)
	}
	equal(t, "played", counts, played)
	if d.left() {
		t.Error("something is left")
	}
}
