package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sembra/arena"
	"sembra/engine"
	"sembra/results"
	"sembra/results/store"
)

// watcher is a browser that watches a tournament.
type watcher struct {
	t     testing.TB
	lines *bufio.Scanner
	page  string // its main part
	now   liveNow
	kinds map[string]int // number of events
}

// watch begins to watch a tournament.
func watch(t testing.TB, address string) *watcher {
	t.Helper()
	request := must2(http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))
	answer := must2(http.DefaultClient.Do(request))
	t.Cleanup(func() { answer.Body.Close() })
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatalf("%s, %s", answer.Status, kind)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 16<<20)
	return &watcher{t: t, lines: lines, kinds: make(map[string]int)}
}

// until reads events until a condition holds.
func (w *watcher) until(what string, holds func() bool) {
	w.t.Helper()
	for kind := ""; !holds(); {
		if !w.lines.Scan() {
			w.t.Fatalf("%s: the events have ended (%v) after %v", what, w.lines.Err(), w.kinds)
		}
		if text, ok := strings.CutPrefix(w.lines.Text(), "event: "); ok {
			kind = text
			w.kinds[kind]++
		}
		data, ok := strings.CutPrefix(w.lines.Text(), "data: ")
		if !ok {
			continue
		}
		var err error
		switch kind {
		case "page":
			err = json.Unmarshal([]byte(data), &w.page)
		case "now":
			w.now = liveNow{}
			err = json.Unmarshal([]byte(data), &w.now)
		}
		must(w.t, err)
	}
}

func (w *watcher) shows(text string) func() bool {
	return func() bool { return strings.Contains(w.page, text) }
}

// TestLive: browsers that watch a tournament see each change of its page, the match in play with its board, and the end
// of the match. A browser that reads nothing does not keep the others from that.
func TestLive(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cup.db")
	run, feed := beginCup(t, path, false), new(fakeFeed)
	run.put(1)
	l := NewRunLibrary(path, feed)
	s := must2(NewServer(l))
	served := httptest.NewServer(s)
	defer served.Close()
	address := served.URL + "/t/cup/live"

	deaf := must2(net.Dial("tcp", served.Listener.Addr().String()))
	defer deaf.Close()
	fmt.Fprintf(deaf, "GET /t/cup/live HTTP/1.1\r\nHost: localhost\r\n\r\n")

	first, second := watch(t, address), watch(t, address)
	first.until("the page", first.shows("1 of 30 matches"))
	second.until("the page", second.shows("1 of 30 matches"))
	feed.play(run, "A", "a")
	first.until("the match in play", func() bool { return len(first.now.Matches) == 1 })
	m := first.now.Matches[0]
	if m.Plies != 2 || m.Frame.Token != "a" || m.Before == nil || m.Before.Position == m.Frame.Position || !first.now.Running {
		t.Errorf("in play: %+v", m)
	}
	if !strings.Contains(get(t, s, "/t/cup/match/7", http.StatusOK), `<article class="match" data-in-play`) {
		t.Error("the match in play has no page")
	}
	run.put(2)
	first.until("the second change", first.shows("3 of 30 matches"))
	second.until("the second change", second.shows("3 of 30 matches"))
	late := watch(t, address)
	late.until("the whole page", late.shows("3 of 30 matches"))
	feed.play(run)
	first.until("the end", func() bool { return len(first.now.Matches) == 0 })
	get(t, s, "/t/cup/match/7", http.StatusNotFound) // it is not recorded yet
	if strings.Contains(get(t, s, "/t/cup/match/3", http.StatusOK), "Next match") {
		t.Error("match 3 leads to match 4, which is not recorded")
	}

	answer := must2(http.Get(served.URL + "/t/unknown/live"))
	answer.Body.Close()
	if answer.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown tournament: %s", answer.Status)
	}
	served.CloseClientConnections()
	await(t, "nobody watches", func() bool {
		s.lives.mu.Lock()
		defer s.lives.mu.Unlock()
		return len(s.lives.streams) == 0 && s.lives.watchers == 0
	})
}

// TestTooManyWatchers: a browser that comes when all places are taken is told so.
func TestTooManyWatchers(t *testing.T) {
	t.Parallel()
	s := must2(NewServer(quickLibrary(t)))
	var last *eventStream
	for range mostWatchers {
		last = must2(s.join(t.Context(), "spring"))
	}
	if page := get(t, s, "/t/spring/live", http.StatusServiceUnavailable); !strings.Contains(page, "Too many watchers") {
		t.Errorf("the page is\n%s", page)
	}
	for range mostWatchers {
		s.leave(last)
	}
	if len(s.lives.streams) > 0 {
		t.Error("a stream without watchers continues")
	}
}

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
	l := NewRunLibrary(path, feed)
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
