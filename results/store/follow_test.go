package store

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
)

var errEnough = errors.New("enough")

// following keeps a copy up to date until the condition holds, which is checked after each step.
func following(t *testing.T, copied *Store, enough func() bool) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	step := func(bool, []json.RawMessage) {
		if enough() {
			cancel(errEnough)
		}
	}
	if step(false, nil); ctx.Err() != nil {
		return
	}
	if err := copied.Follow(ctx, step); !errors.Is(err, errEnough) {
		t.Fatalf("it ended with %v", err)
	}
}

// content is all that readers of a file find in it.
func content(t *testing.T, s *Store) (all map[string]any) {
	t.Helper()
	all = make(map[string]any)
	tournaments, err := s.Tournaments()
	must(t, err)
	for _, tournament := range tournaments {
		book := openBook(t, s, tournament.Name)
		var records []results.Record
		for _, slot := range recordedSlots(t, book) {
			record, _, err := book.Record(int(slot))
			must(t, err)
			records = append(records, record)
		}
		superseded, err := book.Superseded()
		must(t, err)
		for _, m := range superseded {
			record, err := book.SupersededRecord(m)
			must(t, err)
			records = append(records, record)
		}
		all[tournament.Name] = []any{
			tournament, records, superseded, must2(book.Voids()), must2(book.Isolation()),
		}
	}
	return all
}

func same(t *testing.T, of, copied *Store) bool {
	t.Helper()
	return cmp.Equal(content(t, of), content(t, copied))
}

// A copy that is followed has all that is written, whenever it was made.
func TestFollow(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	store := openNewIn(t, f)
	must(t, store.Share(nil))
	var copies []*Store
	copyNow := func() {
		copied, err := openCopyIn(f, store.Path())
		must(t, err)
		t.Cleanup(func() { must(t, copied.Close()) })
		if !copied.Copied() || !copied.Current() {
			t.Errorf("it is a copy: %v; of this file: %v", copied.Copied(), copied.Current())
		}
		copies = append(copies, copied)
	}
	copyNow()
	plan := spring(3, "a", "b", "c", "d")
	book := begin(t, store, plan)
	records := someRecords(book.Schedule)
	records[3].Evidence = new(evidence())
	for i := range records {
		if i%12 == 0 {
			copyNow()
		}
		must(t, book.Put(records[:i+1])) // those before are there already
	}
	must(t, book.PutVoid(book.Schedule.Key(2), "no process"))
	must(t, book.PutVoid(book.Schedule.Key(2), "no process again"))
	must(t, book.putIsolation("files ok"))
	copyNow()
	for _, copied := range copies {
		following(t, copied, func() bool { return same(t, store, copied) })
	}
	again, err := store.Begin(changedPlan(plan, "b"), false, "b")
	must(t, err)
	must(t, again.Put(someRecords(again.Schedule)[:7]))
	second, err := store.Begin(plan, true)
	must(t, err)
	must(t, second.Put(someRecords(second.Schedule)[5:7]))
	for _, copied := range copies {
		following(t, copied, func() bool { return same(t, store, copied) })
	}
	if got := len(content(t, copies[0])); got != 2 {
		t.Errorf("the first copy has %d tournaments", got)
	}
}

// A reader of a copy that is followed sees whole steps only, and the copy's file is one that bbolt can check.
func TestFollowWhileReading(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	store := openNewIn(t, f)
	must(t, store.Share(nil))
	book := begin(t, store, spring(rounds(10, 1000), "a", "b", "c"))
	records := someRecords(book.Schedule)
	must(t, book.Put(records[:1]))
	copied, err := openCopyIn(f, store.Path())
	must(t, err)
	defer copied.Close()
	var group sync.WaitGroup
	group.Go(func() {
		for i := range records {
			must(t, book.Put(records[i:i+1]))
		}
	})
	group.Go(func() {
		for seen := 0; seen < len(records); {
			got, err := openBook(t, copied, "spring").Recorded()
			if err != nil || len(got) < seen {
				t.Errorf("%d matches after %d: %v", len(got), seen, err)
				return
			}
			seen = len(got)
		}
	})
	following(t, copied, func() bool {
		got, err := openBook(t, copied, "spring").Recorded()
		return err != nil || len(got) == len(records)
	})
	group.Wait()
	size, err := copied.file.Seek(0, io.SeekEnd)
	must(t, err)
	must(t, checkPages(copied.file, size, true))
}

// A follower gets the events of the run while it follows, also after the run has no more. Follow ends when
// the writer ends.
func TestFollowEvents(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	store, err := openIn(f, filepath.Join(t.TempDir(), "test.db"))
	must(t, err)
	const events = 500
	stopped := make(chan struct{})
	must(t, store.Share(func() (<-chan json.RawMessage, func()) {
		channel := make(chan json.RawMessage)
		go func() {
			for i := range events {
				channel <- fmt.Append(nil, i)
			}
			close(channel)
		}()
		return channel, func() { close(stopped) }
	}))
	book, err := store.Begin(spring(1, "a", "b"), false)
	must(t, err)
	must(t, book.Put(someRecords(book.Schedule)[:1]))
	copied, err := openCopyIn(f, store.Path())
	must(t, err)
	defer copied.Close()
	var closing sync.WaitGroup
	next := 0
	err = copied.Follow(t.Context(), func(changed bool, told []json.RawMessage) {
		for _, event := range told {
			if string(event) != fmt.Sprint(next) {
				t.Errorf("event %d is %q", next, event)
			}
			if next++; next == events {
				must(t, book.Put(someRecords(book.Schedule)[1:]))
			}
		}
		if changed && next == events {
			closing.Go(func() { must(t, store.Close()) })
		}
	})
	must(t, err)
	closing.Wait()
	<-stopped
	if next != events {
		t.Errorf("%d events", next)
	}
}

