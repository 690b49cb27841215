package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"sembra/results"
)

func TestStoreInUse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	store := open(t, path)
	must(t, createTournament(store, spring(1, "a", "b")))
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(path, link))
	for _, name := range []string{path, link} {
		_, err := Open(name)
		want := fmt.Sprintf("database %s: another sembra, process %d, plays a tournament in it", name, os.Getpid())
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("second run: %v", err)
		}
	}
	one := must2(OpenRead(path))
	defer one.Close()
	two := must2(OpenRead(path))
	defer two.Close()
	must(t, store.Close())
	for _, file := range []string{path + runEnding, path + turnstileEnding} {
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("left behind: %s (%v)", file, err)
		}
	}
	other := spring(1, "a", "b")
	other.Name = "other"
	must(t, createTournament(open(t, path), other))
	if all, err := one.Tournaments(); err != nil || len(all) != 2 {
		t.Errorf("the first reader sees %d tournaments, %v", len(all), err)
	}
}

// TestStoreIsGone: a file that was removed, replaced or emptied since a store was opened is not created or written again.
func TestStoreIsGone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lose func(path string) error
		want string
	}{
		"removed": {os.Remove, "it was removed"},
		"replaced": {func(path string) error {
			return errors.Join(os.WriteFile(path+"2", nil, 0o600), os.Rename(path+"2", path))
		}, "another file has taken its place"},
		"emptied": {func(path string) error { return os.Truncate(path, 0) }, "damaged: somebody has emptied it"},
	} {
		store := openNew(t)
		stored := begin(t, store, spring(1, "a", "b"))
		must(t, c.lose(store.Path()))
		if _, ok := store.Transaction(); ok {
			t.Errorf("%s: it is still there", name)
		}
		if err := stored.Put(someRecords(stored.Schedule)); err == nil || !strings.HasSuffix(err.Error(), ": "+c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(store.Path()); (name == "removed") != (err != nil) || err == nil && info.Size() > 0 {
			t.Errorf("%s: it was written", name)
		}
	}
}

