package store

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sembra/results"
)

// disk mounts a file system of the given size in memory, if that is allowed.
func disk(t *testing.T, size string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("sembra-test", folder, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system can be mounted: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(folder, syscall.MNT_DETACH)) })
	return folder
}

// On a full disk, saved records stay, no record is saved in part, and storing continues when there is room again. It is
// not parallel: a process that another test starts meanwhile has our removed files open for a moment, with their room.
func TestFullDisk(t *testing.T) {
	folder := disk(t, "1m")
	path, ballast := filepath.Join(folder, "test.db"), filepath.Join(folder, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 700<<10), 0o644))
	store := must2(Open(path))
	c := planOf(t, "awale", 400)
	stored := begin(t, store, c)
	order := stored.Schedule
	var full error
	saved := 0
	for full == nil && saved < order.Known() {
		record := playedMatch(t, c, saved+1, order.Key(saved+1))
		if full = stored.Put([]results.Record{record}); full == nil {
			saved++
		}
	}
	if full == nil || !strings.Contains(full.Error(), "database "+path+": ") || !strings.Contains(full.Error(), "no space left on device") {
		t.Fatalf("after %d matches: %v", saved, full)
	}
	check := func(when string) {
		t.Helper()
		stored = openRecords(t, store, c.Name)
		numbers := recordedNumbers(t, stored)
		if len(numbers) != saved || numbers[saved-1] != saved {
			t.Fatalf("%s: of %d saved matches the file has %v", when, saved, numbers)
		}
		must2(store.Verify(verification(func(d Difference) { t.Errorf("%s: %v", when, d) })))
	}
	check("full")
	must(t, store.Close())
	store = must2(Open(path))
	check("opened again")
	must(t, os.Remove(ballast))
	for range 20 {
		must(t, stored.Put([]results.Record{playedMatch(t, c, saved+1, order.Key(saved+1))}))
		saved++
	}
	check("with room")
	must(t, store.Close())
	store = must2(OpenRead(path))
	check("read")
	must(t, store.Close())
}

// On a read-only disk, reading works and writing is an error.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	folder := disk(t, "8m")
	path := filepath.Join(folder, "test.db")
	content := sampleFile(t, 3)
	must(t, os.WriteFile(path, content, 0o644))
	must(t, syscall.Mount("sembra-test", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	for _, path := range []string{path, filepath.Join(folder, "new.db")} {
		if _, err := Open(path); err == nil || !strings.HasSuffix(err.Error(), "read-only file system") {
			t.Errorf("%s: %v", path, err)
		}
	}
	store := must2(OpenRead(path))
	defer store.Close()
	_ = must2(store.Verify(verification(func(Difference) {})))
	if string(must2(os.ReadFile(path))) != string(content) {
		t.Error("the file was changed")
	}
}
