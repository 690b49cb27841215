package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

// shared is a book in a shared store, with records for all its matches, half of which are stored.
func shared(t testing.TB, f folders, pairs int) (*Book, []results.Record) {
	t.Helper()
	store := openNewIn(t, f)
	must(t, store.Share(nil))
	book := begin(t, store, spring(pairs, "a", "b", "c"))
	records := someRecords(book.Schedule)
	must(t, book.Put(records[:len(records)/2]))
	return book, records
}

func TestShare(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	book, records := shared(t, f, 10)
	store, order := book.store, book.Schedule
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(store.Path(), link))

	for _, path := range []string{store.Path(), link} {
		copied, err := openReadIn(f, path)
		must(t, err)
		if !copied.Copied() || store.Copied() {
			t.Errorf("a copy is %v, the file %v", copied.Copied(), store.Copied())
		}
		must(t, book.PutVoid(order.Key(1), "later"))
		bookOfCopy := openBook(t, copied, "spring")
		got, err := bookOfCopy.Recorded()
		must(t, err)
		if diff := cmp.Diff(slotted(order, records[:order.Len()/2]), got); diff != "" {
			t.Error(diff)
		}
		if _, err := copied.Tournament("winter"); err == nil || !strings.Contains(err.Error(), "database "+path+":") {
			t.Errorf("a copy's error does not name the file: %v", err)
		}
		if err := bookOfCopy.PutVoid(order.Key(1), "x"); err == nil {
			t.Error("a copy was written to")
		}
		if err := copied.Share(nil); err == nil {
			t.Error("a copy was shared")
		}
		must(t, copied.Close())
	}
	must(t, book.Put(records))
	copied, err := openReadIn(f, link)
	must(t, err)
	bookOfCopy := openBook(t, copied, "spring")
	if got, err := bookOfCopy.Recorded(); err != nil || len(got) != len(records) {
		t.Errorf("%d summaries of %d, %v", len(got), len(records), err)
	}
	if err := store.Share(nil); err == nil {
		t.Error("shared twice")
	}
	if _, err := openIn(f, store.Path()); err == nil || !strings.Contains(err.Error(), "another sembra is using it") {
		t.Errorf("second writer: %v", err)
	}
	must(t, store.Close())
	if got, err := bookOfCopy.Recorded(); err != nil || len(got) != len(records) {
		t.Errorf("after the end: %d summaries of %d, %v", len(got), len(records), err)
	}
	must(t, copied.Close())

	alone, err := openReadIn(f, store.Path())
	must(t, err)
	defer alone.Close()
	if alone.Copied() {
		t.Error("a copy of a file that is free")
	}
	var left []string
	must(t, filepath.WalkDir(f.copies, func(path string, entry os.DirEntry, err error) error {
		if !entry.IsDir() && filepath.Ext(path) != ".db" {
			left = append(left, path)
		}
		return err
	}))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// Readers see whole transactions while a writer makes the file grow.
