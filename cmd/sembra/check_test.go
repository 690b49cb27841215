package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"sembra/arena/check"
	"sembra/bots"
	"sembra/results"
)

// TestCheckOwnBots: the built-in bots and the sample bot pass every test of check. Random plays every ruleset, the
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
	if _, err := exec.LookPath("python3"); err == nil {
		commands["first.py"] = []string{"--dir", root + "/bots/samples", "--", "python3", "first.py"}
		if !long {
			commands["first.py"] = append([]string{"--ruleset", "bechi"}, commands["first.py"]...)
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
