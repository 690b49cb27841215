package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGuides follows the pages for bot authors to the letter: it saves each file that a
// page says to save, and runs each command in a shell, in the order of the page. After the first page every other one
// has a copy of the folder.
func TestGuides(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the guides are followed without -short")
	}
	for _, program := range []string{"sh", "go", "python3", "node"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s", program)
		}
	}
	checkout := must2(filepath.Abs(root))
	dir := t.TempDir()
	must(t, os.Symlink(checkout, filepath.Join(dir, "sembra")))
	writeFile(t, dir, "myprogram", "#!/usr/bin/env python3\n"+other)
	must(t, os.Chmod(filepath.Join(dir, "myprogram"), 0o755))
	for _, guide := range []struct{ page, before string }{
		{"README.md", ""},
		{"PROTOCOL.md", "cd mybot"},
		{"TROUBLESHOOTING.md", "cd mybot"},
		{"BOARD.md", "cd mybot"},
		{"CHECK.md", "mkdir bots; cp -R sembra/bots/samples bots"},
		{"CLIENTS.md", "mkdir mybot/bots; cp -R sembra/bots/samples mybot/bots; cp sembra/bots/samples/careful/main.go myprogram mybot; cd mybot"},
	} {
		follow := func(t *testing.T, dir string) {
			cmd := exec.Command("sh", "-ec", guide.before+"\n"+commandsOf(t, root+"/bots/"+guide.page))
			cmd.Dir = dir
			if stdout, stderr, status := output(cmd); status != exitDone {
				t.Errorf("%s: exit status %d\n%s\n%s", guide.page, status, stdout, stderr)
			}
		}
		if guide.page == "README.md" { // it leaves the folder in which the others begin
			follow(t, dir)
			continue
		}
		t.Run(guide.page, func(t *testing.T) {
			begun := t.TempDir()
			must(t, os.CopyFS(begun, os.DirFS(dir)))
			t.Parallel()
			follow(t, begun)
		})
	}
}

// commandsOf returns the commands and the files of a page as a script of a shell. Nobody
// plays where a person would: the end of the input ends such a match.
func commandsOf(t *testing.T, page string) string {
	t.Helper()
	text := must2(os.ReadFile(page))
	var script strings.Builder
	saves := regexp.MustCompile("(?s).*[Ss]ave this as `([^`]+)`")
	for _, block := range regexp.MustCompile("(?s)(.*?\n)```(\\w+)\n(.*?)```\n").FindAllStringSubmatch(string(text), -1) {
		prose, language, content := block[1], block[2], block[3]
		if language == "sh" {
			script.WriteString(regexp.MustCompile(`(?m)^(sembra play [^#\n]*).*$`).ReplaceAllString(content, "$1 </dev/null || [ $$? = 3 ]"))
		} else if file := saves.FindStringSubmatch(prose); file != nil && language != "text" {
			script.WriteString("cat >" + file[1] + " <<'END'\n" + content + "END\n")
		}
	}
	return script.String()
}

// other is a program as bots/samples/wrap.py wraps it. It plays the last hole that it may play in oware.
const other = `import sys
for line in sys.stdin:
    seeds = [int(n) for n in line.split()]
    mine, others = seeds[:6], seeds[6:12]
    may = [i for i in range(6) if mine[i] and (any(others) or i + mine[i] > 5)]
    print(may[-1] + 1, flush=True)
`
