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
	"sembra/results/schedule"
)

// runtimeFolder makes a short folder the place of the sockets.
func runtimeFolder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "s")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	t.(*testing.T).Setenv("XDG_RUNTIME_DIR", folder)
	t.(*testing.T).Setenv("TMPDIR", folder)
	return folder
}

// shared is an open store that is shared, with a tournament of which half is played.
func shared(t testing.TB, pairs int) (store *Store, tournament results.Tournament, records []results.Record) {
	t.Helper()
	store = openNew(t)
	must(t, store.Share())
	tournament = spring(pairs, "a", "b", "c")
	order := schedule.New(tournament)
	records = someRecords(order)
	must(t, store.Create(tournament))
	must(t, store.Put("spring", order, records[:order.Len()/2]))
	return store, tournament, records
}

func TestShare(t *testing.T) {
	folder := runtimeFolder(t)
	store, tournament, records := shared(t, 10)
	order := schedule.New(tournament)
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(store.Path(), link))

	for _, path := range []string{store.Path(), link} {
		copied, err := OpenRead(path)
		must(t, err)
		if !copied.Copied() || store.Copied() {
			t.Errorf("a copy is %v, the file %v", copied.Copied(), store.Copied())
		}
		must(t, store.PutVoid("spring", order.Key(1), "later"))
		got, err := copied.Summaries("spring", order)
		must(t, err)
		if diff := cmp.Diff(slotted(order, records[:order.Len()/2]), got); diff != "" {
			t.Error(diff)
		}
		if _, err := copied.Tournament("winter"); err == nil || !strings.Contains(err.Error(), "database "+path+":") {
			t.Errorf("a copy's error does not name the file: %v", err)
		}
		if err := copied.PutVoid("spring", order.Key(1), "x"); err == nil {
			t.Error("a copy was written to")
		}
		if err := copied.Share(); err == nil {
			t.Error("a copy was shared")
		}
		must(t, copied.Close())
	}
	must(t, store.Put("spring", order, records))
	copied, err := OpenRead(link)
	must(t, err)
	if got, err := copied.Summaries("spring", order); err != nil || len(got) != len(records) {
		t.Errorf("%d summaries of %d, %v", len(got), len(records), err)
	}
	if err := store.Share(); err == nil {
		t.Error("shared twice")
	}
	if _, err := Open(store.Path()); err == nil || !strings.Contains(err.Error(), "another sembra is using it") {
		t.Errorf("second writer: %v", err)
	}
	must(t, store.Close())
	if got, err := copied.Summaries("spring", order); err != nil || len(got) != len(records) {
		t.Errorf("after the end: %d summaries of %d, %v", len(got), len(records), err)
	}
	must(t, copied.Close())

	alone, err := OpenRead(store.Path())
	must(t, err)
	defer alone.Close()
	if alone.Copied() {
		t.Error("a copy of a file that is free")
	}
	var left []string
	must(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if !entry.IsDir() && filepath.Ext(path) != ".db" {
			left = append(left, path)
		}
		return err
	}))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// Readers of every kind see whole transactions while a writer makes the file grow.
