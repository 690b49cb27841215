package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"testing"
	"time"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/results"
)

func manifest(t *testing.T, tour *Tournament) results.Plan {
	t.Helper()
	tour.Rating = results.Rating{Start: 1500, K: 16}
	m := must2(tour.Manifest())
	if err := (results.Tournament{Plan: m, Family: m.Name}).Check(); err != nil {
		t.Error(err)
	}
	return m
}

// mine is a tournament of a stranger's bot in a folder, with its program and its script, and of a built-in one.
func mine(t *testing.T) (tour *Tournament, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"run": "#!/bin/sh\n", "bot.py": "print(1)\n", "table.txt": "1 2 3\n"} {
		lay(t, dir, 0o700, text, name)
	}
	tour = tournament(t, 2, TimeControl{
		Base: 10 * time.Second, Increment: 100 * ms, Margin: 50 * ms, Watchdog: time.Minute, Startup: 10 * time.Second, Depth: 6, Nodes: 9,
		Pause: true,
	})
	tour.Openings = []string{startText, "0,5,5,5,5,4/4,4,4,4,4,4 0-0 N sow 1 1"}
	tour.Seed, tour.DisqualifyAfter = 71, 3
	tour.Isolation = Isolation{
		results.Isolation{Mode: StrictIsolation, Memory: 1 << 30, MemoryTotal: 3 << 30, Processes: 256, Read: []string{"/opt/models"}},
		[]string{"/here/spring.db"},
	}
	tour.Entries = []guest.Entry{
		{
			Name: "mine", Folder: "bots/mine", Environment: []string{"THREADS=1", "X=2"}, Restart: true,
			Launcher: guest.Command{
				Args: []string{"./run", "bot.py", "--depth", "6", "bot.py", "nowhere.txt", filepath.Join(dir, "table.txt")},
				Dir:  dir, Env: []string{"PATH=/bin", "THREADS=1", "X=2"},
			},
			Options: []protocol.OptionValue{{Name: "Depth", Value: "6"}, {Name: "Clear"}},
		},
		{Name: "greedy", Builtin: "greedy", Launcher: guest.Command{Args: []string{"/here/sembra", "bot", "greedy"}, Dir: dir}},
	}
	return tour, dir
}

func TestManifest(t *testing.T) {
	t.Parallel()
	tour, dir := mine(t)
	sum := func(text string) string {
		hash := sha256.Sum256([]byte(text))
		return "sha256:" + hex.EncodeToString(hash[:8])
	}
	table := filepath.Join(dir, "table.txt")
	want := results.Plan{
		Name: "test", Conditions: results.Conditions{Ruleset: "awale", Rounds: 1, Time: results.TimeControl{
			Base: 10 * time.Second, Increment: 100 * ms, Margin: 50 * ms, Watchdog: time.Minute, Startup: 10 * time.Second,
			Depth: 6, Nodes: 9, Pause: true,
		}}, Format: "round-robin", Pairs: 2,
		Bots: []string{"mine", "greedy"}, Openings: []string{startText, "0,5,5,5,5,4/4,4,4,4,4,4 0-0 N sow 1 1"},
		Rating: results.Rating{Start: 1500, K: 16}, DisqualifyAfter: 3,
		Seed: 71,
		Isolation: results.Isolation{
			Mode: "strict", Memory: 1 << 30, Processes: 256, Read: []string{"/opt/models"}, MemoryTotal: 3 << 30, Temp: 64 << 20,
		},
		Programs: map[string]results.Program{
			"mine": {
				Command: []string{"./run", "bot.py", "--depth", "6", "bot.py", "nowhere.txt", table}, Folder: "bots/mine",
				Files:       map[string]string{"./run": sum("#!/bin/sh\n"), "bot.py": sum("print(1)\n"), table: sum("1 2 3\n")},
				Environment: []string{"THREADS=1", "X=2"}, Options: []string{"Depth=6", "Clear="}, Protocol: "mbi", Restart: true,
			},
			"greedy": {Builtin: "greedy", Protocol: "mbi"},
		},
	}
	equal(t, "the manifest", want, manifest(t, tour))
	// The same again is no change.
	if _, err := (results.Tournament{Plan: want, Family: "test"}).Continue(manifest(t, tour)); err != nil {
		t.Error(err)
	}
}
