package page

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sembra/arena"
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

// played returns the number of recorded matches; -1 if there is no such tournament.
func played(t testing.TB, l *Library, tournament string) (n int) {
	t.Helper()
	err := l.Read(t.Context(), tournament, func(b *store.Book) error {
		all, err := b.Recorded()
		n = len(all)
		return err
	})
	if unknown := new(store.UnknownError); errors.As(err, &unknown) {
		return -1
	}
	must(t, err)
	return n
}

// runner is a process that writes a database as a run does. It obeys lines.
type runner struct {
	*exec.Cmd
	orders *bufio.Writer
	done   *bufio.Scanner
}

// startRunner starts a process that opens a database and shares it.
func startRunner(t testing.TB, path string) *runner {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestRunner$")
	cmd.Env = append(os.Environ(), "SEMBRA_TEST_RUNNER="+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	r := &runner{cmd, bufio.NewWriter(in), bufio.NewScanner(out)}
	r.answer(t, "shared")
	return r
}

func (r *runner) answer(t testing.TB, want string) {
	t.Helper()
	if !r.done.Scan() || r.done.Text() != want {
		t.Fatalf("the runner says %q, want %q", r.done.Text(), want)
	}
}

func (r *runner) do(t testing.TB, order string) {
	t.Helper()
	fmt.Fprintln(r.orders, order)
	must(t, r.orders.Flush())
	r.answer(t, "done "+order)
}

// TestRunner is no test, but the process that startRunner starts. The orders are:
//
//	begin NAME             begins or continues a tournament
//	fresh NAME             begins a new one of this family
//	replace NAME BOT       continues it and plays a bot's matches again
//	put N                  records the next N matches
//	play MOVE…             tells that match 7 is in play
//	end                    closes the database
func TestRunner(t *testing.T) {
	path := os.Getenv("SEMBRA_TEST_RUNNER")
	if path == "" {
		t.Skip("this is a process for other tests")
	}
	db, err := store.Open(path)
	must(t, err)
	events := make(chan json.RawMessage)
	listening := make(chan struct{}, 100)
	must(t, db.Share(func() (<-chan json.RawMessage, func()) {
		listening <- struct{}{}
		return events, func() {}
	}))
	fmt.Println("shared")
	var book *store.Book
	next := 1
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); fmt.Println("done " + lines.Text()) {
		switch words := strings.Fields(lines.Text()); words[0] {
		case "begin", "fresh", "replace":
			plan := planOf(words[1], "awale", 5, "ann", "ben", "cat")
			for _, bot := range words[2:] {
				plan.Settings = []results.Setting{{Name: "bot " + bot + ": program", Bot: bot, Value: "new"}}
			}
			book, err = db.Begin(plan, words[0] == "fresh", words[2:]...)
			must(t, err)
			next = 1
		case "put":
			var n int
			_, err := fmt.Sscan(words[1], &n)
			must(t, err)
			strength := map[string]int{"ann": 3, "ben": 2, "cat": 1}
			for ; n > 0; n-- {
				must(t, book.Put([]results.Record{playedRecord(t, book.Tournament, book.Schedule.Key(next), next, strength)}))
				next++
			}
		case "play":
			<-listening
			text, err := json.Marshal(arena.InPlay{Tournament: book.Tournament.Name, Count: 1, Matches: []arena.MatchBegun{{
				Slot: 7, Key: book.Schedule.Key(7), Opening: book.Tournament.Openings[0], Moves: words[1:],
			}}})
			must(t, err)
			events <- text
		case "end":
			must(t, db.Close())
		}
	}
}

