package configs

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sembra/engine"
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
		row := "\n| [" + file + "](" + file + ") | `" + c.Tournament.Rules.Info().Name + "` | "
		if !strings.Contains(section, row) {
			t.Errorf("there is no row%s", row)
		}
	}
	if rows := strings.Count(section, "\n| ["); rows != len(files) {
		t.Errorf("%d rows for %d samples", rows, len(files))
	}
}

// TestReadmeRulesets: README.md names every game where it says what the ruleset
// is, in the order of the program.
func TestReadmeRulesets(t *testing.T) {
	if want := "`" + strings.Join(engine.RulesetNames(), "`, `") + "`"; !strings.Contains(string(must2(os.ReadFile("README.md"))), want) {
		t.Errorf("README.md does not name %s", want)
	}
}

// TestReadmeKeys: README.md has a row for every key that is known, in the
// section of its table, and for no other.
func TestReadmeKeys(t *testing.T) {
	text := string(must2(os.ReadFile("README.md")))
	for name, field := range fieldsOf(reflect.TypeFor[file]()) {
		table, title := field.Type, "["+name+"]"
		if table.Kind() == reflect.Slice {
			table, title = table.Elem(), "["+title+"]"
		}
		_, section, _ := strings.Cut(text, "\n## "+title+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		known := 0
		for key := range fieldsOf(table) {
			known++
			if !strings.Contains(section, "\n| `"+key+"` | ") {
				t.Errorf("no row for %s in the section %s", key, title)
			}
		}
		if rows := strings.Count(section, "\n| `"); rows != known {
			t.Errorf("%d rows in the section %s, %d keys are known", rows, title, known)
		}
	}
}

// TestReadmeErrors: the errors that README.md shows have the words of the real
// ones.
func TestReadmeErrors(t *testing.T) {
	text := string(must2(os.ReadFile("README.md")))
	inFolder(t, "spring.toml", "[tournament]\nruleset = \"awale\"\n\npair = 4\n"+twoBots)
	if want := "\nsembra: " + refusal(t, "spring.toml") + "\n"; !strings.Contains(text, want) {
		t.Errorf("README.md does not show%s", want)
	}
}
