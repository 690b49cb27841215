package bots

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// guide is the pages for bot authors.
const guide = "*.md"

// read returns the text of the files that match a pattern.
func read(t *testing.T, pattern string) string {
	t.Helper()
	files := must2(filepath.Glob(pattern))
	var all strings.Builder
	for _, file := range files {
		text := must2(os.ReadFile(file))
		all.Write(text)
	}
	return all.String()
}

// blocks returns the code blocks of the guide in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	var found []string
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(read(t, guide), -1) {
		if m[1] == language {
			found = append(found, m[2])
		}
	}
	return found
}

// TestGuideMessages: the messages in TROUBLESHOOTING.md that come from Sembra or a client
// have the words of the real ones.
func TestGuideMessages(t *testing.T) {
	var sources string
	for _, pattern := range []string{
		"../arena/*/*.go", "../configs/*.go", "../engine/*.go", "../results/*/*.go", "python/*", "javascript/*",
	} {
		sources += read(t, pattern)
	}
	foreign := regexp.MustCompile(`NotFound|no attribute|NoneType|\\r|memory|Not enough space|heap space|No such file|` +
		`Cannot find module|No module named|Error|ENOENT|EROFS|bad_alloc|Permission denied|Read-only`)
	variable := regexp.MustCompile(`…|"[^"]*"|[«»():;]|write c|expected bestmove|awale|oware|exit status \d`)
	held := 0
	for _, row := range regexp.MustCompile(`(?m)^\| (.*?) \| .* \|$`).FindAllStringSubmatch(read(t, "TROUBLESHOOTING.md"), -1) {
		for _, message := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			if foreign.MatchString(message[1]) {
				continue
			}
			for _, words := range variable.Split(message[1], -1) {
				held++
				if words = strings.TrimSpace(words); !strings.Contains(sources, words) {
					t.Errorf("nothing says %q, of %q", words, message[1])
				}
			}
		}
	}
	if held < 30 {
		t.Errorf("only %d messages are in the tables", held)
	}
}

// TestGuideIsTrue: the bots answer as in the conversations of the guide, except for times.
func TestGuideIsTrue(t *testing.T) {
	held := 0
	for _, block := range blocks(t, "text") {
		if !strings.HasPrefix(block, "arena> mbi 1\n") {
			continue
		}
		held++
		var arena, bot []string
		for line := range strings.Lines(block) {
			switch speaker, said, _ := strings.Cut(line, ">"); speaker {
			case "arena":
				arena = append(arena, strings.TrimLeft(said, " "))
			case "bot":
				bot = append(bot, strings.TrimLeft(said, " "))
			}
		}
		name := strings.TrimSpace(strings.TrimPrefix(bot[0], "id name "))
		t.Run(name, func(t *testing.T) {
			said := converse(t, name, arena)
			times := regexp.MustCompile(` time \d+`)
			got, want := times.ReplaceAllString(said, ""), times.ReplaceAllString(strings.Join(bot, ""), "")
			if got != want {
				t.Errorf("it said\n%s\nin the guide it says\n%s", got, want)
			}
		})
	}
	if held != 2 {
		t.Errorf("%d conversations, want 2", held)
	}
}

// converse sends all lines of a host to a bot and returns its answers.
func converse(t *testing.T, name string, arena []string) string {
	t.Helper()
	if b, err := Lookup(name); err == nil {
		return must2(talk(b.New(), strings.Join(arena, "")))
	}
	wire, exited := startFirst(t)
	if _, err := io.WriteString(wire, strings.Join(arena, "")); err != nil {
		t.Fatal(err)
	}
	said := must2(io.ReadAll(wire))
	must(t, exited())
	return string(said)
}
