//go:build unix

package main

import (
	"bufio"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestServedBots: a person can play the bots of the tournament file on the pages of serve, and they end with the
// command, however it ends.
func TestServedBots(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir, mark := t.TempDir(), "served-"+signal.String()
			writeFile(t, dir, "cup.toml", longer(mark))
			mustRun(t, dir, "run", "cup.toml")
			waitGone(t, mark)
			cmd, address := startServe(t, dir, "cup.toml")
			for _, bot := range []string{"first", "last"} {
				page, err := http.PostForm(address+"play/", url.Values{"bot": {bot}, "seat": {"north"}})
				mustBe(t, err)
				text, err := io.ReadAll(page.Body)
				mustBe(t, err)
				page.Body.Close()
				if page.StatusCode != http.StatusOK || !strings.Contains(string(text), "awale against "+bot) {
					t.Fatalf("playing %s: %s\n%s", bot, page.Status, text)
				}
			}
			if n := len(marked(mark)); n != 2 && len(marked("PATH=")) > 0 {
				t.Errorf("%d bots run, want 2", n)
			}
			mustBe(t, cmd.Process.Signal(signal))
			_ = cmd.Wait() // its exit status is looked at below
			if status := cmd.ProcessState.ExitCode(); signal == syscall.SIGINT && status != exitStopped {
				t.Errorf("exit status %d, want %d", status, exitStopped)
			}
			waitGone(t, mark)
		})
	}
}

// TestServeNobodyPlays: nobody can play on pages that other machines can reach, unless a flag allows it.
func TestServeNobodyPlays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "cup.toml", longer("nobody-plays"))
	mustRun(t, dir, "run", "cup.toml")
	for name, test := range map[string]struct {
		flags  []string
		status int
	}{
		"off":     {[]string{"--addr", "0.0.0.0:0"}, http.StatusForbidden},
		"allowed": {[]string{"--addr", "0.0.0.0:0", "--play"}, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, address := startServe(t, dir, append(test.flags, "cup.toml")...)
			page, err := http.PostForm(address+"play/", url.Values{"bot": {"first"}})
			mustBe(t, err)
			defer page.Body.Close()
			if page.StatusCode != test.status {
				t.Errorf("%s, want %d", page.Status, test.status)
			}
		})
	}
}

// startServe starts serve at a free port, and returns the address of the first page. The command ends with the test.
func startServe(t *testing.T, dir string, args ...string) (cmd *exec.Cmd, address string) {
	t.Helper()
	cmd = exec.Command("sembra", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	mustBe(t, err)
	mustBe(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("serve prints no address")
	}
	return cmd, lines.Text()
}
