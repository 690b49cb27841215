package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"sembra/arena/check"
	"sembra/bots"
	"sembra/results"
	"sembra/results/report"
)

const samplesDir = root + "/bots/samples"

// sample is a sample bot, as the comment at its head tells how to build and check it.
type sample struct {
	file  string
	build []string // the command that compiles it; nil if there is nothing to compile
	flags []string // of sembra check
	check []string // its own command
}

// samples returns the sample bots.
func samples(t *testing.T) []sample {
	t.Helper()
	files := append(must2(filepath.Glob(samplesDir+"/*.*")), must2(filepath.Glob(samplesDir+"/*/*.*"))...)
	var all []sample
	for _, file := range append(files, must2(filepath.Glob(samplesDir+"/*/*/*.go"))...) {
		if filepath.Ext(file) == ".toml" || filepath.Ext(file) == ".class" {
			continue
		}
		if slices.Contains([]string{"wrap.py", "kgp.py", "mankalah.py"}, filepath.Base(file)) {
			continue // TestGuides and TestScript play with the wrappers
		}
		text := must2(os.ReadFile(file))
		if lines := strings.Count(string(text), "\n"); lines >= 60 {
			t.Errorf("%s has %d lines, want fewer than 60", file, lines)
		}
		told := regexp.MustCompile(`(?m)^(?://|#| \*)(?:   |\t)(\S.*)$`).FindAllStringSubmatch(string(text), -1)
		if len(told) == 0 {
			t.Fatalf("the comment of %s does not tell how to check it", file)
		}
		s := sample{file: file}
		last := told[len(told)-1][1]
		flags, command, ok := strings.Cut(strings.TrimPrefix(last, "sembra check "), "-- ")
		if !ok || len(told) > 2 {
			t.Fatalf("the comment of %s ends with %q", file, last)
		}
		s.flags, s.check = strings.Fields(flags), strings.Fields(command)
		if len(told) == 2 {
			s.build = strings.Fields(told[0][1])
		}
		all = append(all, s)
	}
	return all
}

// prepare copies a sample into a folder and compiles it there. It skips the test if
// the compiler or the interpreter is not installed.
func (s sample) prepare(t *testing.T, dir string) {
	t.Helper()
	programs := []string{s.check[0]}
	if s.build != nil {
		programs = append(programs, s.build[0])
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil && !strings.HasPrefix(program, "./") {
			t.Skipf("there is no %s", program)
		}
	}
	text := must2(os.ReadFile(s.file))
	must(t, os.WriteFile(filepath.Join(dir, filepath.Base(s.file)), text, 0o644))
	if s.build == nil {
		return
	}
	build := exec.Command(s.build[0], s.build[1:]...)
	build.Dir = dir
	if s.build[0] == "go" { // it needs the module around it
		build = exec.Command("go", "build", "-o", dir)
		build.Dir = filepath.Dir(s.file)
	}
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", s.build, err, said)
	}
}

// TestSampleBots compiles the sample bots and checks each as the comment at its head
// says. Without the build tag long it compiles only C, and plays only awale.
func TestSampleBots(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the bots are checked without -short")
	}
	for _, s := range samples(t) {
		t.Run(filepath.Base(s.file), func(t *testing.T) {
			t.Parallel()
			if !long && s.build != nil && s.build[0] != "cc" {
				t.Skip("compiled only with -tags long")
			}
			dir := t.TempDir()
			s.prepare(t, dir)
			passes(t, dir, s.check, s.flags...)
			if len(s.flags) > 0 { // move again, capture, capture after a lap, and nearest to the store
				play := exec.Command(s.check[0], s.check[1:]...)
				play.Dir = dir
				play.Stdin = strings.NewReader("4 4 4 4 4 4 4 4 4 4 4 4 0 0\n1 0 3 0 0 2 0 9 1 8 4 1 9 9\n" +
					"1 0 0 0 0 12 0 9 1 0 7 0 9 9\n1 1 0 9 2 0 1 1 0 0 0 0 9 9\n")
				equal(t, "answers", string(must2(play.Output())), "2\n0\n5\n4\n")
			}
		})
	}
}

// passes checks a bot in a folder. Only what depends on the speed of the machine may fail.
func passes(t *testing.T, dir string, command []string, flags ...string) (said string) {
	t.Helper()
	args := append([]string{"check", "--startup", patience.String(), "--watchdog", patience.String()}, flags...)
	ruleset := "awale"
	if len(flags) > 0 {
		ruleset = flags[len(flags)-1]
	} else if !long {
		args = append(args, "--ruleset", "awale")
	}
	said, errs, _ := sembra(t, dir, slices.Concat(args, []string{"--"}, command)...)
	for _, line := range failures(said) {
		if !strings.Contains(line, " late: it had ") && !regexp.MustCompile(`^warn (quit|end of input): `).MatchString(line) {
			t.Errorf("%s\n%s", line, said)
		}
	}
	if !regexp.MustCompile(`(?m)^ok   ` + ruleset + `: [0-9]+ matches, `).MatchString(said) {
		t.Errorf("%s was not played:\n%s\n%s", ruleset, said, errs)
	}
	return said
}

