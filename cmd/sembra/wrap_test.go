package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// other is a program as bots/samples/wrap.py wraps it. It plays the last hole that it
// may play in oware.
const other = `import sys
for line in sys.stdin:
    seeds = [int(n) for n in line.split()]
    mine, others = seeds[:6], seeds[6:12]
    may = [i for i in range(6) if mine[i] and (any(others) or i + mine[i] > 5)]
    print(may[-1] + 1, flush=True)
`

// TestWrapper: a program that does not speak MBI plays through the wrapper of the guide,
// from both seats and from openings.
func TestWrapper(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	dir := t.TempDir()
	wrapper := must2(os.ReadFile(filepath.Join(root, "bots", "samples", "wrap.py")))
	writeFile(t, dir, "wrap.py", string(wrapper))
	writeFile(t, dir, "other.py", other)
	writeFile(t, dir, "cup.toml", `[tournament]
ruleset = "oware"
pairs = 2
database = "cup.db"
[openings]
plies = 5
[time]
startup = "60s"
watchdog = "60s"
[[bot]]
name = "wrapped"
command = ["python3", "wrap.py", "python3", "other.py"]
[[bot]]
name = "greedy"
builtin = "greedy"
`)
	mustRun(t, dir, "run", "cup.toml")
	lines := records(t, dir, "cup.db")
	if len(lines) != 4 {
		t.Errorf("%d matches, want 4", len(lines))
	}
	for _, line := range lines {
		if line.Fault != "" {
			t.Errorf("match %d: %s is at fault (%s)", line.Number, line.Fault, line.Ending)
		}
	}
	mustRun(t, dir, "verify", "cup.db")
}
