package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
)

const root = "../.."

// codeBlocks returns the code blocks of a language in a Markdown file.
func codeBlocks(t *testing.T, path, language string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, part := range strings.Split("\n"+string(text), "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		blocks = append(blocks, block+"\n")
	}
	return blocks
}

// TestReadmeBot: the bot in the README is the sample.
func TestReadmeBot(t *testing.T) {
	blocks := codeBlocks(t, root+"/README.md", "python")
	sample, err := os.ReadFile(root + "/bots/samples/first.py")
	if err != nil {
		t.Fatal(err)
	}
	if len(blocks) == 0 {
		t.Fatal("there is no Python in the README")
	}
	if diff := cmp.Diff(string(sample), blocks[0]); diff != "" {
		t.Errorf("-bots/samples/first.py +README.md:\n%s", diff)
	}
}

// TestReadmeRulesets: the README has a row for every ruleset.
func TestReadmeRulesets(t *testing.T) {
	text, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range engine.Rulesets() {
		info := rules.Info()
		row := fmt.Sprintf("\n| `%s` | 2×%d, %d seeds a hole | ", info.Name, info.Holes, info.Seeds)
		if !strings.Contains(string(text), row) {
			t.Errorf("there is no row%s", row)
		}
	}
}

// TestReadmeTables: the tables in the README are what the quickstart prints,
// processor times apart.
func TestReadmeTables(t *testing.T) {
	t.Parallel()
	const first = "quickstart  awale  120 of 120 matches\n"
	var tables string
	for _, block := range codeBlocks(t, root+"/README.md", "text") {
		if strings.HasPrefix(block, first) {
			tables = block
		}
	}
	printed := mustRun(t, ".", "run", root+"/configs/quickstart.toml", "--db", t.TempDir()+"/quickstart.db")
	if diff := cmp.Diff(withoutCPU(printed), withoutCPU(tables)); diff != "" {
		t.Errorf("-sembra run configs/quickstart.toml +README.md:\n%s", diff)
	}
}
