package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// disk is a small file system in memory. A file fills most of it.
type disk struct{ folder string }

// newDisk mounts a file system in a folder, if the user may do that.
func newDisk(t *testing.T, folder string) disk {
	t.Helper()
	must(t, os.Mkdir(folder, 0o755))
	if err := syscall.Mount("sembra-test", folder, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("no file system can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return disk{folder}
}

// leave fills the disk and leaves that many bytes free.
func (d disk) leave(t *testing.T, room int64) {
	t.Helper()
	d.clear(t)
	path := filepath.Join(d.folder, "ballast")
	_ = os.WriteFile(path, make([]byte, 8<<20), 0o600) // as much as there is room for
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, info.Size()-room)
	}
	must(t, err)
}

// clear makes room.
func (d disk) clear(t *testing.T) {
	t.Helper()
	must(t, os.RemoveAll(filepath.Join(d.folder, "ballast")))
}

// TestFullDisk: if the disk is full in the middle of a run, the program says so and keeps what is saved. With room again,
// the same command plays the rest.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	d := newDisk(t, filepath.Dir(s.dir)+"/disk")
	want := undisturbed(t)
	db := filepath.Join(d.folder, "cup.db")
	d.leave(t, 96<<10)
	saved := 0
	for range 2 { // it is as full as before
		stdout, stderr, status := s.sembra("run", "cup.toml", "--db", db, "--concurrency", "3")
		last := stderr[strings.LastIndex(strings.TrimSpace(stderr), "\n")+1:]
		if status != exitWrong || stdout != "" || !strings.HasPrefix(last, "sembra: database "+db+": ") ||
			!strings.Contains(last, ": no space left on device") || regexp.MustCompile(`\) failed, |first loses`).MatchString(stderr) {
			t.Errorf("exit status %d, %q\n%s", status, stdout, stderr)
		}
		s.must(t, "verify", "--db", db)
		lines := must2(readLines(s.must(t, "matches", "--db", db, "--format", "jsonl")))
		if len(lines) < saved || len(lines) == 0 || len(lines) == hardships {
			t.Errorf("%d matches are saved, %d were before", len(lines), saved)
		}
		saved = len(lines)
	}
	d.clear(t)
	equal(t, "after a full disk", want, s.finish(t, db))
	must(t, os.Remove(db))
	waitGone(t, s.mark)
}

// TestFullCopy: without room for a copy of the database, no match is taken out of it.
func TestFullCopy(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	d := newDisk(t, filepath.Dir(s.dir)+"/disk")
	db := filepath.Join(d.folder, "cup.db")
	want := s.finish(t, db)
	d.leave(t, 16<<10)
	_, stderr, status := s.sembra("run", "cup.toml", "--db", db, "--replace", "first")
	if status != exitWrong || !strings.Contains(stderr, ": it cannot be copied: ") {
		t.Errorf("exit status %d\n%s", status, stderr)
	}
	d.clear(t)
	equal(t, "after a full disk", want, s.finish(t, db))
	waitGone(t, s.mark)
}

// TestFullLog: if there is no room for the logs, a match without its log does not count, and no bot loses it.
func TestFullLog(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	d := newDisk(t, filepath.Dir(s.dir)+"/disk")
	want := undisturbed(t)
	d.leave(t, 40<<10) // no log can be made to its end
	for range 2 {
		_, stderr, status := s.sembra("run", "cup.toml", "--db", "cup.db", "--concurrency", "2", "--log-io", filepath.Join(d.folder, "logs"))
		said := regexp.MustCompile(`(?m)^sembra: match [0-9]+ \(.*\) failed twice in a row: the runner failed: .*: no space left on device`)
		if status != exitWrong || !said.MatchString(stderr) || regexp.MustCompile(`(first|parent) loses`).MatchString(stderr) {
			t.Errorf("exit status %d\n%s", status, stderr)
		}
		s.must(t, "verify", "--db", "cup.db")
	}
	if voids := s.must(t, "matches", "--db", "cup.db", "--void", "--format", "csv"); !strings.Contains(voids, "no space left on device") {
		t.Errorf("the void matches are\n%s", voids)
	}
	d.clear(t)
	equal(t, "after a full disk", want, s.finish(t, "cup.db"))
	waitGone(t, s.mark)
}
