package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
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
		if filepath.Ext(file) == ".toml" || filepath.Ext(file) == ".class" || filepath.Base(file) == "wrap.py" {
			continue // TestGuides plays with the wrapper
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