// TestLibraryBesideRuns: a library follows one run after the other, in a file that did not exist, and always has
// what they have written.
func TestLibraryBesideRuns(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cup.db")
	l, err := OpenLibrary(path)
	must(t, err)
	defer l.Close()
	if all, err := l.Tournaments(); len(all) > 0 || err != nil || l.Now().Running {
		t.Errorf("there is no file, but %d tournaments (%v), running: %v", len(all), err, l.Now().Running)
	}
	must(t, os.WriteFile(path, nil, 0o600))
	if all, err := l.Tournaments(); len(all) > 0 || err != nil {
		t.Errorf("the file is empty, but %d tournaments (%v)", len(all), err)
	}
	has := func(what, tournament string, want int) {
		t.Helper()
		await(t, what, func() bool { return played(t, l, tournament) == want })
	}
	run := startRunner(t, path)
	await(t, "the run is noticed", func() bool { return l.Now().Running })
	run.do(t, "begin cup")
	run.do(t, "play A B")
	await(t, "the match in play is noticed", func() bool { return l.Now().InPlay.Count == 1 })
	if now := l.Now(); now.InPlay.Tournament != "cup" || len(now.InPlay.Matches[0].Moves) != 2 {
		t.Errorf("in play: %+v", now.InPlay)
	}
	version := l.Now().Version
	run.do(t, "put 4")
	has("the first matches", "cup", 4)
	if l.Now().Version == version {
		t.Error("the version is still the same")
	}
	run.do(t, "put 3")
	has("more matches", "cup", 7)
	following := l.following
	run.do(t, "fresh cup")
	run.do(t, "put 2")
	has("a second tournament", "cup-2", 2)
	if l.following != following {
		t.Error("the file was copied a second time")
	}
	// The body of a match that was told is there for its replay.
	must(t, l.Read(t.Context(), "cup", func(b *store.Book) error {
		record, found, err := b.Record(7)
		if err != nil || !found || len(record.Moves) == 0 || record.Plies != len(record.Moves) {
			t.Errorf("match 7: found: %v, %d moves, %v", found, len(record.Moves), err)
		}
		return nil
	}))
	run.do(t, "end")
	await(t, "the end is noticed", func() bool { return !l.Now().Running })
	has("the file at rest", "cup", 7)
	if now := l.Now(); now.InPlay.Count != 0 {
		t.Errorf("in play after the end: %+v", now.InPlay)
	}

	run = startRunner(t, path)
	await(t, "the second run is noticed", func() bool { return l.Now().Running })
	run.do(t, "replace cup ben")
	run.do(t, "put 1")
	has("without the superseded matches", "cup-2", 1)
	must(t, l.Read(t.Context(), "cup-2", func(b *store.Book) error {
		old, err := b.Superseded()
		if err != nil || len(old) != 2 {
			t.Errorf("%d superseded matches, %v", len(old), err)
		}
		return nil
	}))
	must(t, run.Process.Kill())
	await(t, "the kill is noticed", func() bool { return !l.Now().Running })
	has("the file after a kill", "cup-2", 1)

	run = startRunner(t, path) // the killed one has left its socket
	run.do(t, "replace cup ben")
	await(t, "the run after a kill is noticed", func() bool { return l.Now().Running })
	must(t, os.Rename(path, path+".old"))
	await(t, "that the file is gone is noticed", func() bool { return played(t, l, "cup") == -1 })
	other := filepath.Join(t.TempDir(), "other.db")
	storeTournament(t, other, planOf("other", "awale", 1, "ann", "ben"), 0)
	must(t, os.Rename(other, path))
	has("another file", "other", 2)
	if l.Now().Running {
		t.Error("nobody writes the other file")
	}
	must(t, os.Rename(path+".old", path))
	has("the first file again", "cup", 7)
}

// TestLibraryAtRest: a library that is read all the time never keeps a run from opening the file, not even
// for a moment, and never shows a mixture.
func TestLibraryAtRest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cup.db")
	plan := planOf("cup", "awale", 20, "ann", "ben", "cat")
	storeTournament(t, path, plan, 60)
	l, err := OpenLibrary(path)
	must(t, err)
	defer l.Close()
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for seen := 60; ; {
				n := played(t, l, "cup")
				if n < seen {
					t.Errorf("%d matches after %d", n, seen)
					return
				}
				seen = n
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for slot := 61; slot <= 70; slot++ {
		db, err := store.Open(path)
		must(t, err)
		must(t, db.Share(nil))
		book, err := db.Begin(plan, false)
		must(t, err)
		r := playedRecord(t, plan, book.Schedule.Key(slot), slot, map[string]int{"ann": 3, "ben": 2, "cat": 1})
		must(t, book.Put([]results.Record{r}))
		must(t, db.Close())
	}
	close(done)
	readers.Wait()
	await(t, "all matches are there", func() bool { return played(t, l, "cup") == 70 })
}

// TestLibraryOfRun: the library of a run in this process reads the store of the run.
func TestLibraryOfRun(t *testing.T) {
	t.Parallel()
	db, err := store.Open(filepath.Join(t.TempDir(), "cup.db"))
	must(t, err)
	defer db.Close()
	feed := new(arena.Feed)
	feed.Name("cup")
	l := RunLibrary(db, feed)
	plan := planOf("cup", "awale", 1, "ann", "ben")
	book, err := db.Begin(plan, false)
	must(t, err)
	if n := played(t, l, "cup"); n != -1 {
		t.Errorf("%d matches of a tournament that is not stored yet", n)
	}
	before := l.Now()
	must(t, book.Put([]results.Record{playedRecord(t, plan, book.Schedule.Key(1), 1, map[string]int{"ann": 2, "ben": 1})}))
	if n, now := played(t, l, "cup"), l.Now(); n != 1 || now.Version == before.Version || !now.Running || now.InPlay.Tournament != "cup" {
		t.Errorf("%d matches, before %+v, now %+v", n, before, now)
	}
	must(t, l.Close())
	if n := played(t, RunLibrary(db, feed), ""); n != 1 {
		t.Errorf("the store of the run has %d matches after the library was closed", n)
	}
}

// TestLibraryRests: what is open is closed when nobody uses it, and opened again.
func TestLibraryRests(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cup.db")
	run := startRunner(t, path)
	run.do(t, "begin cup")
	run.do(t, "put 1")
	l, err := OpenLibrary(path)
	must(t, err)
	if !l.Now().Running {
		t.Error("it does not run")
	}
	l.rest()
	l.follows.Wait()
	if l.db != nil || l.following != nil {
		t.Error("a copy is open at rest")
	}
	run.do(t, "put 1")
	if n := played(t, l, "cup"); n != 2 {
		t.Errorf("%d matches after the rest", n)
	}
	must(t, l.Close())
	if _, err := l.Tournaments(); err == nil {
		t.Error("a closed library is read")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := quickLibrary(t).Read(ctx, "", func(*store.Book) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits for the answer any more: %v", err)
	}
}