func TestShareWhileWriting(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	store := openNewIn(t, f)
	must(t, store.Share(nil))
	c := cup(t, "awale", rounds(6, 40))
	book := begin(t, store, c)
	order := book.Schedule
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range rounds(2, 6) {
		readers.Go(func() {
			for seen := 0; ; {
				lines, verified, err := verifyIn(t, f, store.Path())
				if err != nil || len(lines) > 0 || verified.Matches < seen || verified.Matches%3 != 0 {
					t.Errorf("%d matches after %d: %q, %v", verified.Matches, seen, lines, err)
					return
				}
				seen = verified.Matches
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for slot := 1; slot <= order.Len(); slot += 3 {
		var records []results.Record
		for more := range 3 {
			records = append(records, playedMatch(t, c, slot+more, order.Key(slot+more)))
		}
		must(t, book.Put(records))
	}
	close(stop)
	readers.Wait()
	lines, verified, err := verifyIn(t, f, store.Path())
	if err != nil || len(lines) > 0 || verified.Matches != order.Len() {
		t.Errorf("%+v, %q, %v", verified, lines, err)
	}
}

// Clients that read nothing delay neither the writer nor Close.
func TestShareWithStuckClients(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	book, records := shared(t, f, 400)
	store := book.store
	name, err := socketName(store.file)
	must(t, err)
	for i := range 2 * mostClients {
		conn, err := dial(f.sockets, name)
		must(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, []string{"copy\n", "", "since " + store.feed.session + " 0\n"}[i%3])
		must(t, err)
	}
	time.Sleep(50 * time.Millisecond) // they are being served
	must(t, book.Put(records))
	for store.db.Stats().OpenTxN > 0 { // those who are still being served soon wait for their clients
		time.Sleep(time.Millisecond)
	}
	closed := make(chan error)
	go func() { closed <- store.Close() }()
	select {
	case err := <-closed:
		must(t, err)
	case <-time.After(patience - 5*time.Second): // shorter than they would be waited for
		t.Fatal("the store does not close")
	}
}

func TestPatience(t *testing.T) {
	t.Parallel()
	for name, work := range map[string]func(io.ReadWriter, []byte) (int, error){
		"Read":  io.ReadWriter.Read,
		"Write": io.ReadWriter.Write,
	} {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		if n, err := work(patient{ours, time.Millisecond}, make([]byte, 10)); err == nil || n != 0 {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
}

func TestShareTakesTheSocketOver(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	folder := f.sockets[0]
	store := openNewIn(t, f)
	name, err := socketName(store.file)
	must(t, err)
	must(t, os.Mkdir(folder, 0o700))

	stale, err := net.Listen("unix", filepath.Join(folder, name))
	must(t, err)
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	must(t, stale.Close())
	if _, err := openReadIn(f, store.Path()); err == nil || !strings.Contains(err.Error(), "another sembra is using it: wait until") {
		t.Errorf("nobody listens: %v", err)
	}
	must(t, store.Share(nil))
	copied, err := openReadIn(f, store.Path())
	must(t, err)
	if !copied.Copied() {
		t.Error("it is no copy")
	}
	must(t, copied.Close())
}

func TestShareNeedsAFolder(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	folder, other := f.sockets[0], filepath.Join(f.copies, "other")
	f.sockets = append(f.sockets, other)
	store := openNewIn(t, f)
	refused := func(what string) {
		t.Helper()
		err := store.Share(nil)
		for _, says := range []string{
			"other processes cannot read it during this run: ", "hint: remove it, or make it yours with mode 700", folder,
		} {
			if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v, not %q", what, err, says)
			}
		}
	}
	must(t, os.WriteFile(other, nil, 0o600))
	must(t, os.WriteFile(folder, nil, 0o600))
	refused("a file")
	must(t, os.Remove(folder))
	must(t, os.Mkdir(folder, 0o755))
	must(t, os.Chmod(folder, 0o755)) // whatever the umask is
	refused("open to others")
	must(t, os.Remove(folder))
	must(t, os.Symlink(t.TempDir(), folder))
	refused("a link")
	must(t, os.Remove(folder))
	if os.Getuid() == 0 {
		must(t, os.Mkdir(folder, 0o700))
		must(t, os.Chown(folder, 1, 1))
		refused("another's")
		must(t, os.Remove(folder))
	}

	f.sockets[0] = filepath.Join(f.copies, strings.Repeat("x", mostPath))
	must(t, os.Remove(other))
	must(t, store.Share(nil)) // in the other folder
	must(t, store.create(spring(1, "a", "b")))
	copied, err := openReadIn(f, store.Path())
	must(t, err)
	must(t, copied.Close())
	must(t, os.Chmod(other, 0o711))
	_, err = openReadIn(f, store.Path())
	for _, says := range []string{
		"another sembra is using it: wait until", "its results so far cannot be read: ",
		other + " is not a folder that only you can access",
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("a folder that is open to others: %v, not %q", err, says)
		}
	}
}

// TestSharedInTheHome: somebody else may have made the folder for temporary files.
func TestSharedInTheHome(t *testing.T) {
	home := testFolders(t).copies
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "c"))
	must(t, os.Mkdir(filepath.Join(home, "c"), 0o700))
	f := systemFolders()
	if len(f.sockets) != 2 {
		t.Skipf("this system has other folders: %q", f.sockets)
	}
	must(t, os.Mkdir(f.sockets[0], 0o755)) // it is not closed, as that of another user
	store := openNewIn(t, f)
	must(t, store.Share(nil))
	must(t, store.create(spring(1, "a", "b")))
	copied, err := openReadIn(f, store.Path())
	must(t, err)
	must(t, copied.Close())
}

// Whatever the other end sends, a reader gets a copy or an error.
func TestBadCopies(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	must(t, os.Mkdir(f.sockets[0], 0o700))
	store := openNewIn(t, f)
	must(t, store.create(spring(1, "a", "b")))
	name, err := socketName(store.file)
	must(t, err)
	whole := string(sampleFile(t, 1))
	older := filepath.Join(t.TempDir(), "older.db")
	writeFile(t, older, []byte(whole))
	old, err := os.ReadFile(editFile(t, older, bucketOurs, "1"))
	must(t, err)
	for _, c := range []struct{ what, sent, says string }{
		{"cut off", fmt.Sprintf("copy %d x 0\n%s", len(whole), whole[:len(whole)-1]), "another sembra is using it: wait until"},
		{"too short", fmt.Sprintf("copy %d x 0\n%s", 20000, whole), "truncated: it has 20000 of at least "},
		{"empty", "copy 0 x 0\n", "it is empty"},
		{"less than nothing", "copy -1 x 0\n", `its answer is not understood: "copy -1 x 0\n"`},
		{"no number", "copy that\n", "its answer is not understood"},
		{"another language", "HTTP/1.1 400 Bad Request\n\n", "its answer is not understood"},
		{"long", strings.Repeat("copy", 10000), "another sembra is using it: wait until"},
		{"error", "error no \x1b[31mspace left\n", "no copy can be made: it could not copy the file: no ␛[31mspace left"},
		{"text", "copy 100 x 0\n" + strings.Repeat("sow\n", 25), "not a database of sembra"},
		{"older version", fmt.Sprintf("copy %d\n%s", len(old), old), `schema "1", and this sembra knows schema "3"`},
		{"whole", fmt.Sprintf("copy %d x 0\n%s", len(whole), whole), ""},
	} {
		listener, err := net.Listen("unix", filepath.Join(f.sockets[0], name))
		must(t, err)
		go func() {
			for {
				conn, err := listener.Accept()
				if errors.Is(err, net.ErrClosed) {
					return
				}
				if request, _ := bufio.NewReader(conn).ReadString('\n'); request != "copy\n" {
					t.Errorf("%s: asked for %q", c.what, request)
				}
				_, _ = conn.Write([]byte(c.sent))
				conn.Close()
			}
		}()
		copied, err := openReadIn(f, store.Path())
		switch {
		case err == nil:
			must(t, copied.Close())
			if c.says != "" {
				t.Errorf("%s: opened", c.what)
			}
		case c.says == "" || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), store.Path()):
			t.Errorf("%s: %v", c.what, err)
		}
		must(t, listener.Close())
	}
	entries, err := os.ReadDir(f.copies)
	must(t, err)
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "sembra-copy") }) {
		t.Error("copies are left behind")
	}
}

