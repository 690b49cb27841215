package store

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sembra/results"
	"sembra/results/schedule"
)

// disk mounts a file system in memory of the given size, where that is allowed.
func disk(t *testing.T, size string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("sembra-test", folder, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system can be mounted: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(folder, syscall.MNT_DETACH)) })
	return folder
}

// On a full disk what was saved stays, what was not is not there in parts, and where there is room again
// it goes on.
func TestFullDisk(t *testing.T) {
	folder := disk(t, "1m")
	path, ballast := filepath.Join(folder, "test.db"), filepath.Join(folder, "ballast")
	writeFile(t, ballast, make([]byte, 700<<10))
	store, err := Open(path)
	must(t, err)
	c := cup(t, "awale", 400)
	order := schedule.New(c)
	must(t, store.Create(c))
	var full error
	saved := 0
	for full == nil && saved < order.Len() {
		record := playedMatch(t, c, saved+1, order.Key(saved+1))
		if full = store.Put(c.Name, order, []results.Record{record}); full == nil {
			saved++
		}
	}
	if full == nil || !strings.Contains(full.Error(), "database "+path+": ") || !strings.Contains(full.Error(), "no space left on device") {
		t.Fatalf("after %d matches: %v", saved, full)
	}
	check := func(when string) {
		t.Helper()
		done, err := store.Done(c.Name, order)
		must(t, err)
		for i, there := range done {
			if there != (i < saved) {
				t.Fatalf("%s: match %d of %d saved ones is there: %v", when, i+1, saved, there)
			}
		}
		must2(store.Verify(verification(func(d Difference) { t.Errorf("%s: %v", when, d) })))
	}
	check("full")
	must(t, store.Close())
	store, err = Open(path)
	must(t, err)
	check("opened again")
	must(t, os.Remove(ballast))
	for range 20 {
		must(t, store.Put(c.Name, order, []results.Record{playedMatch(t, c, saved+1, order.Key(saved+1))}))
		saved++
	}
	check("with room")
	must(t, store.Close())
	store, err = OpenRead(path)
	must(t, err)
	check("read")
	must(t, store.Close())
}

// A copy that finds no room, at either end, is a sentence.
func TestNoRoomForCopies(t *testing.T) {
	folder := disk(t, "100k")
	runtimeFolder(t)
	store, _, _ := shared(t, 1000)
	t.Setenv("TMPDIR", folder)
	_, err := OpenRead(store.Path())
	if err == nil || !strings.Contains(err.Error(), store.Path()) || !strings.Contains(err.Error(), "there is no copy to be had: ") ||
		!strings.Contains(err.Error(), "no space left on device") {
		t.Error(err)
	}
	entries, err := os.ReadDir(folder)
	must(t, err)
	if len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

// Where nothing can be written, reading works and writing is refused.
func TestReadOnlyDisk(t *testing.T) {
	folder := disk(t, "8m")
	path := filepath.Join(folder, "test.db")
	content := sampleFile(t, 3)
	writeFile(t, path, content)
	must(t, syscall.Mount("sembra-test", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	for _, path := range []string{path, filepath.Join(folder, "new.db")} {
		if _, err := Open(path); err == nil || err.Error() != "database "+path+" cannot be opened: read-only file system" {
			t.Errorf("%s: %v", path, err)
		}
	}
	store, err := OpenRead(path)
	must(t, err)
	defer store.Close()
	_, err = store.Verify(verification(func(Difference) {}))
	must(t, err)
	if string(readFile(t, path)) != string(content) {
		t.Error("the file was changed")
	}
}
