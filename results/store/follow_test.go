package store

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
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

// followed collects updates until there are as many as wanted.
func followed(t *testing.T, copied *Store, wanted int) (updates []Update) {
	t.Helper()
	if wanted == 0 {
		return nil
	}
	err := copied.Follow(t.Context(), func(u Update) error {
		if updates = append(updates, u); len(updates) == wanted {
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) {
		t.Fatalf("%d updates, then %v", len(updates), err)
	}
	return updates
}

// A copy and what Follow tells together have everything that was written, whenever the copy was made.
func TestFollow(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	store := openNewIn(t, f)
	must(t, store.Share(nil))
	c := cup(t, "awale", 4)
	book := begin(t, store, c)
	order := book.Schedule
	var copies []*Store
	var records []results.Record
	for slot := 1; slot <= order.Len(); slot++ {
		if slot%8 == 1 {
			copied, err := openReadIn(f, store.Path())
			must(t, err)
			defer copied.Close()
			copies = append(copies, copied)
		}
		r := playedMatch(t, c, slot, order.Key(slot))
		records = append(records, r)
		must(t, book.Put([]results.Record{r, records[0]})) // the first is there already
	}
	must(t, book.PutVoid(order.Key(2), "no process"))
	must(t, book.putIsolation("files ok"))
	for i, copied := range copies {
		done := make([]bool, order.Len())
		for _, slot := range recordedSlots(t, openBook(t, copied, c.Name)) {
			done[slot-1] = true
		}
		for _, u := range followed(t, copied, order.Len()-8*i+2) {
			switch {
			case u.Tournament != c.Name:
				t.Errorf("an update of tournament %q", u.Tournament)
			case u.About != nil:
				if diff := cmp.Diff(c, *u.About); diff != "" || len(u.Isolation) != 1 || u.Isolation[0] != "files ok" {
					t.Errorf("%q %s", u.Isolation, diff)
				}
			case u.Void != nil:
				if *u.Void != order.Key(2) {
					t.Errorf("void: %v", *u.Void)
				}
			default:
				slot, _ := order.Slot(u.Record.Key)
				done[slot-1] = true
				if diff := cmp.Diff(records[slot-1], *u.Record); diff != "" {
					t.Errorf("match %d: %s", slot, diff)
				}
			}
		}
		for slot, is := range done {
			if !is {
				t.Errorf("copy %d: match %d is neither in the copy nor told", i+1, slot+1)
			}
		}
	}
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
	copied, err := openReadIn(f, store.Path())
	must(t, err)
	defer copied.Close()
	var following sync.WaitGroup
	next := 0
	err = copied.Follow(t.Context(), func(u Update) error {
		switch {
		case u.Record != nil:
			following.Go(func() { must(t, store.Close()) })
		case string(u.Event) != fmt.Sprint(next):
			t.Errorf("event %d is %q", next, u.Event)
		default:
			if next++; next == events {
				must(t, book.Put(someRecords(book.Schedule)[1:]))
			}
		}
		return nil
	})
	must(t, err)
	following.Wait()
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
	events := make(chan json.RawMessage)
	must(t, store.Share(func() (<-chan json.RawMessage, func()) { return events, func() {} }))
	book, err := store.Begin(spring(50, "a", "b"), false)
	must(t, err)
	records := someRecords(book.Schedule)
	must(t, book.Put(records[:1]))
	copied, err := openReadIn(f, store.Path())
	must(t, err)
	defer copied.Close()
	var writing sync.WaitGroup
	writing.Go(func() {
		for i, record := range records[1:] {
			must(t, book.Put([]results.Record{record}))
			events <- fmt.Append(nil, i+2)
		}
		must(t, store.Close())
	})
	seen := 1 // a write that the copy has already may be reported
	err = copied.Follow(t.Context(), func(u Update) error {
		if u.Record != nil {
			slot, _ := book.Schedule.Slot(u.Record.Key)
			seen = max(seen, slot)
		} else if n, _ := strconv.Atoi(string(u.Event)); n > seen { // the next record may be there already
			t.Errorf("event %d after %d records", n, seen)
		}
		return nil
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
	book, _ := shared(t, f, 1)
	store := book.store
	if err := store.Follow(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "nothing to follow") {
		t.Errorf("the writer itself: %v", err)
	}
	copied, err := openReadIn(f, store.Path())
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
