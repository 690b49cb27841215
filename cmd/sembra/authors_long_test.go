//go:build long

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestLadder plays the tournament of the sample bots. The guide shows its tables.
func TestLadder(t *testing.T) {
	t.Parallel()
	ladder := must2(os.ReadFile(samplesDir + "/ladder.toml"))
	dir := t.TempDir()
	for _, s := range samples(t) {
		if len(s.flags) > 0 || strings.HasPrefix(strings.ToLower(filepath.Base(s.file)), "first.") && s.build != nil {
			continue // a bot for kalah, or first.py in another language, is no rung of its own
		}
		into := must2(filepath.Rel(samplesDir, filepath.Dir(s.file)))
		into = filepath.Join(dir, into)
		must(t, os.MkdirAll(into, 0o755))
		s.prepare(t, into)
		if build := strings.Join(s.build, " "); !strings.Contains(string(ladder), build) {
			t.Errorf("ladder.toml does not say %s", build)
		}
	}
	writeFile(t, dir, "ladder.toml", string(ladder)+"\n[time]\nstartup = \"1m\"\nwatchdog = \"1m\"\n")
	guide := must2(os.ReadFile(root + "/bots/CLIENTS.md"))
	var shown []string // the samples and their ratings, the strongest first
	for _, row := range regexp.MustCompile(`(?m)^\| \[`+"`"+`(\w+).*\| (\d+) \|$`).FindAllStringSubmatch(string(guide), -1) {
		shown = append([]string{strings.ToLower(row[1]) + " " + row[2]}, shown...)
	}
	printed := mustRun(t, dir, "run", "ladder.toml")
	var rated []string
	for _, row := range regexp.MustCompile(`(?m)^\d (\w+) .* (\d+) ±\d+`).FindAllStringSubmatch(printed, -1) {
		rated = append(rated, row[1]+" "+row[2])
	}
	equal(t, "the tables of bots/CLIENTS.md", rated, shown)
	_, crosstable, _ := strings.Cut(printed, "\nno. bot ")
	for _, row := range regexp.MustCompile(`(?m)^ +\d \w+ .* \.(?: (.*))?$`).FindAllStringSubmatch(crosstable, -1) {
		for _, points := range strings.Fields(row[1]) { // against the bots below it
			if n, err := strconv.ParseFloat(strings.TrimSuffix(points, "/20"), 64); err != nil || n <= 10 {
				t.Errorf("a sample does not beat one below it:\n%s", printed)
			}
		}
	}
}
