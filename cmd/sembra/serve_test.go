//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
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
		if status := s.stop(t, signal); s.output.String() != s.address+"\n" || status != exitDone {
			t.Errorf("after %v it has printed %q, exit status %d", signal, s.output, status)
		}
		const want = "sembra shows cup.db at this address; open it in a browser (Ctrl-C ends it)\n"
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
	equal(t, "the exit status of serve", exitDone, beside.stop(t, syscall.SIGTERM))
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

// TestServedBots: a person can play the bots of the tournament file on the pages of serve, and they end with the
// command, however it ends. If other machines can reach the pages, serve warns, and a flag has to allow to play.
func TestServedBots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "cup.toml", longer("cup"))
	mustRun(t, dir, "run", "cup.toml")
	for name, test := range map[string]struct {
		flags  []string
		status int // of the answer to a person who wants to play
		signal syscall.Signal
	}{
		"interrupted": {nil, http.StatusOK, syscall.SIGINT},
		"killed":      {nil, http.StatusOK, syscall.SIGKILL},
		"reachable":   {[]string{"--addr", "0.0.0.0:0"}, http.StatusForbidden, syscall.SIGINT},
		"allowed":     {[]string{"--addr", "0.0.0.0:0", "--play"}, http.StatusOK, syscall.SIGINT},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mark, file := "served-"+name, name+".toml" // with the same database as cup.toml
			writeFile(t, dir, file, longer(mark))
			s := startServing(t, dir, append(append([]string{"serve", "--addr", "127.0.0.1:0"}, test.flags...), file)...)
			for n, bot := range []string{"first", "last"} {
				page := must2(http.PostForm(s.address+"play/", url.Values{"bot": {bot}, "seat": {"north"}}))
				text := must2(io.ReadAll(page.Body))
				page.Body.Close()
				if page.StatusCode != test.status {
					t.Fatalf("playing %s: %s\n%s", bot, page.Status, text)
				}
				if page.StatusCode != http.StatusOK {
					continue
				}
				if !strings.Contains(string(text), "awale against "+bot) {
					t.Errorf("the page of the match: %s", text)
				}
				if found := len(marked(mark)); found != n+1 && len(marked("PATH=")) > 0 {
					t.Errorf("%d bots run, want %d", found, n+1)
				}
			}
			for _, note := range []string{" can see the pages\n", "nobody can play bots on the pages, "} {
				said, want := strings.Contains(s.errors.String(), note), !strings.HasPrefix(s.address, "http://127.")
				if said != (want && (test.status != http.StatusOK || note[0] == ' ')) {
					t.Errorf("it says %q, at %s", s.errors, s.address)
				}
			}
			if status := s.stop(t, test.signal); test.signal == syscall.SIGINT && status != exitDone {
				t.Errorf("exit status %d, want %d", status, exitDone)
			}
			waitGone(t, mark)
		})
	}
}
