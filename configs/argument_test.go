package configs

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/arena/protocol"
)

// inBotFolder changes to a folder with some bots.
func inBotFolder(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("files have no execute bits on Windows")
	}
	t.Chdir(t.TempDir())
	for name, mode := range map[string]os.FileMode{
		"mybot": 0o755, "mybot.sh": 0o755, "my bot": 0o755, "plain": 0o644, "plain.py": 0o644, "any": 0o755, "b*t": 0o755,
		"my:bot": 0o755, "mybot:Depth=9": 0o755,
	} {
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestParseBot: what a person may write. It changes the folder, so it is not parallel.
func TestParseBot(t *testing.T) {
	inBotFolder(t)
	command := func(name string, args ...string) Bot { return Bot{Name: name, Protocol: "mbi", Args: args} }
	minimax := func(name string, options ...protocol.OptionValue) Bot {
		return Bot{
			Name: name, Protocol: "mbi", Builtin: "minimax", Args: []string{"/bin/sembra", "bot", "minimax"}, Options: options,
		}
	}
	depth := protocol.OptionValue{Name: "Depth", Value: "8"}
	withDepth := func(name string, args ...string) Bot {
		b := command(name, args...)
		b.Options = []protocol.OptionValue{depth}
		return b
	}
	for text, want := range map[string]Bot{
		"minimax":                   minimax("minimax"),
		"minimax:Depth=8":           minimax("minimax-Depth8", depth),
		"minimax:Depth=8,Book=true": minimax("minimax-Depth8-Booktrue", depth, protocol.OptionValue{Name: "Book", Value: "true"}),
		"minimax:Note=a=b /c":       minimax("minimax-Notea_b__c", protocol.OptionValue{Name: "Note", Value: "a=b /c"}),
		"minimax:Note=" + strings.Repeat("x", 50): minimax("minimax-Note"+strings.Repeat("x", 20), protocol.OptionValue{
			Name: "Note", Value: strings.Repeat("x", 50),
		}),
		"./mybot":              command("mybot", "./mybot"),
		"./my bot":             command("my_bot", "./my bot"),
		"./mybot:Depth=8":      withDepth("mybot-Depth8", "./mybot"),
		"mbi:./my:bot:Depth=8": withDepth("my_bot-Depth8", "./my:bot"),
		"./mybot:Depth=9":      command("mybot_Depth_9", "./mybot:Depth=9"), // the name of a file
		"./b*t":                command("b_t", "./b*t"),
		"'./my bot' --x":       command("my_bot", "./my bot", "--x"),
		"sh mybot.sh":          command("mybot", "sh", "mybot.sh"),
		`sh -c 'exec "$0"' ''`: command("sh", "sh", "-c", `exec "$0"`, ""),
		"uci:./mybot":          {Name: "mybot", Protocol: "uci", Args: []string{"./mybot"}},
		"uci:sh mybot.sh -a:b": {Name: "mybot", Protocol: "uci", Args: []string{"sh", "mybot.sh", "-a:b"}},
	} {
		got, err := ParseBot(text, builtins())
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestParseBotRefused: each mistake is a sentence with its place.
func TestParseBotRefused(t *testing.T) {
	inBotFolder(t)
	const noShell = "Sembra starts bots without a shell"
	for text, want := range map[string]string{
		"":                        `bot "": it is empty; it must be a built-in bot (random, greedy, minimax), a path`,
		"  ":                      "it is empty",
		"./a\xff":                 "it is not UTF-8",
		"minmax":                  `unknown built-in bot "minmax" (did you mean minimax? known: random, greedy, minimax)`,
		"mybot":                   `(hint: "./mybot" is the file in this folder)`,
		"sh":                      "(hint: the program is /",
		"minimax:":                "an option is empty; options are written NAME=VALUE,NAME=VALUE",
		"minimax:Depth":           "option Depth has no value (hint: write Depth=VALUE)",
		"minimax:=8":              `unknown option "" (the bot offers: Depth, Book, Note)`,
		"minimax:depth=8":         `unknown option "depth" (did you mean Depth? the bot offers: Depth, Book, Note)`,
		"minimax:Depth=65":        `option Depth: "65" is not a whole number from 0 to 64`,
		"minimax:Depth=8,Depth=9": "option Depth is given twice",
		"random:Depth=8":          `unknown option "Depth" (the bot offers none)`,
		"ugi:./mybot":             `unknown protocol "ugi" (did you mean uci? known: mbi, uci, board, buet, codingame)`,
		"uci:minimax":             `uci: needs a path with a slash or a command line with a space after it, not "minimax"`,
		"./none":                  `bot "./none": there is no file /`,
		"./none:Depth=8":          `bot "./none:Depth=8": there is no file /`,
		"./mybot:=8":              "an option is empty; options are written NAME=VALUE,NAME=VALUE",
		"./folder":                `: is a directory`,
		"./mybot/x":               `: not a directory`,
		"./plain":                 `/plain is not an executable file (hint: chmod +x, or name its interpreter first, as in python3 bot.py)`,
		"./bot.c":                 `/bot.c is source text (hint: compile it first, and name the program)`,
		"my bot":                  `"my bot" is not in PATH (for the file in /`,
		"no-such-program x":       `bot "no-such-program x": "no-such-program" is not in PATH`,
		"./none --x\x1b[2J":       `bot "./none --x\x1b[2J", column 12: ` + noShell,
		"sh mybot.sh | tee log":   `bot "sh mybot.sh | tee log", column 13: ` + noShell + ", so '|' has no meaning here (hint: quote what",
		"sh ä $X":                 "column 6: " + noShell + ", so '$'",
		`sh "$X"`:                 "column 4: " + noShell,
		"sh $(x)":                 "column 4: " + noShell,
		"sh *.sh":                 "column 4: " + noShell,
		"~/bot x":                 "column 1: " + noShell,
		"sh a\nsh b":              "column 5: " + noShell + `, so '\n'`,
		"sh 'a":                   "column 4: " + noShell + `, so '\''`,
		`sh "a\"`:                 "column 4: " + noShell,
		`sh a\`:                   "column 5: " + noShell,
		"'' a":                    "the name of the program is empty",
	} {
		got, err := ParseBot(text, builtins())
		if wrong := new(Error); !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
}

// TestParseBots: every bot has a name of its own.
func TestParseBots(t *testing.T) {
	inBotFolder(t)
	long := "minimax:Note=" + strings.Repeat("x", 50)
	texts := []string{"./mybot", "random", "random", "mbi:./mybot", "sh MYBOT", "random", "./mybot.sh", long, long}
	bots := must2(ParseBots(texts, builtins()))
	var got []string
	for _, b := range bots {
		got = append(got, b.Name)
	}
	want := []string{
		"mybot", "random", "random-2", "mybot-2", "sh", "random-3", "mybot-3",
		"minimax-Note" + strings.Repeat("x", 20), "minimax-Note" + strings.Repeat("x", 18) + "-2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSplitCommand: the words are those of the shell of this machine.
func TestSplitCommand(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	for _, line := range []string{
		"a", " a  b\tc ", "a 'b c' d", `a "b c" d`, `a b\ c`, `a "" ''`, `a'b'"c"d`, `a "\$ \" \\ \x \'"`, `a '\$ " \'`,
		`a \| \; \* \# \a`, "a 'b\nc'", `a ü 'é'\ñ`, `a --x=1 ./b %s`,
	} {
		words, wrong := splitCommand(line, 0)
		if wrong != nil {
			t.Errorf("%q: %v", line, wrong)
			continue
		}
		out, err := exec.Command(shell, "-c", `printf '%s\n--\n' `+line).Output()
		if got := strings.Join(words, "\n--\n") + "\n--\n"; err != nil || got != string(out) {
			t.Errorf("%q: %q, the shell has %q (%v)", line, got, out, err)
		}
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
		{"sh DIR/mybot.py book.bin", "mybot"},
		{"venv/python3 mybot.py", "mybot"},
		{"./mybot book.bin", "mybot"},
		{"DIR/bot-1.2", "bot-1.2"},
		{"./mybot.py", "mybot"},
		{"java -Xmx256m -jar mybot", "mybot"},
		{"python3 -m mine", "python3"},
		{"node --max-old-space-size=256 mybot.py", "mybot"},
		{"./none", "none"},
	} {
		args := strings.Fields(test.command)
		for i := range args {
			args[i] = strings.Replace(args[i], "DIR", dir, 1) // whose path may have a space
		}
		equal(t, test.command, test.want, BotName(dir, args))
	}
}
