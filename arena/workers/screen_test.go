package workers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/arena"
	"sembra/engine"
	"sembra/results"
)

// TestScreen: what workers tell, and what the feed of the run is told of it.
func TestScreen(t *testing.T) {
	t.Parallel()
	rules, err := engine.Lookup("awale")
	if err != nil {
		t.Fatal(err)
	}
	key := results.Key{South: "one", North: "two", Pair: 1}
	jobs := []arena.Job{{Key: key, Slot: 1}, {Key: results.Key{South: "two", North: "one", Pair: 1}, Slot: 2}}
	playing := func(slot int, began int, moves ...string) Playing {
		return Playing{
			Key: jobs[(slot+1)%2].Key, Slot: slot, At: time.Unix(int64(began), 0), Age: time.Hour, Moves: moves,
			Elapsed: make([]time.Duration, len(moves)), Scores: make([]*float64, len(moves)),
		}
	}
	type message struct {
		by      string
		matches []Playing
	}
	for _, test := range []struct {
		name string
		told []message
		want []string
	}{
		{
			"a match goes on and ends",
			[]message{{"a", []Playing{playing(1, 5)}}, {"a", []Playing{playing(1, 5, "A", "a")}}, {"a", []Playing{playing(1, 5, "A", "a", "B")}}, {"a", nil}},
			[]string{"1 begins", "1: 1 A", "1: 2 a", "1: 3 B", "1 left, over true"},
		},
		{"nothing new", []message{{"a", []Playing{playing(1, 5, "A")}}, {"a", []Playing{playing(1, 5, "A")}}}, []string{"1 begins", "1: 1 A"}},
		{
			"another try of the same worker",
			[]message{{"a", []Playing{playing(1, 5, "A")}}, {"a", []Playing{playing(1, 6, "B")}}},
			[]string{"1 begins", "1: 1 A", "1 begins", "1: 1 B"},
		},
		{
			"two workers tell of one match",
			[]message{{"a", []Playing{playing(1, 5, "A")}}, {"b", []Playing{playing(1, 5, "B"), playing(2, 5)}}},
			[]string{"1 begins", "1: 1 A", "2 begins"},
		},
		{
			"the first worker is not heard of any more",
			[]message{{"a", []Playing{playing(1, 5, "A")}}, {"silence", nil}, {"b", []Playing{playing(1, 5, "B")}}},
			[]string{"1 begins", "1: 1 A", "1 left, over false", "1 begins", "1: 1 B"},
		},
		{
			"a match that came back",
			[]message{{"a", []Playing{playing(1, 5, "A")}}, {"back", nil}, {"a", []Playing{playing(1, 5, "A", "a")}}},
			[]string{"1 begins", "1: 1 A", "1 left, over true"},
		},
		{"an illegal move", []message{{"a", []Playing{playing(1, 5, "A", "A", "a")}}}, []string{"1 begins", "1: 1 A"}},
		{"a match that is not under way", []message{{"a", []Playing{playing(3, 5), playing(-1, 5)}}}, nil},
		{"other bots", []message{{"a", []Playing{{Key: jobs[1].Key, Slot: 1}}}}, nil},
		{"moves without times", []message{{"a", []Playing{{Key: key, Slot: 1, Moves: []string{"A"}}}}}, nil},
		{"too many moves", []message{{"a", []Playing{playing(1, 5, slices.Repeat([]string{"A"}, mostMoves+1)...)}}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				feed := new(arena.Feed)
				listener := feed.Listen(true)
				s := newScreen(feed, rules)
				s.send(jobs)
				for _, m := range test.told {
					time.Sleep(time.Second)
					switch m.by {
					case "silence":
						s.sweep(0)
					case "back":
						s.back(jobs, true)
					default:
						if !s.listens(m.by, time.Second) || s.listens(m.by, time.Second) {
							t.Error("a worker may tell once a second")
						}
						s.hear(m.by, Live{Matches: m.matches})
					}
				}
				listener.Close()
				var got []string
				for e := range listener.C {
					switch {
					case e.MatchBegun != nil:
						got = append(got, fmt.Sprint(e.MatchBegun.Slot, " begins"))
						if since := time.Since(e.MatchBegun.At); since > time.Minute {
							t.Errorf("a match began %v ago, before it was sent", since)
						}
					case e.Ply != nil:
						got = append(got, fmt.Sprintf("%d: %d %s", e.Ply.Slot, e.Ply.Number, e.Ply.Token))
					case e.MatchLeft != nil:
						got = append(got, fmt.Sprintf("%d left, over %t", e.MatchLeft.Slot, e.MatchLeft.Over))
					}
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		})
	}
}

// TestLive: whoever watches a runner sees the moves of a match that a worker plays. The bots stop in the midst of it
// until that has been seen.
func TestLive(t *testing.T) {
	t.Parallel()
	tour := cup(t, 1)
	tour.Concurrency, tour.Feed, tour.Isolation.Mode, tour.Time.Watchdog = 0, new(arena.Feed), arena.NoIsolation, time.Hour
	tour.Entries = tour.Entries[:2]
	s := serving(t)
	r, _ := hosting(t, s, tour)
	tour.Away = r
	seen := filepath.Join(t.TempDir(), "seen")
	working(t, s, "first", func(o *WorkerOptions) {
		o.Builtin = func(string) []string { return []string{os.Args[0], "bot", "patient", seen} }
	})
	ended := make(chan error, 1)
	go func() { ended <- tour.Run(t.Context(), nil, newKept(), func(arena.Event) {}) }()
	var now arena.InPlay
	until(t, "a match in play with moves", func() bool {
		now, _ = tour.Feed.InPlay()
		return len(now.Matches) == 1 && len(now.Matches[0].Moves) == 2*patientMoves
	})
	if m := now.Matches[0]; m.Slot != 1 || m.South != "random" || m.North != "greedy" || m.Moved.Before(m.At) {
		t.Errorf("the match in play is %+v", m)
	}
	if err := os.WriteFile(seen, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if now, _ := tour.Feed.InPlay(); now.Count != 0 {
		t.Errorf("%d matches are in play after the run", now.Count)
	}
	if err := r.Close(true); err != nil {
		t.Error(err)
	}
}
