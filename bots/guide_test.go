package bots

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sembra/engine"
)

// guide is the pages for bot authors.
const guide = "*.md"

// read returns the text of the files that match a pattern.
func read(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	must(t, err)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
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

// TestGuideShowsTheSamples: the bots in the guide that talk to the arena themselves
// are the tested samples.
func TestGuideShowsTheSamples(t *testing.T) {
	for language, sample := range map[string]string{"python": firstBot, "go": "samples/careful/main.go"} {
		if !slices.Contains(blocks(t, language), read(t, sample)) {
			t.Errorf("the guide does not show %s", sample)
		}
	}
}

// TestGuideShowsTheGames: the guide has a row for every ruleset, one with its
// moves and one with the text of its start position.
func TestGuideShowsTheGames(t *testing.T) {
	_, section, _ := strings.Cut(read(t, guide), "\n## The games\n")
	section, _, _ = strings.Cut(section, "\n## ")
	moves, texts, _ := strings.Cut(section, "\n### Position texts\n")
	for _, rules := range engine.Rulesets() {
		name, start := "`"+rules.Info().Name+"`", "| `"+engine.Text(rules, rules.Start())+"` |"
		row := func(table, with string) bool {
			for line := range strings.Lines(table) {
				head, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
				if strings.Contains(head, name) && strings.Contains(line, with) {
					return true
				}
			}
			return false
		}
		if !row(moves, "|") {
			t.Errorf("the guide does not show the moves of %s", name)
		}
		if !row(texts, start) {
			t.Errorf("the guide does not show %s for %s", start, name)
		}
	}
}

// TestGuideTellsTheTruth: the bots answer as in the conversations of the guide,
// except for times.
func TestGuideTellsTheTruth(t *testing.T) {
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
	if held != 3 {
		t.Errorf("%d conversations, want 3", held)
	}
}

// converse sends all lines of a host to a bot and returns its answers.
func converse(t *testing.T, name string, arena []string) string {
	t.Helper()
	if b, err := Lookup(name); err == nil {
		said, err := talk(b.New(), strings.Join(arena, ""))
		must(t, err)
		return said
	}
	wire, exited := startFirst(t)
	if _, err := io.WriteString(wire, strings.Join(arena, "")); err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(wire)
	must(t, err)
	must(t, exited())
	return string(said)
}
