//go:build unix

package main

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
)

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
				said, want := strings.Contains(s.errors.String(), note), strings.HasPrefix(s.address, "http://localhost:")
				if said != (want && (test.status != http.StatusOK || note[0] == ' ')) {
					t.Errorf("it says %q, at %s", s.errors, s.address)
				}
			}
			if status := s.stop(t, test.signal); test.signal == syscall.SIGINT && status != exitStopped {
				t.Errorf("exit status %d, want %d", status, exitStopped)
			}
			waitGone(t, mark)
		})
	}
}
