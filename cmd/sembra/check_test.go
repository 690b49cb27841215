package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"sembra/arena"
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
		if b.Name == "minimax" || b.Name == "mcts" || b.Name == "level6" || b.Name != "random" && !long {
			commands[b.Name] = append([]string{"--ruleset", "bechi"}, commands[b.Name]...)
		} else if strings.HasPrefix(b.Name, "level") {
			delete(commands, b.Name) // it differs from level6 only by numbers
		}
	}
	if _, err := exec.LookPath("python3"); err == nil {
		commands["first.py"] = []string{"--dir", root + "/bots/samples", "--", "python3", "first.py"}
		if !long {
			commands["first.py"] = append([]string{"--ruleset", "bechi"}, commands["first.py"]...)
		}
	}
	// Other tests may take the processor from a bot that answers, thinks or exits.
	late := regexp.MustCompile(` late: it had |^warn (quit|end of input): it has not exited 1s |^note .*( took |the bot thinks long|is the machine busy\?)`)
	for name, command := range commands {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, _ := sembra(t, ".", append([]string{"check"}, command...)...)
			for line := range strings.Lines(stdout) {
				if !late.MatchString(line) && (strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "warn") || strings.HasPrefix(line, "note")) {
					t.Errorf("%s%s", line, stderr)
				}
			}
			if !strings.Contains(stdout, "\nok   bechi: ") {
				t.Errorf("it does not come to its end:\n%s", stdout)
			}
		})
	}
}

// TestPrintHanging: a line that is too wide goes on under its first word.
func TestPrintHanging(t *testing.T) {
	t.Parallel()
	for columns, want := range map[int]string{
		0: "ok   start: the bot greets\n", 26: "ok   start: the bot greets\n", 25: "ok   start: the bot\n     greets\n",
		12: "ok   start:\n     the bot\n     greets\n", 1: "ok   start:\n     the\n     bot\n     greets\n",
	} {
		var out strings.Builder
		printHanging(&out, "ok   ", "start: the bot greets", columns)
		if out.String() != want {
			t.Errorf("%d columns: %q", columns, out.String())
		}
	}
}

// TestClipPoint: only what the bot wrote is cut, and only if that saves something.
func TestClipPoint(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	const advice = arena.BecauseOf +
		"the bot cannot see /m (read = [\"/m\"] in [isolation] of a tournament file shows it)"
	cut := long[:140] + " … 100 more … " + long[:60]
	for what, want := range map[string]string{
		long:                           cut,
		long + advice:                  cut + advice,
		long + " (hint: " + long + ")": long[:140] + " … 101 more … " + long[:59] + " (hint: " + long + ")",
		long[:199] + advice:            long[:199] + advice,
		long[:210]:                     long[:210],
		long[:212] + advice:            long[:212] + advice,
	} {
		if got := clipPoint(what); got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", what, got, want)
		}
	}
}

// TestConfigKeepsAdvice: the table of all bots cuts what a bot wrote, but not the advice after it.
func TestConfigKeepsAdvice(t *testing.T) {
	t.Parallel()
	const advice = " (hint: flush after every line)"
	what := strings.Repeat("x", 300)
	point := arena.Point{State: arena.Failed, Name: "handshake", What: what + advice}
	check := reportOf(arena.Checked{Bot: "b", Points: []arena.Point{point}})
	want := clip(what+" ") + strings.TrimSpace(advice)
	if got := check.Findings[0].What; got != want {
		t.Errorf("the finding is %s\nwant           %s", got, want)
	}
	if got := check.Reason; got != "handshake: "+want {
		t.Errorf("the reason is %s\nwant          handshake: %s", got, want)
	}
}

// TestPrintTalk: a long line of a conversation is cut, also if the log has not kept its end, and says how much is missing.
func TestPrintTalk(t *testing.T) {
	t.Parallel()
	text := []byte(strings.Repeat("x", 4*widest))
	for cut, want := range map[int]string{0: " … 621 more … x", 1000: "x … 1621 more …\n"} {
		var printed strings.Builder
		printTalk(&printed, results.Talk{Lines: []results.TalkLine{{Said: true, Text: text, Cut: cut}}}, "a")
		if got := printed.String(); !strings.Contains(got, want) || len(got) > widest+len(want) {
			t.Errorf("with %d bytes cut: %q", cut, got)
		}
	}
}
