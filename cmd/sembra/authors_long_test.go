//go:build long

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLadder plays the tournament of the sample bots. The guide shows its tables.
func TestLadder(t *testing.T) {
	t.Parallel()
	ladder, err := os.ReadFile(samplesDir + "/ladder.toml")
	mustBe(t, err)
	dir := t.TempDir()
	for _, s := range samples(t) {
		if strings.HasPrefix(strings.ToLower(filepath.Base(s.file)), "first.") && s.build != nil {
			continue // first.py in another language is no rung of its own
		}
		into, err := filepath.Rel(samplesDir, filepath.Dir(s.file))
		mustBe(t, err)
		into = filepath.Join(dir, into)
		mustBe(t, os.MkdirAll(into, 0o755))
		s.prepare(t, into)
		if build := strings.Join(s.build, " "); !strings.Contains(string(ladder), build) {
			t.Errorf("ladder.toml does not say %s", build)
		}
	}
	writeFile(t, dir, "ladder.toml", string(ladder)+"\n[time]\nstartup = \"1m\"\nwatchdog = \"1m\"\n")
	var shown string
	for _, block := range codeBlocks(t, root+"/bots/CLIENTS.md", "text") {
		if strings.HasPrefix(block, "ladder  awale  ") {
			shown = block
		}
	}
	printed := mustRun(t, dir, "run", "ladder.toml")
	if diff := cmp.Diff(withoutCPU(printed), withoutCPU(shown)); diff != "" {
		t.Errorf("-sembra run ladder.toml +bots/CLIENTS.md:\n%s", diff)
	}
}
