package web

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sembra/arena"
	"sembra/engine"
	"sembra/results"
	"sembra/results/store"
)

// await waits until a condition holds. The time is generous, because the machine may be busy.
func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for until := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%s: not after 2 minutes", what)
		}
	}
}

// played returns the number of recorded matches; -1 if there is no such tournament, or no database any more.
func played(t testing.TB, l *Library, tournament string) (n int) {
	t.Helper()
	err := l.Read(t.Context(), tournament, func(b *store.Records) error {
		all, err := b.Recorded()
		n = len(all)
		return err
	})
	if (errors.As(err, new(*engine.UnknownError)) || errors.Is(err, store.ErrNone)) || errors.As(err, new(*refusal)) {
		return -1
	}
	must(t, err)
	return n
}

// cupRun is a run that writes a database.
type cupRun struct {
	t       testing.TB
	db      *store.Store
	records *store.Records
	next    int // match number of the next record
}

// beginCup begins or continues a tournament of ann, ben and cat, as a run does.
func beginCup(t testing.TB, path string, fresh bool) *cupRun {
	t.Helper()
	db := must2(store.Open(path))
	t.Cleanup(func() { _ = db.Close() })
	records := must2(db.Begin(planOf("cup", "awale", 5, "ann", "ben", "cat").Plan, fresh))
	recorded := must2(records.Recorded())
	return &cupRun{t, db, records, len(recorded) + 1}
}

// put records the next matches.
func (r *cupRun) put(matches int) {
	r.t.Helper()
	strength := map[string]int{"ann": 3, "ben": 2, "cat": 1}
	for ; matches > 0; matches-- {
		record := playedRecord(r.t, r.records.Tournament, r.records.Schedule.Key(r.next), r.next, strength)
		must(r.t, r.records.Put([]results.Record{record}))
		r.next++
	}
}

// fakeFeed tells what a test says.
type fakeFeed struct {
	mu      sync.Mutex
	now     arena.InPlay
	changes int
}

func (f *fakeFeed) InPlay() (arena.InPlay, int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now, f.changes
}

// play says that match 7 of a run is in play, with some moves; without moves nothing is.
func (f *fakeFeed) play(r *cupRun, moves ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes++
	f.now = arena.InPlay{Tournament: r.records.Tournament.Name}
	if len(moves) > 0 {
		rules := must2(r.records.Tournament.Rules())
		match := r.records.Tournament.Begin(rules, rules.Start())
		for _, move := range moves {
			if err := match.Play(move, 0, nil); err != nil {
				panic(err)
			}
		}
		f.now.Count = 1
		f.now.Matches = []arena.MatchBegun{{
			Number: 7, Key: r.records.Schedule.Key(7), Opening: r.records.Tournament.Opening(1), Plies: match.Plies,
			At: time.Now(), Moved: time.Now(),
		}}
	}
}

// TestLibraryBesideRuns: a library reads what one run after the other has written, in a file that did not exist.
func TestLibraryBesideRuns(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cup.db")
	l := must2(OpenLibrary(path))
	if all, err := l.Tournaments(); len(all) > 0 || err != nil || l.Now().Running {
		t.Errorf("there is no file, but %d tournaments (%v), running: %v", len(all), err, l.Now().Running)
	}
	must(t, os.WriteFile(path, nil, 0o600))
	if all, err := l.Tournaments(); len(all) > 0 || err != nil {
		t.Errorf("the file is empty, but %d tournaments (%v)", len(all), err)
	}
	version := l.Now().Version
	has := func(what, tournament string, want int) {
		t.Helper()
		if now := l.Now().Version; now == version {
			t.Errorf("%s: the version is still the same", what)
		} else {
			version = now
		}
		equal(t, what, want, played(t, l, tournament))
		if now := l.Now().Version; now != version {
			t.Errorf("%s: reading has changed the version", what)
		}
	}
	run := beginCup(t, path, false)
	run.put(4)
	has("the first matches", "cup", 4)
	run.put(3)
	has("more matches", "cup", 7)
	must(t, l.Read(t.Context(), "cup", func(b *store.Records) error {
		record, found, err := b.Record(7)
		if err != nil || !found || len(record.Moves) == 0 || record.Plies != len(record.Moves) {
			t.Errorf("match 7: found: %v, %d moves, %v", found, len(record.Moves), err)
		}
		return nil
	}))
	must(t, run.db.Close())
	run = beginCup(t, path, true)
	run.put(2)
	has("a second tournament", "cup-2", 2)

	must(t, os.Rename(path, path+".old"))
	has("no file", "cup", -1)
	other := filepath.Join(t.TempDir(), "other.db")
	storeTournament(t, other, planOf("other", "awale", 1, "ann", "ben"), 0)
	must(t, os.Rename(other, path))
	has("another file", "other", 2)
	must(t, os.Rename(path+".old", path))
	has("the first file again", "cup", 7)
}

// TestLibraryOfRun: the library of a run in this process tells of the matches in play.
func TestLibraryOfRun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cup.db")
	run, feed := beginCup(t, path, false), new(fakeFeed)
	l := RunLibrary(path, feed)
	if n := played(t, l, "cup"); n != -1 {
		t.Errorf("%d matches of a tournament that is not stored yet", n)
	}
	before := l.Now()
	run.put(1)
	feed.play(run, "A")
	if n, now := played(t, l, "cup"), l.Now(); n != 1 || now.Version == before.Version || !now.Running || now.InPlay.Count != 1 {
		t.Errorf("%d matches, before %+v, now %+v", n, before, now)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := quickLibrary(t).Read(ctx, "", func(*store.Records) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits for the answer any more: %v", err)
	}
}
