//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// served is a process of sembra that serves pages.
type served struct {
	cmd     *exec.Cmd
	address string // of the first page
	output  *lockedBuffer
	errors  *lockedBuffer
}

// lockedBuffer is a buffer that a process fills while a test reads it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(text)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// startServing starts sembra in a folder and waits until it says an address.
func startServing(t *testing.T, dir string, args ...string) *served {
	t.Helper()
	s := &served{cmd: exec.Command("sembra", args...), output: new(lockedBuffer), errors: new(lockedBuffer)}
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = dir, s.output, s.errors
	must(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	for begun := time.Now(); s.address == ""; time.Sleep(10 * time.Millisecond) {
		s.address = regexp.MustCompile(`http://\S+/`).FindString(s.output.String() + s.errors.String())
		if time.Since(begun) > patience {
			t.Fatalf("sembra %s says no address: %s", strings.Join(args, " "), s.errors)
		}
	}
	return s
}

// get returns the status and the text of a page.
func (s *served) get(t *testing.T, address string) (int, string) {
	t.Helper()
	response := must2(http.Get(s.address + address))
	defer response.Body.Close()
	text := must2(io.ReadAll(response.Body))
	return response.StatusCode, string(text)
}

// stop sends a signal, and returns the exit status.
func (s *served) stop(t *testing.T, signal syscall.Signal) (status int) {
	t.Helper()
	must(t, s.cmd.Process.Signal(signal))
	_ = s.cmd.Wait() // the status tells
	return s.cmd.ProcessState.ExitCode()
}

// TestServe: serve prints the address of a free port and nothing else on its standard output, shows the pages until a
// signal comes, and lets a run begin meanwhile.
func TestServe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "cup.toml", pairsOf("cup", "awale"))
	mustRun(t, dir, "run", "cup.toml")
	for i, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		s := startServing(t, dir, "serve", "cup.toml", "--addr", "127.0.0.1:0")
		if !regexp.MustCompile(`^http://127\.0\.0\.1:[1-9][0-9]*/$`).MatchString(s.address) {
			t.Fatalf("it printed %q", s.address)
		}
		if status, page := s.get(t, ""); status != 200 || !strings.Contains(page, `<a href="/t/cup/">cup</a>`) {
			t.Errorf("the first page: status %d\n%s", status, page)
		}
		mustRun(t, dir, "run", "cup.toml", "--fresh")
		// The server may have read the file while the run wrote it. It then hears of the end a moment later.
		s.await(t, fmt.Sprintf("t/cup-%d/", i+2), "2 of 2 matches")
		if status := s.stop(t, signal); s.output.String() != s.address+"\n" || status != exitStopped {
			t.Errorf("after %v it has printed %q, exit status %d", signal, s.output, status)
		}
		const want = "sembra shows cup.db at this address; open it in a browser (Ctrl-C ends it)\nsembra: stopped by a signal\n"
		equal(t, "standard error", want, s.errors.String())
	}
}

// pairsOf is a tournament file: two built-in bots meet in both seats.
func pairsOf(name, ruleset string) string {
	return fmt.Sprintf(`
[tournament]
name = %q
ruleset = %q
database = "cup.db"
[openings]
plies = 2
[isolation]
mode = "none"
[[bot]]
name = "greedy"
builtin = "greedy"
[[bot]]
name = "random"
builtin = "random"
`, name, ruleset)
}
