package workers

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/arena"
)

// TestSameRecords: workers play the same matches as a run without them. One worker leaves in the midst, and another one
// comes.
func TestSameRecords(t *testing.T) {
	t.Parallel()
	tour := cup(t, 8)
	want := locally(t, tour)
	s := serving(t)
	_, stop := working(t, s, "first")
	working(t, s, "second")
	run := *tour
	run.Concurrency = 0
	r, told := hosting(t, s, &run)
	run.Away = r
	k := newKept()
	left := false
	err := run.Run(t.Context(), nil, k, func(e arena.Event) {
		if e.MatchEnded != nil && !left {
			left = true
			go func() { _ = stop() }()
			working(t, s, "third")
		}
	})
	if err != nil {
		t.Fatal(err, told.all)
	}
	if diff := cmp.Diff(want, k.timeless(t, tour)); diff != "" {
		t.Errorf("(-here +there)\n%s", diff)
	}
	matches := 0
	for _, tally := range r.Tallies() {
		matches += tally.Matches
	}
	if matches != len(want) {
		t.Errorf("the tallies are %v, want %d matches", r.Tallies(), len(want))
	}
	if err := r.Close(true); err != nil {
		t.Error(err)
	}
	t.Log(told.all)
}

// TestForfeit: a bot that starts nowhere loses its matches. Workers play those of the other bots with the same program.
func TestForfeit(t *testing.T) {
	t.Parallel()
	tour := cup(t, 2)
	for i, args := range [][]string{builtin("random"), builtin("greedy"), {os.Args[0], "bot", "absent"}} {
		tour.Entries[i].Builtin = ""
		tour.Entries[i].Launcher = arena.Command{Args: args, Dir: t.TempDir(), Env: arena.CleanEnvironment()}
	}
	want := locally(t, tour)
	s := serving(t)
	working(t, s, "only")
	run := *tour
	run.Concurrency = 0
	r, told := hosting(t, s, &run)
	run.Away = r
	k := newKept()
	if err := run.Run(t.Context(), nil, k, func(arena.Event) {}); err != nil {
		t.Fatal(err, told.all)
	}
	if diff := cmp.Diff(want, k.timeless(t, tour)); diff != "" {
		t.Errorf("(-here +there)\n%s", diff)
	}
	if err := r.Close(true); err != nil {
		t.Error(err)
	}
}

// TestNobodyThere: a runner that plays too takes back what it has sent to workers that are gone.
func TestNobodyThere(t *testing.T) {
	t.Parallel()
	tour := cup(t, 4)
	want := locally(t, tour)
	s := serving(t)
	manifest, err := tour.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	short := defaultTiming()
	short.gone = 500 * time.Millisecond
	r, err := NewRunner(t.Context(), tour, manifest, RunnerOptions{Address: s.URL(), Program: "test", Tell: func(string) {}, timing: short})
	if err != nil {
		t.Fatal(err)
	}
	defer r.conn.Close()
	pretend(r, time.Now()) // it never plays and is not heard of again
	run := *tour
	run.Away = r
	k := newKept()
	if err := run.Run(t.Context(), nil, k, func(arena.Event) {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, k.timeless(t, tour)); diff != "" {
		t.Errorf("(-here +there)\n%s", diff)
	}
	if err := r.Close(true); err != nil {
		t.Error(err)
	}
}
