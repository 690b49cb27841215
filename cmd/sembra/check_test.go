package main

import (
	"os/exec"
	"strings"
	"testing"

	"sembra/bots"
)

// TestCheckOwnBots: the built-in bots and the bot of the author's guide pass at
// every point.
func TestCheckOwnBots(t *testing.T) {
	t.Parallel()
	commands := map[string][]string{}
	for _, b := range bots.Builtins() {
		commands[b.Name] = []string{"--", "sembra", "bot", b.Name}
	}
	if testing.Short() { // it takes the time that it is given
		commands["minimax"] = append([]string{"--ruleset", "bechi"}, commands["minimax"]...)
	}
	if _, err := exec.LookPath("python3"); err == nil {
		commands["first.py"] = []string{"--dir", root + "/bots/samples", "--", "python3", "first.py"}
	}
	for name, command := range commands {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, _ := sembra(t, ".", append([]string{"check"}, command...)...)
			for line := range strings.Lines(stdout) {
				// Other tests can take the processor from a bot that thinks.
				late := strings.HasPrefix(line, "FAIL") && strings.Contains(line, " late: it had ")
				if !late && (strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "note")) {
					t.Errorf("%s%s", line, stderr)
				}
			}
			if !strings.Contains(stdout, "\nok   bechi long match: ") {
				t.Errorf("it does not come to its end:\n%s", stdout)
			}
		})
	}
}
