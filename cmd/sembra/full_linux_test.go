package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// disk is a small file system in memory. A file fills most of it.
type disk struct{ folder string }

// newDisk mounts a file system in a folder, if the user may do that.
func newDisk(t *testing.T, folder string) disk {
	t.Helper()
	mustBe(t, os.Mkdir(folder, 0o755))
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
	mustBe(t, err)
}

// clear makes room.
func (d disk) clear(t *testing.T) {
	t.Helper()
	mustBe(t, os.RemoveAll(filepath.Join(d.folder, "ballast")))
}

// TestFullDisk: if the disk is full in the middle of a run, the program says so and
// keeps what is saved. With room again, the same command plays the rest.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := newSite(t, "auto")
	d := newDisk(t, s.mark[strings.IndexByte(s.mark, '=')+1:]+"/disk")
	want := undisturbed(t)
	most := 0
	rooms := []int64{96 << 10}
	for _, room := range rooms {
		db := filepath.Join(d.folder, "cup.db")
		d.leave(t, room)
		saved := 0
		for again := range 2 { // it is as full as before
			stdout, stderr, status := s.sembra("run", "cup.toml", "--db", db, "--concurrency", "3")
			lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
			last := lines[len(lines)-1]
			if status != exitWrong || stdout != "" || !strings.HasPrefix(last, "sembra: database "+db+": ") ||
				!strings.Contains(last, ": no space left on device") {
				t.Errorf("%d KiB: exit status %d, %q\n%s", room>>10, status, stdout, stderr)
			}
			if strings.Contains(stderr, ") failed, ") || strings.Contains(stderr, "first loses") {
				t.Errorf("%d KiB:\n%s", room>>10, stderr)
			}
			stdout, stderr, status = s.sembra("verify", "--db", db)
			now := 0
			switch {
			case status == exitDone && strings.HasPrefix(stdout, "no matches of 1 tournament"):
			case status == exitDone:
				if _, err := fmt.Sscanf(stdout, "%d match", &now); err != nil {
					t.Error(err)
				}
			case saved > 0 || status != exitWrong || !saysNothingStored(stderr):
				t.Errorf("%d KiB: verify: exit status %d\n%s%s", room>>10, status, stdout, stderr)
			}
			if now < saved || now == hardships {
				t.Errorf("%d KiB: %d matches are saved, %d were before", room>>10, now, saved)
			}
			saved, most = now, max(most, now)
			if again == 1 && now > 0 {
				lines, err := readLines(s.must(t, "matches", "--db", db, "--format", "jsonl"))
				if err != nil || len(lines) != saved {
					t.Errorf("%d KiB: %d matches are listed: %v", room>>10, len(lines), err)
				}
			}
		}
		d.clear(t)
		if diff := cmp.Diff(want, s.finish(t, db)); diff != "" {
			t.Errorf("%d KiB (-undisturbed +full):\n%s", room>>10, diff)
		}
		mustBe(t, os.Remove(db))
	}
	if most == 0 {
		t.Error("the disk was never full in the middle of a run")
	}
	waitGone(t, s.mark)
}

// TestFullLog: if there is no room for the logs, a match without its log does not
// count, and no bot loses it.
func TestFullLog(t *testing.T) {
	t.Parallel()
	s := newSite(t, "auto")
	d := newDisk(t, s.mark[strings.IndexByte(s.mark, '=')+1:]+"/disk")
	want := undisturbed(t)
	for _, room := range []int64{40 << 10} { // no log can be made to its end
		db := fmt.Sprintf("%d.db", room)
		logs := filepath.Join(d.folder, "logs")
		d.leave(t, room)
		for range 2 {
			_, stderr, status := s.sembra("run", "cup.toml", "--db", db, "--concurrency", "2", "--log-io", logs)
			said := regexp.MustCompile(`(?m)^sembra: match [0-9]+ \(.*\) failed twice in a row: the runner failed: .*: no space left on device( \([0-9]+ of 42 matches are saved in .*)?$`)
			if status != exitWrong || !said.MatchString(stderr) {
				t.Errorf("%d KiB: exit status %d\n%s", room>>10, status, stderr)
			}
			if strings.Contains(stderr, "first loses") || strings.Contains(stderr, "parent loses") {
				t.Errorf("%d KiB:\n%s", room>>10, stderr)
			}
			s.must(t, "verify", "--db", db)
		}
		voids := s.must(t, "matches", "--db", db, "--void", "--format", "csv")
		if !strings.Contains(voids, "no space left on device") {
			t.Errorf("%d KiB: the void matches are\n%s", room>>10, voids)
		}
		d.clear(t)
		if diff := cmp.Diff(want, s.finish(t, db)); diff != "" {
			t.Errorf("%d KiB (-undisturbed +full):\n%s", room>>10, diff)
		}
		mustBe(t, os.RemoveAll(logs))
	}
	waitGone(t, s.mark)
}