// failures returns the lines of a check that tell of a failure or a warning.
func failures(said string) []string {
	return regexp.MustCompile(`(?m)^(FAIL|warn) .*$`).FindAllString(said, -1)
}

// TestGuideBots: the bots in JavaScript of the authors' guide pass the check, and play the guide's tournament. The second
// one has options. TestGuides plays those in Python.
func TestGuideBots(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the bots are checked without -short")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node")
	}
	client := must2(os.ReadFile(root + "/bots/javascript/mbi.mjs"))
	arena := strings.Replace(codeBlocks(t, root+"/bots/README.md", "toml")[0], `"python3", "mybot.py"`, `"node", "mybot.mjs"`, 1)
	for i, bot := range clientBots(t) {
		if i == 0 && !long {
			continue
		}
		dir := t.TempDir()
		writeFile(t, dir, "mbi.mjs", string(client))
		writeFile(t, dir, "mybot.mjs", bot)
		said := passes(t, dir, []string{"node", "mybot.mjs"})
		if options := "ok   options: 2 options offered"; i == 1 && !strings.Contains(said, options) {
			t.Errorf("no %q in\n%s", options, said)
		}
		writeFile(t, dir, "arena.toml", arena)
		if printed := mustRun(t, dir, "run", "arena.toml"); !strings.Contains(printed, "arena  awale  60 of 60 matches") {
			t.Errorf("the tournament prints\n%s", printed)
		}
	}
}

// clientBots returns the bots in JavaScript of the guide that use the client.
func clientBots(t *testing.T) []string {
	t.Helper()
	blocks := slices.DeleteFunc(codeBlocks(t, root+"/bots/README.md", "javascript"), func(block string) bool {
		return !strings.Contains(block, `from "./mbi.mjs"`)
	})
	if len(blocks) != 2 {
		t.Fatalf("%d bots use the client, want 2", len(blocks))
	}
	return blocks
}

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

// TestCheckOwnBots: the built-in bots pass every test of check. Random plays every ruleset, the
// others bechi alone if they take their time, or without the build tag long.
func TestCheckOwnBots(t *testing.T) {
	t.Parallel()
	commands := map[string][]string{}
	for _, b := range bots.Builtins() {
		commands[b.Name] = []string{"--", "sembra", "bot", b.Name}
		if strings.HasPrefix(b.Name, "level") && b.Name != "level6" {
			delete(commands, b.Name) // it differs from level6 only by numbers
		} else if b.Name == "minimax" || b.Name == "mcts" || b.Name == "level6" || b.Name != "random" && !long {
			commands[b.Name] = append([]string{"--ruleset", "bechi"}, commands[b.Name]...)
		}
	}
	// Other tests may take the processor from a bot that answers, thinks or exits.
	late := regexp.MustCompile(` late: it had |^warn (quit|end of input): .* has not exited 1s |` +
		`^note .*( took |the bot thinks long|is the machine busy\?)`)
	wrong := regexp.MustCompile(`^(FAIL|warn|note)`)
	for name, command := range commands {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, _ := sembra(t, ".", append([]string{"check"}, command...)...)
			for line := range strings.Lines(stdout) {
				if !late.MatchString(line) && wrong.MatchString(line) {
					t.Errorf("%s%s", line, stderr)
				}
			}
			if !strings.Contains(stdout, "\nok   bechi: ") && !late.MatchString(stdout) {
				t.Errorf("it does not come to its end:\n%s", stdout)
			}
		})
	}
}

// TestPrintPoint: of a long line of a conversation the end is printed, also if the log has not kept its end.
func TestPrintPoint(t *testing.T) {
	t.Parallel()
	text := []byte("a" + strings.Repeat("x", 800))
	for cut, want := range map[int]string{0: "a< …" + strings.Repeat("x", 200) + "\n", 1000: "xx…\n"} {
		var printed strings.Builder
		talk := results.Talk{Lines: []results.TalkLine{{FromBot: true, Text: text, Cut: cut}}}
		printPoint(&printed, check.Point{State: check.Failed, Talk: &talk}, "a")
		if got := printed.String(); !strings.Contains(got, want) || len(got) > 250 {
			t.Errorf("with %d bytes cut: %q", cut, got)
		}
	}
}

// TestChecksReport: the table of a check fits into a terminal.
func TestChecksReport(t *testing.T) {
	t.Parallel()
	found := check.Result{
		Bot: strings.Repeat("長", 32), Result: "failed", OK: 100, Failed: 10, Warnings: 2, Skipped: 22, Notes: 3,
	}
	for _, columns := range []int{70, 80, 120} {
		var written strings.Builder
		must(t, checksReport([]check.Result{found}, "").Write(&written, report.Table, columns))
		for line := range strings.Lines(written.String()) {
			if displaywidth.String(strings.TrimSuffix(line, "\n")) > columns {
				t.Errorf("%d columns: %s", columns, line)
			}
		}
	}
}
