package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sembra/bots"
)

// TestCheckOwnBots: the built-in bots and the sample bot pass every test of check.
func TestCheckOwnBots(t *testing.T) {
	t.Parallel()
	commands := map[string][]string{}
	for _, b := range bots.Builtins() {
		commands[b.Name] = []string{"--", "sembra", "bot", b.Name}
	}
	// It takes the time that it is given.
	commands["minimax"] = append([]string{"--ruleset", "bechi"}, commands["minimax"]...)
	if _, err := exec.LookPath("python3"); err == nil {
		commands["first.py"] = []string{"--dir", root + "/bots/samples", "--", "python3", "first.py"}
	}
	for name, command := range commands {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, _ := sembra(t, ".", append([]string{"check"}, command...)...)
			for line := range strings.Lines(stdout) {
				// Other tests may take the processor from a bot that thinks or exits.
				late := strings.Contains(line, " late: it had ") ||
					strings.HasPrefix(line, "warn quit: it has not exited 1s ") ||
					strings.HasPrefix(line, "note") && strings.Contains(line, "is the machine busy?")
				if !late && (strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "warn") || strings.HasPrefix(line, "note")) {
					t.Errorf("%s%s", line, stderr)
				}
			}
			if !strings.Contains(stdout, "\nok   bechi long match: ") {
				t.Errorf("it does not come to its end:\n%s", stdout)
			}
		})
	}
}

// TestBotName: a bot has the name of its script or of its program.
func TestBotName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"mybot.py", "mybot", "bot-1.2", "book.bin"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "venv", "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/bin/sh", filepath.Join(dir, "venv", "python3")); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct{ command, want string }{
		{"python3 -u mybot.py", "mybot"},
		{"/bin/sh DIR/mybot.py book.bin", "mybot"},
		{"venv/python3 mybot.py", "mybot"},
		{"./mybot book.bin", "mybot"},
		{"DIR/bot-1.2", "bot-1.2"},
		{"./mybot.py", "mybot"},
		{"mybot", "mybot"},
		{"java -cp venv Main", "java"},
		{"python3.12 -m mine", "python3.12"},
		{"./none", "none"},
	} {
		args := strings.Fields(test.command)
		for n := range args {
			args[n] = strings.ReplaceAll(args[n], "DIR", dir)
		}
		if got := botName(dir, args); got != test.want {
			t.Errorf("%s: %q, want %q", test.command, got, test.want)
		}
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