func TestShareWhileWriting(t *testing.T) {
	runtimeFolder(t)
	store := openNew(t)
	must(t, store.Share())
	c := cup(t, "awale", 40)
	order := schedule.New(c)
	must(t, store.Create(c))
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 6 {
		readers.Go(func() {
			for seen := 0; ; {
				lines, verified, err := verifyFile(t, store.Path())
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
		must(t, store.Put(c.Name, order, records))
	}
	close(stop)
	readers.Wait()
	lines, verified, err := verifyFile(t, store.Path())
	if err != nil || len(lines) > 0 || verified.Matches != order.Len() {
		t.Errorf("%+v, %q, %v", verified, lines, err)
	}
}

// Those who connect and read nothing hold up neither the writer nor the end.
func TestShareWithStuckClients(t *testing.T) {
	runtimeFolder(t)
	store, tournament, records := shared(t, 400)
	order := schedule.New(tournament)
	name, err := socketName(store.file)
	must(t, err)
	for i := range 2 * mostClients {
		conn, err := dial(name)
		must(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, []string{"copy\n", "", "since " + store.feed.session + " 0\n"}[i%3])
		must(t, err)
	}
	time.Sleep(50 * time.Millisecond) // they are being served
	must(t, store.Put("spring", order, records))
	for store.db.Stats().OpenTxN > 0 { // those who are still being served soon wait for their clients
		time.Sleep(time.Millisecond)
	}
	closed := make(chan error)
	go func() { closed <- store.Close() }()
	select {
	case err := <-closed:
		must(t, err)
	case <-time.After(10 * time.Second):
		t.Fatal("the store does not close")
	}
}

func TestPatience(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	patient := newPatient(ours, 20*time.Millisecond)
	defer patient.stop()
	if n, err := patient.Write(make([]byte, 10)); err == nil || n != 0 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestShareTakesTheSocketOver(t *testing.T) {
	folder := filepath.Join(runtimeFolder(t), "sembra")
	path := filepath.Join(t.TempDir(), "test.db")
	store := open(t, path)
	name, err := socketName(store.file)
	must(t, err)
	must(t, os.Mkdir(folder, 0o700))

	stale, err := net.Listen("unix", filepath.Join(folder, name))
	must(t, err)
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	must(t, stale.Close())
	if _, err := OpenRead(path); err == nil || !strings.Contains(err.Error(), "another sembra is using it: wait until") {
		t.Errorf("nobody listens: %v", err)
	}
	must(t, store.Share())
	copied, err := OpenRead(path)
	must(t, err)
	if !copied.Copied() {
		t.Error("it is no copy")
	}
	must(t, copied.Close())
}

func TestShareNeedsAFolder(t *testing.T) {
	folder := filepath.Join(runtimeFolder(t), "sembra")
	other := filepath.Join(os.TempDir(), fmt.Sprintf("sembra-%d", os.Getuid()))
	store := openNew(t)
	refused := func(what string) {
		t.Helper()
		if err := store.Share(); err == nil || !strings.Contains(err.Error(), "it cannot be read while it is written to: ") ||
			!strings.Contains(err.Error(), "hint: remove it, or make it yours with mode 700") || !strings.Contains(err.Error(), folder) {
			t.Errorf("%s: %v", what, err)
		}
	}
	must(t, os.WriteFile(other, nil, 0o600))
	must(t, os.WriteFile(folder, nil, 0o600))
	refused("a file")
	must(t, os.Remove(folder))
	must(t, os.Mkdir(folder, 0o755))
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

	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(filepath.Dir(folder), strings.Repeat("x", mostPath)))
	must(t, os.Remove(other))
	must(t, store.Share()) // in the other folder
	must(t, store.Create(spring(1, "a", "b")))
	copied, err := OpenRead(store.Path())
	must(t, err)
	must(t, copied.Close())
	must(t, os.Chmod(other, 0o711))
	if _, err := OpenRead(store.Path()); err == nil || !strings.Contains(err.Error(), "another sembra is using it: wait until") {
		t.Errorf("a folder that is open to others was trusted: %v", err)
	}
}

// Whatever is at the other end, a reader gets a copy or a sentence.
func TestBadCopies(t *testing.T) {
	folder := filepath.Join(runtimeFolder(t), "sembra")
	must(t, os.Mkdir(folder, 0o700))
	store := openNew(t)
	must(t, store.Create(spring(1, "a", "b")))
	name, err := socketName(store.file)
	must(t, err)
	whole := string(sampleFile(t, 1))
	for _, c := range []struct{ what, sent, says string }{
		{"cut off", fmt.Sprintf("copy %d x 0\n%s", len(whole), whole[:len(whole)-1]), "another sembra is using it: wait until"},
		{"too short", fmt.Sprintf("copy %d x 0\n%s", 20000, whole), "truncated: 20000 bytes of at least"},
		{"empty", "copy 0 x 0\n", "it is empty"},
		{"less than nothing", "copy -1 x 0\n", `its answer is not understood: "copy -1 x 0\n"`},
		{"no number", "copy that\n", "its answer is not understood"},
		{"another language", "HTTP/1.1 400 Bad Request\n\n", "its answer is not understood"},
		{"long", strings.Repeat("copy", 10000), "another sembra is using it: wait until"},
		{"error", "error no \x1b[31mspace left\n", "there is no copy to be had: it could not copy the file: no ␛[31mspace left"},
		{"text", "copy 100 x 0\n" + strings.Repeat("sow\n", 25), "not a database of sembra"},
		{"whole", fmt.Sprintf("copy %d x 0\n%s", len(whole), whole), ""},
	} {
		listener, err := net.Listen("unix", filepath.Join(folder, name))
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
		copied, err := OpenRead(store.Path())
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
	entries, err := os.ReadDir(os.TempDir())
	must(t, err)
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "sembra-copy") }) {
		t.Error("copies are left behind")
	}
}

// A store whose file is damaged under it says so to those who want a copy.
func TestShareOfDamage(t *testing.T) {
	runtimeFolder(t)
	path := filepath.Join(t.TempDir(), "test.db")
	writeFile(t, path, sampleFile(t, 30))
	store, err := Open(path)
	must(t, err)
	defer store.Close()
	must(t, store.Share())
	must(t, os.Truncate(path, 8192))
	if copied, err := OpenRead(path); err == nil {
		copied.Close()
		t.Error("a copy of a file that was cut short")
	} else if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "no copy to be had: it could not copy") {
		t.Error(err)
	}
}

func BenchmarkShare(b *testing.B) {
	store, err := Open(filepath.Join(b.TempDir(), "test.db"))
	must(b, err)
	defer store.Close()
	must(b, store.Share())
	tournament := spring(5000, "a", "b", "c")
	order := schedule.New(tournament)
	must(b, store.Create(tournament))
	must(b, store.Put("spring", order, someRecords(order)))
	var size int64
	must(b, store.view(func(tx *bolt.Tx) error { size = tx.Size(); return nil }))
	b.SetBytes(size)
	for b.Loop() {
		copied, err := OpenRead(store.Path())
		must(b, err)
		must(b, copied.Close())
	}
}

// TestStaleSockets: what killed runs of other files left behind goes.
func TestStaleSockets(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "sockets")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	socket := func(name string) net.Listener {
		listener, err := net.Listen("unix", filepath.Join(folder, name))
		if err != nil {
			t.Skip(err) // the path is too long for this system
		}
		return listener
	}
	stale := socket("stale")
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	stale.Close()
	alive := socket("alive")
	defer alive.Close()
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	removeStale(folder)
	var left []string
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if want := []string{"alive", "file"}; !slices.Equal(left, want) {
		t.Errorf("%q are left, want %q", left, want)
	}
}