// TestReadersLetRunWrite: readers that come one after the other do not keep a run from writing.
func TestReadersLetRunWrite(t *testing.T) {
	t.Parallel()
	store := openNew(t)
	const matches = 400
	stored := begin(t, store, spring(matches/2, "a", "b"))
	records := someRecords(stored.Schedule)
	must(t, stored.Put(records[:matches/2]))
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				reader, err := OpenRead(store.Path())
				if err == nil {
					_, err = openRecords(t, reader, "").Recorded()
				}
				if err != nil {
					t.Error(err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	longest := time.Duration(0)
	for i := matches / 2; i < matches; i++ {
		began := time.Now()
		must(t, stored.Put(records[i:i+1]))
		longest = max(longest, time.Since(began))
	}
	close(done)
	readers.Wait()
	t.Logf("the longest write took %v", longest)
	if longest > 5*time.Second {
		t.Errorf("a write took %v", longest)
	}
}

// TestStoppedReader: a reader that was stopped in a transaction holds up a write, which then continues. Whoever waits
// for too long is told.
func TestStoppedReader(t *testing.T) {
	t.Parallel()
	if !locksDatabase {
		t.Skip("bbolt alone locks databases here")
	}
	store := openNew(t)
	stored := begin(t, store, spring(1, "a", "b"))
	stopped := must2(os.Open(store.Path()))
	defer stopped.Close()
	must(t, await(stopped, true, time.Minute))
	writer := must2(os.Open(store.Path()))
	defer writer.Close()
	if err := await(writer, false, 0); !errors.Is(err, errInUse) {
		t.Errorf("a write that does not wait: %v", err)
	}
	var goesOn atomic.Bool
	written := make(chan error)
	go func() {
		err := stored.Put(someRecords(stored.Schedule))
		if !goesOn.Load() {
			t.Error("it was written while a reader had the file")
		}
		written <- err
	}()
	time.Sleep(50 * time.Millisecond) // the write has begun, most likely
	goesOn.Store(true)
	unlock(stopped)
	must(t, <-written)
	if numbers := recordedNumbers(t, stored); len(numbers) != 2 {
		t.Errorf("the matches %v are recorded", numbers)
	}
}

func TestStoreRefusesFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		must(t, os.WriteFile(path, content, 0o644))
		return path
	}
	whole := sampleFile(t, 1)
	metas := append([]byte(nil), whole...)
	metas[16+40] ^= 1
	metas[os.Getpagesize()+16+40] ^= 1
	newer := strconv.Itoa(newest(steps()) + 1)
	cases := []struct{ name, path, says string }{
		{"directory", folder, "a directory"},
		{"text", write("text", []byte("[tournament]\nname = \"spring\"\n")), "not a database of sembra"},
		{"long text", write("long", []byte(strings.Repeat("sow\n", 20000))), "not a database of sembra"},
		{"zeros", write("zeros", make([]byte, 65536)), "not a database of sembra"},
		{"one byte", write("one", []byte{0}), "not a database of sembra"},
		{
			"sqlite", write("sqlite", append([]byte("SQLite format 3\x00\x10\x00\x01\x01\x00\x40\x20\x20"), make([]byte, 8192)...)),
			"not a database of sembra",
		},
		{"bbolt of others", editFile(t, write("others", nil), "theirs", "x"), "not a database of sembra"},
		{"older schema", editFile(t, write("older", whole), bucketOurs, "9"), `it is from before sembra 1.0: it has schema "9", and`},
		{"newer schema", editFile(t, write("newer", whole), bucketOurs, newer), "a newer sembra wrote it: it has schema \"" + newer + "\""},
		{"another layout", editFile(t, write("layout", nil), bucketOurs, newer), "a newer sembra wrote it"},
		{"half a page", write("half", whole[:2000]), "it cannot be opened: "},
		{"one page short", write("short", whole[:len(whole)/2]), "truncated"},
		{"both metas", write("metas", metas), "meta pages"},
		{"no folder", filepath.Join(folder, "no", "file"), "no such file"},
	}
	for _, c := range cases {
		before, _ := os.ReadFile(c.path)
		for name, opener := range map[string]func(string) (*Store, error){"open": Open, "read": OpenRead} {
			store, err := opener(c.path)
			if err == nil {
				store.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.path) {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
		}
		after, _ := os.ReadFile(c.path)
		if string(before) != string(after) {
			t.Errorf("%s: the file was changed", c.name)
		}
	}
	if _, err := OpenRead(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "--db") {
		t.Errorf("not there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "none")); err == nil {
		t.Error("reading made a file")
	}
	empty := write("empty", nil)
	if _, err := OpenRead(empty); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("empty: %v", err)
	}
	open(t, empty)
}

// sampleFile returns the content of a file with a completely played tournament of some pairs.
func sampleFile(t testing.TB, pairs int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sample.db")
	store := must2(Open(path))
	tournament := spring(pairs, "a", "b", "c")
	stored := begin(t, store, tournament)
	records := someRecords(stored.Schedule)
	told := evidence()
	for i := range records {
		records[i].Evidence = &told
	}
	must(t, stored.Put(records[:1]))
	must(t, stored.Put(records))
	must(t, stored.PutVoid(stored.Schedule.Key(1), "no process"))
	must(t, noteIsolation(stored, "none"))
	must(t, store.Close())
	return must2(os.ReadFile(path))
}

// editFile writes a schema into a bucket behind the store's back.
func editFile(t *testing.T, path, bucket, value string) string {
	t.Helper()
	db := must2(bolt.Open(path, 0o644, nil))
	must(t, db.Update(func(tx *bolt.Tx) error {
		bucket, err := tx.CreateBucketIfNotExists([]byte(bucket))
		if err != nil {
			return err
		}
		return bucket.Put([]byte(keySchema), []byte(value))
	}))
	must(t, db.Close())
	return path
}

// readStored reads all that there is of a tournament, and returns the errors, some of which may be nil.
func readStored(stored *Records) (errs []error) {
	_, err := stored.store.Tournaments()
	errs = append(errs, err)
	summaries, err := stored.Recorded()
	errs = append(errs, err)
	for _, err := range wholeMatches(stored) {
		errs = append(errs, err)
	}
	for _, s := range summaries {
		_, _, err := stored.Record(s.Number)
		errs = append(errs, err)
	}
	_, err = storedRatings(stored)
	errs = append(errs, err)
	_, err = stored.SelectVoids(results.Filter{Void: true})
	errs = append(errs, err)
	_, err = stored.Isolation()
	return append(errs, err)
}

func TestTruncatedFiles(t *testing.T) {
	t.Parallel()
	const pairs = 30
	whole := sampleFile(t, pairs)
	path := filepath.Join(t.TempDir(), "test.db")
	sizes := []int{1, 15, 16, 79, 80, 1023, 1024, 4095, 4096, 4097, 8191, 8192, 16384}
	must(t, os.WriteFile(path, whole, 0o644))
	used := usedPages(t, path) * os.Getpagesize()
	for size := 4096; size < used; size += 5000 {
		sizes = append(sizes, size)
	}
	for _, size := range sizes {
		must(t, os.WriteFile(path, whole[:size], 0o644))
		for _, opener := range []func(string) (*Store, error){OpenRead, Open} {
			if store, err := opener(path); err == nil {
				store.Close()
				t.Errorf("%d of %d bytes were opened", size, len(whole))
			}
		}
		if info, err := os.Stat(path); err != nil || info.Size() != int64(size) {
			t.Errorf("%d bytes have become %v, %v", size, info.Size(), err)
		}
	}
}

// A file that is truncated while a store has it open causes a fault in the mapping.
func TestTruncatedWhileOpen(t *testing.T) {
	t.Parallel()
	const pairs = 30
	path := filepath.Join(t.TempDir(), "test.db")
	must(t, os.WriteFile(path, sampleFile(t, pairs), 0o644))
	store := must2(OpenRead(path))
	must(t, os.Truncate(path, 4096))
	if _, err := store.Tournaments(); err == nil || !strings.Contains(err.Error(), "file size too small") {
		t.Errorf("read: %v", err)
	}
	if _, err := store.Tournaments(); err == nil || !strings.Contains(err.Error(), "file size too small") {
		t.Errorf("read again: %v", err)
	}
	must(t, store.Close())
}

// A kill between bbolt's first write and ours leaves a file without buckets.
func TestStoreGoesOnWithBareFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	db, err := bolt.Open(path, 0o644, nil)
	must(t, err)
	must(t, db.Close())
	if _, err := OpenRead(path); err == nil || !strings.Contains(err.Error(), "no tournament in it yet") {
		t.Errorf("read: %v", err)
	}
	must(t, createTournament(open(t, path), spring(1, "a", "b")))
}
