package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/arena/sandbox"
	"sembra/results"
)

func manifest(t *testing.T, tour *Tournament) results.Tournament {
	t.Helper()
	tour.Rating = results.Rating{Start: 1500, K: 16}
	m, err := tour.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	return m
}

// mine is a tournament of a stranger's bot in a folder, with its program and
// its script, and of a built-in one.
func mine(t *testing.T) (tour *Tournament, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"run": "#!/bin/sh\n", "bot.py": "print(1)\n", "table.txt": "1 2 3\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tour = tournament(t, 2, TimeControl{
		Base: 10 * time.Second, Increment: 100 * ms, Margin: 50 * ms, Watchdog: time.Minute, Startup: 10 * time.Second, Depth: 6, Nodes: 9,
	})
	tour.Openings[1] = "0,5,5,5,5,4/4,4,4,4,4,4 0-0 N sow 1 1"
	tour.Seed, tour.DisqualifyAfter = 71, 3
	tour.Isolation = Isolation{
		Mode:   StrictIsolation,
		Limits: sandbox.Limits{Memory: 1 << 30, FamilyMemory: 3 << 30, Processes: 256, Read: []string{"/opt/models"}, Hidden: []string{"/here/spring.db"}},
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
	of := func(bot, name, value string) results.Setting {
		return results.Setting{Name: "bot " + bot + ": " + name, Bot: bot, Value: value}
	}
	table := filepath.Join(dir, "table.txt")
	want := results.Tournament{
		Name: "test", Family: "test", Ruleset: "awale", Format: "round-robin", Rounds: 1, Pairs: 2,
		Bots: []string{"mine", "greedy"}, Openings: []string{startText, "0,5,5,5,5,4/4,4,4,4,4,4 0-0 N sow 1 1"},
		Rating: results.Rating{Start: 1500, K: 16}, DisqualifyAfter: 3,
		Settings: []results.Setting{
			{Name: "tournament.seed", Value: "71"},
			{Name: "time.move", Value: "0s"},
			{Name: "time.base", Value: "10s"},
			{Name: "time.increment", Value: "100ms"},
			{Name: "time.nodes", Value: "9"},
			{Name: "time.depth", Value: "6"},
			{Name: "time.margin", Value: "50ms"},
			{Name: "time.watchdog", Value: "1m0s"},
			{Name: "time.startup", Value: "10s"},
			{Name: "time.pause", Value: "false"},
			{Name: "isolation.mode", Value: "strict"},
			{Name: "isolation.memory", Value: "1GiB"},
			{Name: "isolation.processes", Value: "256"},
			{Name: "isolation.network", Value: "false"},
			{Name: "isolation.read", Value: `["/opt/models"]`},
			{Name: "isolation.family_memory", Value: "3GiB"},
			{Name: "isolation.temp", Value: "64MiB"},
			of("mine", "command", `["./run" "bot.py" "--depth" "6" "bot.py" "nowhere.txt" "`+table+`"]`),
			of("mine", "dir", "bots/mine"),
			of("mine", "content of ./run", sum("#!/bin/sh\n")),
			of("mine", "content of bot.py", sum("print(1)\n")),
			of("mine", "content of "+table, sum("1 2 3\n")),
			of("mine", "env", `["THREADS=1" "X=2"]`),
			of("mine", "options", `["Depth=6" "Clear="]`),
			of("mine", "protocol", "mbi"),
			of("mine", "restart", "true"),
			of("greedy", "builtin", "greedy"),
			of("greedy", "env", "[]"),
			of("greedy", "options", "[]"),
			of("greedy", "protocol", "mbi"),
			of("greedy", "restart", "false"),
		},
	}
	if diff := cmp.Diff(want, manifest(t, tour)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// The same again is no change.
	if _, err := manifest(t, tour).Continue(manifest(t, tour)); err != nil {
		t.Error(err)
	}
}

// TestManifestChanges lists the settings that differ after a change.
func TestManifestChanges(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	command := func(e *guest.Entry, change func(*guest.Command)) {
		c := e.Launcher.(guest.Command)
		c.Args = slices.Clone(c.Args)
		change(&c)
		e.Launcher = c
	}
	for _, test := range []struct {
		name   string
		change func(t *testing.T, tour *Tournament, dir string)
		want   []string
	}{
		{"nothing", func(*testing.T, *Tournament, string) {}, nil},
		{"a file again as it was", func(t *testing.T, _ *Tournament, dir string) {
			write(t, filepath.Join(dir, "bot.py"), "print(1)\n")
		}, nil},
		{"the script", func(t *testing.T, _ *Tournament, dir string) {
			write(t, filepath.Join(dir, "bot.py"), "print(2)\n")
		}, []string{"bot mine: content of bot.py"}},
		{"the program", func(t *testing.T, _ *Tournament, dir string) {
			write(t, filepath.Join(dir, "run"), "#!/bin/bash\n")
		}, []string{"bot mine: content of ./run"}},
		{"a file is gone", func(t *testing.T, tour *Tournament, dir string) {
			if err := os.Remove(filepath.Join(dir, "bot.py")); err != nil {
				t.Fatal(err)
			}
		}, []string{"bot mine: content of bot.py"}},
		{"a file has come", func(t *testing.T, tour *Tournament, dir string) {
			write(t, filepath.Join(dir, "nowhere.txt"), "")
		}, []string{"bot mine: content of nowhere.txt"}},
		{"a file that is not named", func(t *testing.T, _ *Tournament, dir string) {
			write(t, filepath.Join(dir, "module.py"), "x = 1\n")
		}, nil},
		{"an argument", func(_ *testing.T, tour *Tournament, _ string) {
			command(&tour.Entries[0], func(c *guest.Command) { c.Args[3] = "7" })
		}, []string{"bot mine: command"}},
		{"the environment", func(_ *testing.T, tour *Tournament, _ string) {
			tour.Entries[0].Environment = []string{"THREADS=2", "X=2"}
		}, []string{"bot mine: env"}},
		{"an option", func(_ *testing.T, tour *Tournament, _ string) {
			tour.Entries[0].Options = []protocol.OptionValue{{Name: "Depth", Value: "7"}, {Name: "Clear"}}
		}, []string{"bot mine: options"}},
		{"the usual temporary folder", func(_ *testing.T, tour *Tournament, _ string) {
			tour.Isolation.Temp = 64 << 20
		}, nil},
		{"the temporary folder", func(_ *testing.T, tour *Tournament, _ string) {
			tour.Isolation.Temp = 1 << 30
		}, []string{"isolation.temp"}},
		{"restart", func(_ *testing.T, tour *Tournament, _ string) { tour.Entries[1].Restart = true }, []string{"bot greedy: restart"}},
		{"the user's environment", func(_ *testing.T, tour *Tournament, _ string) {
			command(&tour.Entries[0], func(c *guest.Command) { c.Env = append([]string{"LANG=C"}, c.Env...) })
		}, nil},
		{"the place of the executable", func(_ *testing.T, tour *Tournament, _ string) {
			command(&tour.Entries[1], func(c *guest.Command) { c.Args[0], c.Dir = "/elsewhere/sembra", "/elsewhere" })
		}, nil},
		{"another built-in bot", func(_ *testing.T, tour *Tournament, _ string) {
			tour.Entries[1].Builtin = "minimax"
		}, []string{"bot greedy: builtin"}},
		{"the clock", func(_ *testing.T, tour *Tournament, _ string) { tour.Time.Base++ }, []string{"time.base"}},
		{"the seed", func(_ *testing.T, tour *Tournament, _ string) { tour.Seed++ }, []string{"tournament.seed"}},
		{"concurrency", func(_ *testing.T, tour *Tournament, _ string) { tour.Concurrency++ }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			tour, dir := mine(t)
			before := manifest(t, tour)
			test.change(t, tour, dir)
			after := manifest(t, tour)
			values := make(map[results.Setting]bool)
			for _, s := range before.Settings {
				values[s] = true
			}
			var got []string
			for _, s := range after.Settings {
				if !values[s] {
					got = append(got, s.Name)
				}
				delete(values, s)
			}
			for s := range values { // what is left has gone, or changed
				if !slices.Contains(got, s.Name) {
					got = append(got, s.Name)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("changed are %q, want %q", got, test.want)
			}
			_, err := before.Continue(after)
			if refused := err != nil; refused != (test.want != nil) {
				t.Errorf("going on with it: %v", err)
			}
			for _, name := range test.want {
				if err != nil && !strings.Contains(err.Error(), name) {
					t.Errorf("the refusal does not name %q: %v", name, err)
				}
			}
		})
	}
}
