package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sembra/engine"
)

const root = "../.."

// codeBlocks returns the code blocks of a language in a Markdown file.
func codeBlocks(t *testing.T, path, language string) []string {
	t.Helper()
	text := must2(os.ReadFile(path))
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
	sample := must2(os.ReadFile(root + "/bots/samples/first.py"))
	if len(blocks) == 0 {
		t.Fatal("there is no Python in the README")
	}
	equal(t, "the bot in README.md", string(sample), blocks[0])
}

// TestReadmeRulesets: the README has a row for every ruleset.
func TestReadmeRulesets(t *testing.T) {
	text := must2(os.ReadFile(root + "/README.md"))
	for _, rules := range engine.Rulesets() {
		info := rules.Info()
		row := fmt.Sprintf("\n| `%s` | 2×%d, %d seeds a hole | ", info.Name, info.Holes, info.Seeds)
		if !strings.Contains(string(text), row) {
			t.Errorf("there is no row%s", row)
		}
	}
}

// TestReadmeTables: the tables in the README are what the quickstart prints, CPU times apart.
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
	equal(t, "the tables in README.md", withoutCPU(printed), withoutCPU(tables))
}

// pages returns the paths of all documents.
func pages(t *testing.T) (paths []string) {
	must(t, fs.WalkDir(os.DirFS(root), ".", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}

// TestLinks: every link from one document to a file or a heading leads somewhere.
func TestLinks(t *testing.T) {
	blocks := regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	documents, anchors := make(map[string]string), make(map[string]bool)
	for _, path := range pages(t) {
		text := must2(os.ReadFile(filepath.Join(root, path)))
		documents[path] = blocks.ReplaceAllString(string(text), "")
		for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(documents[path], -1) {
			words := regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(strings.ToLower(heading[1]), "")
			anchors[path+"#"+strings.ReplaceAll(words, " ", "-")] = true
		}
	}
	for path, text := range documents {
		for _, link := range regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(text, -1) {
			file, heading, hasHeading := strings.Cut(link[1], "#")
			target := path
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(path), file))
			}
			_, err := os.Stat(filepath.Join(root, target))
			if err != nil || hasHeading && !anchors[target+"#"+heading] {
				t.Errorf("%s: the link %s leads nowhere", path, link[1])
			}
		}
	}
}

// TestPageCommands: the commands in the pages about results end well, and so do those of the README and its neighbours,
// one after another, in a folder with its tournament file. Those that take long, and those in all other pages, have the
// flags that the help of the command lists.
func TestPageCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const plan = "[tournament]\nruleset = \"awale\"\npairs = 5\n[openings]\nplies = 4\n" +
		"[[bot]]\nname = \"first\"\nbuiltin = \"random\"\n[[bot]]\nname = \"second\"\nbuiltin = \"greedy\"\n"
	must(t, os.WriteFile(dir+"/spring.toml", []byte(plan), 0o644))
	mustRun(t, dir, "run", "spring.toml")
	mustRun(t, dir, "run", "spring.toml", "--db", "spring.db")
	readme := t.TempDir()
	must(t, os.CopyFS(readme+"/bots/samples", os.DirFS(root+"/bots/samples")))
	writeFile(t, readme, "spring.toml", codeBlocks(t, root+"/README.md", "toml")[0])
	needsPython(t, readme+"/spring.toml")
	must(t, os.MkdirAll(readme+"/submissions/ana", 0o755))
	writeFile(t, readme, "submissions/ana/bot.py", string(must2(os.ReadFile(root+"/bots/samples/first.py"))))
	named := strings.NewReplacer("./new", "minimax:Depth=3", "./old", "greedy",
		"--output course.toml", "--output course.toml && sed -i 's/^pairs = .*/pairs = 1/' course.toml") // as the page says next
	played := []string{"README.md", "cmd/sembra/HOWTO.md", "configs/README.md"}
	others := slices.DeleteFunc(pages(t), func(path string) bool { return slices.Contains(played, path) })
	for name, paths := range map[string][]string{"played": played, "others": others} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, path := range paths {
				for line := range strings.Lines(strings.Join(codeBlocks(t, filepath.Join(root, path), "sh"), "")) {
					words := strings.Fields(regexp.MustCompile(`[#>|].*| -- .*`).ReplaceAllString(line, ""))
					if len(words) < 2 || words[0] != "sembra" && words[0] != "grep" {
						continue
					}
					if name == "played" {
						cmd := exec.Command("sh", "-c", named.Replace(line))
						cmd.Dir, cmd.Stdin = readme, strings.NewReader("resign\nresign\n")
						if stdout, stderr, status := output(cmd); status != exitDone {
							t.Errorf("%s: %sexit status %d\n%s%s", path, line, status, stdout, stderr)
						}
						continue
					}
					if strings.HasPrefix(path, "results/") && !slices.Contains([]string{"serve", "run", "lab"}, words[1]) {
						mustRun(t, dir, words[1:]...)
						continue
					}
					help := mustRun(t, dir, words[1], "--help")
					for _, word := range words[2:] {
						if strings.HasPrefix(word, "--") && word != "--" && !strings.Contains(help, "\n  "+word+" ") {
							t.Errorf("%s: sembra %s has no flag %s", path, words[1], word)
						}
					}
				}
			}
		})
	}
}
