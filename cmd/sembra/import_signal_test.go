//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestImportStopped: a signal ends an import that waits for its input, and nothing is stored.
func TestImportStopped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file string }{
		{"standard input", "-"},
		{"a pipe that nobody writes to", "pipe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			mustBe(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
			cmd := exec.Command("sembra", "import", c.file, "--db", "new.db")
			var stderr strings.Builder
			cmd.Dir, cmd.Stderr = dir, &stderr
			_, err := cmd.StdinPipe()
			mustBe(t, err)
			mustBe(t, cmd.Start())
			db := filepath.Join(dir, "new.db")
			for { // import makes the database after it has begun to catch signals
				if _, err := os.Stat(db); err == nil {
					break
				}
				time.Sleep(time.Millisecond)
			}
			mustBe(t, cmd.Process.Signal(os.Interrupt))
			_ = cmd.Wait() // its exit status is looked at below
			if status := cmd.ProcessState.ExitCode(); status != exitStopped {
				t.Errorf("exit status %d, want %d", status, exitStopped)
			}
			if got, want := stderr.String(), "sembra: stopped by a signal; nothing was imported\n"; got != want {
				t.Errorf("it says %q, want %q", got, want)
			}
			if _, err := os.Stat(db); err == nil {
				t.Error("it left a database")
			}
		})
	}
}