// An event comes after the record that was written before it.
func TestFollowOrder(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	store, err := openIn(f, filepath.Join(t.TempDir(), "test.db"))
	must(t, err)
	events, told := make(chan json.RawMessage), make(chan struct{})
	must(t, store.Share(func() (<-chan json.RawMessage, func()) { return events, func() {} }))
	book, err := store.Begin(spring(50, "a", "b"), false)
	must(t, err)
	records := someRecords(book.Schedule)
	must(t, book.Put(records[:1]))
	copied, err := openCopyIn(f, store.Path())
	must(t, err)
	defer copied.Close()
	var writing sync.WaitGroup
	writing.Go(func() {
		for i, record := range records[1:] {
			must(t, book.Put([]results.Record{record}))
			events <- fmt.Append(nil, i+2)
		}
		<-told // what is not sent yet when the store closes is lost
		must(t, store.Close())
	})
	seen := 0
	err = copied.Follow(t.Context(), func(_ bool, all []json.RawMessage) {
		for _, event := range all {
			if seen, _ = strconv.Atoi(string(event)); seen == len(records) {
				close(told)
			}
		}
		if got := recordedSlots(t, openBook(t, copied, "spring")); len(got) < seen { // the next may be there already
			t.Errorf("event %d after %d records", seen, len(got))
		}
	})
	must(t, err)
	writing.Wait()
	if seen != len(records) {
		t.Errorf("%d of %d records", seen, len(records))
	}
}

func TestFollowEnds(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	alone := filepath.Join(t.TempDir(), "alone.db")
	if _, err := openCopyIn(f, alone); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	writeFile(t, alone, nil)
	if _, err := openCopyIn(f, alone); !errors.Is(err, ErrNotShared) || !strings.Contains(err.Error(), alone) {
		t.Errorf("nobody shares it: %v", err)
	}
	book, _ := shared(t, f, 1)
	store := book.store
	copied, err := openCopyIn(f, store.Path())
	must(t, err)
	defer copied.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	if err := copied.Follow(ctx, nil); !errors.Is(err, errEnough) {
		t.Errorf("a context that is done: %v", err)
	}
	path := store.Path()
	must(t, store.Close())
	must(t, copied.Follow(t.Context(), nil))

	again, err := openIn(f, path)
	must(t, err)
	defer again.Close()
	must(t, again.Share(nil))
	if err := copied.Follow(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "it cannot be followed: the file was opened again in the meantime") {
		t.Errorf("another session: %v", err)
	}
	must(t, os.Remove(path))
	if copied.Current() {
		t.Error("the file is gone, and the copy does not know")
	}
	writeFile(t, path, sampleFile(t, 1))
	if copied.Current() {
		t.Error("another file is there, and the copy does not know")
	}
}

// A follower stays connected however long nothing is written.
func TestIdleFollower(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		events := make(chan json.RawMessage)
		listen := func() (<-chan json.RawMessage, func()) { return events, func() {} }
		store := &Store{feed: newFeed(), server: &server{events: listen}}
		ours, theirs := net.Pipe()
		go store.answer(patient{ours, patience})
		_, err := fmt.Fprintf(theirs, "since %s 0\n", store.feed.session)
		must(t, err)
		lines := bufio.NewScanner(theirs)
		for range 3 {
			time.Sleep(2 * patience)
			synctest.Wait()
			events <- []byte("1")
			if !lines.Scan() {
				t.Fatalf("the connection has ended: %v", lines.Err())
			}
		}
		must(t, theirs.Close())
	})
}

// A client without a request gets nothing, and nothing is copied for it.
func TestNoRequest(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	book, _ := shared(t, f, 1)
	store := book.store
	name, err := socketName(store.file)
	must(t, err)
	for request, want := range map[string]string{
		"":                                "",
		"copy":                            "", // the line has no end
		"delete it\n":                     "error the request is not understood: delete it\n",
		"copy \x1b[31m\n":                 "error the request is not understood: copy ␛[31m\n",
		"since x 0\n":                     "error the file was opened again in the meantime\n",
		"since\n":                         "error the request is not understood: since\n",
		strings.Repeat("x", 2*mostHeader): "",
	} {
		conn, err := dial(f.sockets, name)
		must(t, err)
		_, err = io.WriteString(conn, request)
		must(t, err)
		must(t, conn.(*net.UnixConn).CloseWrite())
		answer, _ := io.ReadAll(conn) // an end with unread bytes is an error of the connection
		if string(answer) != want {
			t.Errorf("%q: %q, want %q", request, answer, want)
		}
		conn.Close()
	}
}
