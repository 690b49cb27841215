package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReportStopped: a report that a signal stops leaves nothing, and an older report stays. It runs the program in this
// process, and so beside no other test, as TestLostOutput does.
func TestReportStopped(t *testing.T) {
	for _, c := range []struct{ name, output, file string }{
		{"a file", "report.html", "report.html"},
		{"a folder", "site/", "site/index.html"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			db := filepath.Join(dir, "cup.db")
			mustRun(t, dir, "duel", "greedy", "random", "--db", db)
			report := func(ctx context.Context) error {
				app := newApp(strings.NewReader(""), io.Discard, io.Discard)
				return app.RunContext(ctx, []string{"sembra", "report", "--db", db, "--output", filepath.Join(dir, "") + "/" + c.output})
			}
			stopped, stop := context.WithCancel(t.Context())
			stop()
			if err := report(stopped); exitStatus(err) != exitStopped {
				t.Errorf("error %v, want one with exit status %d", err, exitStopped)
			}
			checkFolder(t, dir, "cup.db")
			must(t, report(t.Context()))
			before := must2(os.ReadFile(filepath.Join(dir, c.file)))
			mustRun(t, dir, "duel", "greedy", "random", "--db", db, "--pairs", "2")
			if err := report(stopped); exitStatus(err) != exitStopped {
				t.Errorf("error %v, want one with exit status %d", err, exitStopped)
			}
			after := must2(os.ReadFile(filepath.Join(dir, c.file)))
			if string(after) != string(before) {
				t.Error("the older report has changed")
			}
			checkFolder(t, dir, "cup.db", strings.Split(c.file, "/")[0])
		})
	}
}

// checkFolder checks the names of what is in a folder.
func checkFolder(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries := must2(os.ReadDir(dir))
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(want, " "); got != want {
		t.Errorf("the folder has %s, want %s", got, want)
	}
}
