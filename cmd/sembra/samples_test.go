package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sembra/engine"
	"sembra/results"
)

// TestSamples plays every sample tournament as a user would, one match at a time: each table starts bots of its own. No
// bot is at fault, and the records follow the rules.
func TestSamples(t *testing.T) {
	t.Parallel()
	samples, err := filepath.Glob(root + "/configs/*.toml")
	if err != nil || len(samples) < len(engine.Rulesets()) {
		t.Fatalf("samples: %q, %v", samples, err)
	}
	for _, sample := range samples {
		t.Run(filepath.Base(sample), func(t *testing.T) {
			t.Parallel()
			needsPython(t, sample)
			if !long {
				sample = shortened(t, sample)
			}
			db := filepath.Join(t.TempDir(), "sample.db")
			mustRun(t, ".", "run", sample, "--db", db, "--concurrency", "1")
			mustRun(t, ".", "verify", db)
			all := records(t, ".", db)
			if len(all) == 0 {
				t.Fatal("no matches")
			}
			for _, record := range all {
				if record.Fault != results.NoFault || record.Ending == results.EndResign {
					t.Errorf("match %v: ending %v, fault of %q", record.Key, record.Ending, record.FaultName())
				}
			}
		})
	}
}

// shortened returns a copy of a sample in which each pair of bots meets only once, and all but those of the quickstart
// start without isolation. The copy is beside the bots and the openings that it names.
func shortened(t *testing.T, sample string) string {
	t.Helper()
	text := must2(os.ReadFile(sample))
	bots := must2(filepath.Abs(root + "/bots"))
	dir := t.TempDir()
	must(t, os.Symlink(bots, filepath.Join(dir, "bots")))
	must(t, os.CopyFS(filepath.Join(dir, "configs"), os.DirFS(root+"/configs")))
	path := filepath.Join(dir, "configs", filepath.Base(sample))
	text = regexp.MustCompile(`(?m)^pairs = [0-9]+`).ReplaceAll(text, []byte("pairs = 1"))
	if filepath.Base(sample) != "quickstart.toml" {
		text = []byte(unisolated(string(text)))
	}
	must(t, os.WriteFile(path, text, 0o644))
	return path
}

// needsPython skips the test if the sample has a bot in Python and Python is not installed.
func needsPython(t *testing.T, sample string) {
	t.Helper()
	text := must2(os.ReadFile(sample))
	if _, err := exec.LookPath("python3"); err != nil && strings.Contains(string(text), "python3") {
		t.Skip("there is no python3")
	}
}
