//go:build unix

package workers

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/arena"
)

// TestBrokenBot: a bot that starts nowhere forfeits its matches. It keeps no worker from those of other bots with the
// same interpreter.
func TestBrokenBot(t *testing.T) {
	t.Parallel()
	tour := cup(t, 1)
	for name, script := range map[string]string{"broken": "exit 3\n", "whole": "exec '" + os.Args[0] + "' bot random\n"} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "bot.sh"), []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
		tour.Entries = append(tour.Entries, arena.Entry{
			Name: name, Folder: folder, Launcher: arena.Command{Args: []string{"sh", "bot.sh"}, Dir: folder, Env: arena.CleanEnvironment()},
		})
	}
	want := locally(t, tour)
	s := serving(t)
	run := *tour
	run.Concurrency = 0
	r, _ := hosting(t, s, &run)
	run.Away = r
	working(t, s, "alpha")
	k := newKept()
	if err := run.Run(t.Context(), nil, k, func(arena.Event) {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, k.timeless(t, tour)); diff != "" {
		t.Errorf("(-here +there)\n%s", diff)
	}
	if err := r.Close(true); err != nil {
		t.Error(err)
	}
}
