//go:build unix

package main

import (
	"bufio"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestServeRun: a run shows its own pages, and sembra serve follows it from a file that did not exist. Neither the pages
// nor their readers keep the run from beginning or from ending.
func TestServeRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "cup.toml", longer("pages"))
	writeFile(t, dir, "slow", "")
	writeFile(t, dir, "held", "")
	beside := startServing(t, dir, "serve", "cup.toml", "--addr", "127.0.0.1:0")
	run := startServing(t, dir, "run", "cup.toml", "--concurrency", "1", "--serve", "--addr", "127.0.0.1:0")
	run.await(t, "t/cup/", "0 of 12 matches")
	beside.await(t, "t/cup/", "0 of 12 matches")
	live := must2(http.Get(run.address + "t/cup/live"))
	defer live.Body.Close() // it reads nothing while the run ends
	events := bufio.NewScanner(live.Body)
	events.Buffer(nil, 16<<20)
	for !strings.Contains(events.Text(), `"running":true,"count":1`) {
		if !events.Scan() {
			t.Fatalf("the events have ended: %v", events.Err())
		}
	}
	for _, name := range []string{"held", "slow"} {
		must(t, os.Remove(filepath.Join(dir, name)))
	}
	if err := run.cmd.Wait(); err != nil {
		t.Fatalf("the run ended with %v\n%s", err, run.errors)
	}
	if said := run.errors.String(); !strings.Contains(said, "the pages have ended with the run; to see them again: sembra serve cup.db\n") {
		t.Errorf("the run says %q", said)
	}
	if _, err := http.Get(run.address); err == nil {
		t.Error("the pages stay after the run")
	}
	beside.await(t, "t/cup/", "12 of 12 matches")
	equal(t, "the exit status of serve", exitStopped, beside.stop(t, syscall.SIGTERM))

	stdout, stderr, status := sembra(t, dir, "run", "cup.toml", "--serve", "--addr", "nowhere")
	if status != exitUsage || stdout != "" || !strings.Contains(stderr, `--addr is "nowhere"`) {
		t.Errorf("status %d, %q", status, stderr)
	}
}

// await waits until a page has a text.
func (s *served) await(t *testing.T, address, text string) {
	t.Helper()
	page := ""
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(20 * time.Millisecond) {
		if _, page = s.get(t, address); strings.Contains(page, text) {
			return
		}
	}
	t.Fatalf("%s has no %q:\n%s", address, text, page)
}
