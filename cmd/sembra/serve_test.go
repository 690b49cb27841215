//go:build unix

package main

import (
	"bufio"
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
)

// served is a process of sembra that serves pages.
type served struct {
	cmd     *exec.Cmd
	address string        // of the first page
	output  *bufio.Reader // what follows the address
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

// startServing starts sembra in a folder and waits until it prints an address.
func startServing(t *testing.T, dir string, args ...string) *served {
	t.Helper()
	s := &served{cmd: exec.Command("sembra", args...), errors: new(lockedBuffer)}
	s.cmd.Dir, s.cmd.Stderr = dir, s.errors
	stdout, err := s.cmd.StdoutPipe()
	mustBe(t, err)
	mustBe(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.output = bufio.NewReader(stdout)
	line, err := s.output.ReadString('\n')
	if err != nil {
		_ = s.cmd.Wait()
		t.Fatalf("sembra %s printed no address: %v\n%s", strings.Join(args, " "), err, s.errors)
	}
	s.address = strings.TrimSuffix(line, "\n")
	return s
}

// get returns the status and the text of a page.
func (s *served) get(t *testing.T, address string) (int, string) {
	t.Helper()
	response, err := http.Get(s.address + address)
	mustBe(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	mustBe(t, err)
	return response.StatusCode, string(text)
}

// stop sends a signal, and returns the rest of the output and the exit status.
func (s *served) stop(t *testing.T, signal syscall.Signal) (rest string, status int) {
	t.Helper()
	mustBe(t, s.cmd.Process.Signal(signal))
	text, err := io.ReadAll(s.output)
	mustBe(t, err)
	_ = s.cmd.Wait() // the status tells
	return string(text), s.cmd.ProcessState.ExitCode()
}

// TestServe: serve prints the address of a free port and nothing else on its standard output, shows the pages until a
// signal comes, and lets a run begin meanwhile.
func TestServe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "cup.toml", quickCup)
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
		rest, status := s.stop(t, signal)
		if rest != "" || status != exitStopped {
			t.Errorf("after %v it printed %q, exit status %d", signal, rest, status)
		}
		const want = "sembra shows cup.db at this address; open it in a browser (Ctrl-C ends it)\nsembra: stopped by a signal\n"
		if got := s.errors.String(); got != want {
			t.Errorf("it said %q, want %q", got, want)
		}
	}
}

// quickCup is a tournament file of one pair of matches.
const quickCup = `
[tournament]
name = "cup"
ruleset = "awale"
database = "cup.db"
pairs = 1
[isolation]
mode = "none"
[[bot]]
name = "greedy"
builtin = "greedy"
[[bot]]
name = "random"
builtin = "random"
`