// If the file of a store is damaged while it is open, a reader that wants a copy gets an error.
func TestShareOfDamage(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	path := filepath.Join(t.TempDir(), "test.db")
	writeFile(t, path, sampleFile(t, 30))
	store, err := openIn(f, path)
	must(t, err)
	defer store.Close()
	must(t, store.Share(nil))
	must(t, os.Truncate(path, 8192))
	if copied, err := openReadIn(f, path); err == nil {
		copied.Close()
		t.Error("a copy of a file that was cut short")
	} else if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "no copy can be made: it could not copy") {
		t.Error(err)
	}
}

func BenchmarkShare(b *testing.B) {
	store := openNew(b)
	must(b, store.Share(nil))
	book := begin(b, store, spring(5000, "a", "b", "c"))
	must(b, book.Put(someRecords(book.Schedule)))
	var size int64
	must(b, store.view(func(tx *bolt.Tx) error { size = tx.Size(); return nil }))
	b.SetBytes(size)
	for b.Loop() {
		copied, err := OpenRead(store.Path())
		must(b, err)
		must(b, copied.Close())
	}
}

// The sockets that killed runs of other files left behind are removed.
func TestStaleSockets(t *testing.T) {
	t.Parallel()
	folder := testFolders(t).sockets[0]
	must(t, os.Mkdir(folder, 0o700))
	socket := func(name string) net.Listener {
		listener, err := net.Listen("unix", filepath.Join(folder, name))
		must(t, err)
		return listener
	}
	stale := socket("stale")
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	stale.Close()
	alive := socket("alive")
	defer alive.Close()
	writeFile(t, filepath.Join(folder, "file"), nil)
	removeStale(folder)
	var left []string
	entries, err := os.ReadDir(folder)
	must(t, err)
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if want := []string{"alive", "file"}; !slices.Equal(left, want) {
		t.Errorf("%q are left, want %q", left, want)
	}
}

// TestListenTogether: no process takes a socket that another has only just made, and does not listen on yet, for
// the socket of a killed run.
func TestListenTogether(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	dir := t.TempDir()
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for n := range 40 {
				file, err := os.Create(filepath.Join(dir, fmt.Sprint(worker, "-", n)))
				if err != nil {
					t.Error(err)
					return
				}
				listener, err := listen(f.sockets, file)
				name, unnamed := socketName(file)
				if err := errors.Join(err, unnamed); err != nil {
					t.Error(err)
					return
				}
				if conn, err := dial(f.sockets, name); err != nil {
					t.Errorf("%s: %v", file.Name(), err)
				} else {
					conn.Close()
				}
				listener.Close()
				file.Close()
			}
		})
	}
	all.Wait()
}
