package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"testing"

	"sembra/arena/guest"
	"sembra/arena/protocol"
	"sembra/arena/sandbox"
	"sembra/results"
)

// TestPrograms: of a stranger's bot in a folder, with its program and its script, of a built-in one, and not of one that
// has withdrawn.
func TestPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"run": "#!/bin/sh\n", "bot.py": "print(1)\n", "table.txt": "1 2 3\n"} {
		lay(t, dir, 0o700, text, name)
	}
	table := filepath.Join(dir, "table.txt")
	sum := func(text string) string {
		hash := sha256.Sum256([]byte(text))
		return "sha256:" + hex.EncodeToString(hash[:8])
	}
	got := must2(Programs([]guest.Entry{
		{
			Name: "mine", Folder: "bots/mine", Environment: []string{"THREADS=1", "X=2"}, Restart: true,
			EnvFrom: []string{"API_KEY"}, Allowance: sandbox.Allowance{Network: true, Memory: 4 << 30},
			Launcher: guest.Command{
				Args: []string{"./run", "bot.py", "--depth", "6", "bot.py", "nowhere.txt", table},
				Dir:  dir, Env: []string{"PATH=/bin", "THREADS=1", "X=2"},
			},
			Options: []protocol.OptionValue{{Name: "Depth", Value: "6"}, {Name: "Clear"}},
		},
		{Name: "greedy", Builtin: "greedy", Launcher: guest.Command{Args: []string{"/here/sembra", "bot", "greedy"}, Dir: dir}},
		{Name: "gone", Withdrawn: true, Launcher: guest.Command{Args: []string{"./run"}, Dir: dir}},
	}))
	equal(t, "the programs", map[string]results.Program{
		"mine": {
			Command: []string{"./run", "bot.py", "--depth", "6", "bot.py", "nowhere.txt", table}, Folder: "bots/mine",
			Files:       map[string]string{"./run": sum("#!/bin/sh\n"), "bot.py": sum("print(1)\n"), table: sum("1 2 3\n")},
			Environment: []string{"THREADS=1", "X=2"}, Options: []string{"Depth=6", "Clear="}, Protocol: "mbi", Restart: true,
			EnvFrom: []string{"API_KEY"}, Network: true, Memory: 4 << 30,
		},
		"greedy": {Builtin: "greedy", Protocol: "mbi"},
	}, got)
}
