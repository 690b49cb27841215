package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"
)

// A file that was unlocked can be read on, and a writer can open it. The reader notices that the file has changed.
func TestUnlock(t *testing.T) {
	t.Parallel()
	f := testFolders(t)
	path := filepath.Join(t.TempDir(), "test.db")
	writeFile(t, path, sampleFile(t, 30))
	reader, err := openReadIn(f, path)
	must(t, err)
	defer reader.Close()
	if !canUnlock {
		if reader.Unlock() {
			t.Error("it is unlocked on a system that cannot do that")
		}
		return
	}
	before := content(t, reader)
	if !reader.Unlock() {
		t.Fatal("it is not unlocked")
	}
	writer, err := openIn(f, path)
	must(t, err)
	defer writer.Close()
	if diff := cmp.Diff(before, content(t, reader)); diff != "" || !reader.Current() {
		t.Errorf("nothing was written, but it is current: %v, and %s", reader.Current(), diff)
	}
	if writer.Unlock() {
		t.Error("a writer is unlocked")
	}
	written := writer.Written()
	plan := spring(1, "a", "b")
	plan.Name, plan.Family = "autumn", "autumn"
	book := begin(t, writer, plan)
	if reader.Current() || writer.Written() != written+1 {
		t.Errorf("a tournament was written, but it is current: %v; writes: %d", reader.Current(), writer.Written())
	}
	must(t, book.Put(someRecords(book.Schedule)))
	_ = reader.view(func(tx *bolt.Tx) error { _, err := tournaments(tx); return err }) // whatever it finds
}

// An unlocked file is not current any more when another one has its path, or none.
func TestUnlockReplaced(t *testing.T) {
	t.Parallel()
	if !canUnlock {
		t.Skip("this system does not unlock")
	}
	f := testFolders(t)
	path := filepath.Join(t.TempDir(), "test.db")
	writeFile(t, path, sampleFile(t, 3))
	reader, err := openReadIn(f, path)
	must(t, err)
	defer reader.Close()
	if !reader.Unlock() || !reader.Current() {
		t.Fatal("it is not current")
	}
	writeFile(t, path+".new", sampleFile(t, 3))
	must(t, os.Rename(path+".new", path))
	if reader.Current() {
		t.Error("it is another file")
	}
	must(t, os.Remove(path))
	if reader.Current() {
		t.Error("it is gone")
	}
}
