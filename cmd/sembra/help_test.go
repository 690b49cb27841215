package main

import (
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHelp: every help fits in a terminal, shows an example, and lists all flags with a text.
func TestHelp(t *testing.T) {
	t.Parallel()
	app := newApp(strings.NewReader(""), io.Discard, io.Discard)
	narrow := func(name, help string) {
		for line := range strings.Lines(help) {
			if columns := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); columns > helpWidth {
				t.Errorf("%s --help: a line of %d columns: %s", name, columns, line)
			}
		}
	}
	all := helpOfApp(app)
	narrow("sembra", all)
	for _, command := range app.Commands {
		if c := command.Category; c == "" || !strings.Contains(all, "\n"+c+":\n") || !strings.Contains(all, "\n  "+command.Name+" ") {
			t.Errorf("%s: it is not in its group %q of sembra --help", command.Name, c)
		}
		if command.Usage == "" || command.UsageText == "" {
			t.Errorf("%s: no text in the folder help", command.Name)
		}
		help := helpOf(command)
		narrow(command.Name, help)
		if !strings.Contains(help, "\nUsage:\n  sembra "+command.Name) || !strings.Contains(help, ":\n  sembra "+command.Name+" ") &&
			!slices.Contains([]string{"completion", "rulesets"}, command.Name) {
			t.Errorf("%s: no usage or no example:\n%s", command.Name, help)
		}
		for _, flag := range command.Flags {
			name, text := describeFlag(flag)
			if text == "" || strings.ContainsAny(text, "`\n") || strings.Contains(text, "false") || !strings.Contains(help, "\n  "+name+"  ") {
				t.Errorf("%s: %s: %q", command.Name, name, text)
			}
		}
	}
}

// TestCommands: COMMANDS.md has the help of the program and of every command.
func TestCommands(t *testing.T) {
	t.Parallel()
	app := newApp(strings.NewReader(""), io.Discard, io.Discard)
	page := "# Commands\n\nThis page is generated: it is what `sembra --help` and `sembra COMMAND --help` print.\n\n```text\n" +
		helpOfApp(app) + "```\n"
	for _, command := range app.Commands {
		page += "\n## " + command.Name + "\n\n```text\n" + helpOf(command) + "```\n"
	}
	if *update {
		must(t, os.WriteFile("COMMANDS.md", []byte(page), 0o644))
	}
	written := must2(os.ReadFile("COMMANDS.md"))
	equal(t, "COMMANDS.md (go test ./cmd/sembra -run TestCommands -update)", page, string(written))
}

// TestVersion: --version tells what the Go tool has recorded of the build.
func TestVersion(t *testing.T) {
	t.Parallel()
	built := "go      " + runtime.Version() + "\nsystem  " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "67ba076f2c4fd0a9a6f0d1b7a5f2a1c0e3d4b5a6"}
	for want, info := range map[string]*debug.BuildInfo{
		"sembra " + versionNumber + "\n" + built: nil,
		"sembra " + versionNumber + " (67ba076f2c4f)\ndate    2026-11-22T14:03:09Z\n" + built: {Settings: []debug.BuildSetting{
			revision, {Key: "vcs.time", Value: "2026-11-22T14:03:09Z"}, {Key: "vcs.modified", Value: "false"},
		}},
		"sembra " + versionNumber + " (67ba076f2c4f, modified)\n" + built: {Settings: []debug.BuildSetting{
			revision, {Key: "vcs.modified", Value: "true"},
		}},
	} {
		if got := describeVersion(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
