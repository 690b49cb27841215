package configs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

var update = flag.Bool("update", false, "write KEYS.md")

// keysIntroduction begins KEYS.md.
const keysIntroduction = `# Keys of a tournament file

This page is generated from the program: every key, by its table. [README.md](README.md) explains how to use them.

A path is relative to the folder of the tournament file, apart from that of the database, which is relative to the
current folder. A time is at most 1000 hours; a size counts KiB, MiB or GiB.
`

// TestKeys: KEYS.md has every key of a tournament file with its type, limits and default, and the comment of its field.
func TestKeys(t *testing.T) {
	page, given := keysIntroduction, reflect.ValueOf(defaults("")).Elem()
	for name, field := range fieldsOf(given.Type()) {
		title, table := "["+name+"]", given.FieldByIndex(field.Index)
		if table.Kind() == reflect.Slice {
			title, table = "["+title+"]", reflect.New(table.Type().Elem()).Elem()
		}
		page += fmt.Sprintf("\n## %s\n\n| key | value | default | meaning |\n|---|---|---|---|\n", title)
		for key, field := range fieldsOf(table.Type()) {
			page += fmt.Sprintf("| `%s` | %s |\n", key, describeKey(t, table, field))
		}
	}
	if *update {
		write(t, "KEYS.md", page)
	}
	if diff := cmp.Diff(string(must2(os.ReadFile("KEYS.md"))), page); diff != "" {
		t.Errorf("-KEYS.md +the fields (go test ./configs -run TestKeys -update):\n%s", diff)
	}
}

// describeKey returns what a key may hold, its default and its meaning.
func describeKey(t *testing.T, table reflect.Value, field reflect.StructField) string {
	owner := table.Type() // the struct that declares the field
	for _, i := range field.Index[:len(field.Index)-1] {
		owner = owner.Field(i).Type
	}
	comment := ""
	for _, file := range must2(filepath.Glob("../" + strings.TrimPrefix(owner.PkgPath(), "sembra/") + "/*.go")) {
		above := regexp.MustCompile(`(?s)\ntype ` + owner.Name() + ` struct \{.*?\n\t// ([^\n]*)\n\t` + field.Name + ` `)
		if found := above.FindSubmatch(must2(os.ReadFile(file))); found != nil {
			comment = string(found[1])
		}
	}
	if comment == "" {
		t.Errorf("%s.%s has no comment above it", owner.Name(), field.Name)
	}
	value, least, most, otherwise := table.FieldByIndex(field.Index), field.Tag.Get("least"), field.Tag.Get("most"), ""
	switch text := fmt.Sprint(value); {
	case value.IsZero() && value.Kind() != reflect.Bool && strings.TrimSuffix(least, "s") != "0":
	case value.Kind() == reflect.String, value.Kind() == reflect.Int64: // a time or a size
		otherwise = "`\"" + text + "\"`"
	default:
		otherwise = "`" + text + "`"
	}
	if said := regexp.MustCompile(`^(.*) \((?:default: (.*)|(required.*))\)$`).FindStringSubmatch(comment); said != nil {
		comment, otherwise = said[1], said[2]+said[3]
	}
	refused := new(document)
	refused.value("", time.Time{}, value, field.Tag) // no key holds a date
	_, kind, _ := strings.Cut(refused.wrong[0].Problem, "it must be ")
	switch kind = regexp.MustCompile(`^an? | in quotes|, like .*`).ReplaceAllString(kind, ""); {
	case most != "" && most != "1000h":
		kind += ", " + least + " to " + most
	case least != "":
		kind += ", " + least + " or more"
	}
	return kind + " | " + otherwise + " | " + comment
}

// TestReadmeErrors: the errors that README.md shows have the words of the real ones.
func TestReadmeErrors(t *testing.T) {
	text := string(must2(os.ReadFile("README.md")))
	inFolder(t, "spring.toml", "[tournament]\nruleset = \"awale\"\n\npair = 4\n"+twoBots)
	if want := "\nsembra: " + refusal(t, "spring.toml") + "\n"; !strings.Contains(text, want) {
		t.Errorf("README.md does not show%s", want)
	}
}
