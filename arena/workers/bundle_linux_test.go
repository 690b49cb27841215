package workers

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"sembra/arena"
)

// TestCacheOfUser: a user without special rights can fill a cache, and cannot change what is in it. The rights of root
// are taken from one thread alone.
func TestCacheOfUser(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	file := filepath.Join(top, "bot.py")
	must(t, os.WriteFile(file, []byte("pass"), 0o644))
	bundle := new(bytes.Buffer)
	name, _, err := pack(bundle, []arena.BotFile{{Path: "lib/bot.py", From: file, Size: 4}, {Path: "bot.py", From: file, Size: 4}})
	must(t, err)
	c := cache{filepath.Join(top, "bots")}
	must(t, c.prepare())
	t.Cleanup(func() { _ = removeAll(c.folder) })
	const nobody = 65534
	if os.Geteuid() == 0 {
		must(t, errors.Join(os.Chown(c.folder, nobody, nobody), os.Chmod(top, 0o755), os.Chmod(filepath.Dir(top), 0o755)))
	}
	done := make(chan struct{})
	var unable error // to become such a user
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		if os.Geteuid() == 0 {
			if unable = unix.Setfsuid(nobody); unable == nil {
				_, unable = os.Stat(c.folder)
			}
		}
		if unable != nil {
			return
		}
		if err := c.add(name, mostBundle, bundle); err != nil {
			t.Error(err)
			return
		}
		for _, path := range []string{"bot.py", "new", "lib/new"} {
			if f, err := os.OpenFile(filepath.Join(c.folderOf(name), path), os.O_WRONLY|os.O_CREATE, 0o644); err == nil {
				t.Errorf("%s can be written to", path)
				_ = f.Close()
			}
		}
	}()
	<-done
	if unable != nil {
		t.Skip(unable)
	}
}
