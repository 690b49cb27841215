package configs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sembra/results"
)

// TestReadmeExamples: the tournaments in README.md and in the pages for bot authors are accepted.
func TestReadmeExamples(t *testing.T) {
	examples := strings.Split(string(must2(os.ReadFile("README.md"))), "\n```toml\n")[1:]
	for _, page := range must2(filepath.Glob("../bots/*.md")) {
		examples = append(examples, strings.Split(string(must2(os.ReadFile(page))), "\n```toml\n")[1:]...)
	}
	if len(examples) < 4 {
		t.Fatalf("%d examples", len(examples))
	}
	inFolder(t)
	for _, example := range examples {
		example, _, _ = strings.Cut(example, "```")
		write(t, "example.toml", example)
		load("example.toml")
	}
}

// TestReadmeSamples: README.md has a row for every sample, and says its game.
func TestReadmeSamples(t *testing.T) {
	_, section, _ := strings.Cut(string(must2(os.ReadFile("README.md"))), "\n## Samples\n")
	section, _, _ = strings.Cut(section, "\n## ")
	files := samples(t)
	for _, file := range files {
		c := load(file)
		row := "\n| [" + file + "](" + file + ") | `" + c.Plan.Ruleset + "` | "
		if !strings.Contains(section, row) {
			t.Errorf("there is no row%s", row)
		}
	}
	if rows := strings.Count(section, "\n| ["); rows != len(files) {
		t.Errorf("%d rows for %d samples", rows, len(files))
	}
}

var update = flag.Bool("update", false, "write KEYS.md")

// keysIntroduction begins KEYS.md.
const keysIntroduction = `# Keys of a tournament file

This page is generated from the program: every key, by its table. [README.md](README.md) explains how to use them.

A path is relative to the folder of the tournament file, apart from that of the database, which is relative to the
current folder. A time is at most 1000 hours; a size counts KiB, MiB or GiB.
`

// TestKeys: KEYS.md has every key of a tournament file with its type, limits and default, and its meaning.
func TestKeys(t *testing.T) {
	page := keysIntroduction
	for _, table := range new(file).keys("") {
		title, keys := "["+table.name+"]", new(botTable).keys()
		if own, is := table.to.([]key); is {
			keys = own
		} else {
			title = "[" + title + "]"
		}
		page += fmt.Sprintf("\n## %s\n\n| key | value | default | meaning |\n|---|---|---|---|\n", title)
		for _, k := range keys {
			page += fmt.Sprintf("| `%s` | %s |\n", k.name, describeKey(k))
		}
	}
	if *update {
		write(t, "KEYS.md", page)
	}
	if diff := cmp.Diff(string(must2(os.ReadFile("KEYS.md"))), page); diff != "" {
		t.Errorf("-KEYS.md +the keys (go test ./configs -run TestKeys -update):\n%s", diff)
	}
}

// describeKey returns what a key may hold, its default and its meaning.
func describeKey(k key) string {
	meaning, otherwise := k.meaning, ""
	switch k.fallback.(type) {
	case nil:
	case string, time.Duration, results.Size:
		otherwise = fmt.Sprintf("`\"%v\"`", k.fallback)
	default:
		otherwise = fmt.Sprintf("`%v`", k.fallback)
	}
	if said := regexp.MustCompile(`^(.*) \((?:default: (.*)|(required.*))\)$`).FindStringSubmatch(meaning); said != nil {
		meaning, otherwise = said[1], said[2]+said[3]
	}
	refused := new(document)
	refused.value("bot.0."+k.name, time.Time{}, k) // no key holds a date
	_, kind, _ := strings.Cut(refused.wrong[0].Problem, "it must be ")
	kind = regexp.MustCompile(`^an? | in quotes|, like .*`).ReplaceAllString(kind, "")
	switch {
	case k.limits.most != "" && k.limits.most != "1000h":
		kind += ", " + k.limits.least + " to " + k.limits.most
	case k.limits.least != "":
		kind += ", " + k.limits.least + " or more"
	}
	return kind + " | " + otherwise + " | " + meaning
}

// TestReadmeErrors: the errors that README.md shows have the words of the real ones.
func TestReadmeErrors(t *testing.T) {
	text := string(must2(os.ReadFile("README.md")))
	inFolder(t, "spring.toml", "[openings]\nplie = 4\n[tournament]\nruleset = \"awale\"\n"+twoBots)
	if want := "\nsembra: " + refusal(t, "spring.toml") + "\n"; !strings.Contains(text, want) {
		t.Errorf("README.md does not show%s", want)
	}
}
