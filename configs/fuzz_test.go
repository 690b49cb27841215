package configs

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sembra/engine"
)

// FuzzLoad: whatever a file holds, it is a tournament that can be played, or is
// refused with a place inside of the file.
func FuzzLoad(f *testing.F) {
	if flag.Lookup("test.fuzz").Value.String() != "" { // otherwise TestRefused has tried them
		for _, c := range refusedCases(f) {
			f.Add(c.text)
		}
	}
	for _, sample := range samples(f) {
		text, err := os.ReadFile(sample)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	path := filepath.Join(f.TempDir(), "t.toml")
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := parse(path, []byte(text)); err == nil {
			f := defaults(path)
			d.decode("", d.tree, f.keys(path))
			if f.Tournament.Pairs > 100 || f.Openings.Plies > 100 {
				t.Skip("it only takes long")
			}
			if d.has("openings.file") {
				t.Skip("a list of openings is a file of its own")
			}
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(path, builtins())
		if err != nil {
			checkPlace(t, text, path, err)
			return
		}
		if _, err := c.Plan.Rules(); err != nil || len(c.Entries) < 2 || len(c.Plan.Openings) != c.Plan.MostPairs() {
			t.Errorf("accepted, but not playable: %+v", c)
		}
		for _, e := range c.Entries {
			if nameProblem(e.Name) != "" {
				t.Errorf("accepted, but a bot is named %q", e.Name)
			}
		}
	})
}

// FuzzOpenings: whatever a list of openings holds, its openings can be played,
// or it is refused with a place inside of it.
func FuzzOpenings(f *testing.F) {
	for _, c := range refusedCases(f) {
		if c.list != "" {
			f.Add(c.list)
		}
	}
	f.Add("startpos\nstartpos moves A e # two\n4,4,4,4,0,5/5,5,5,4,4,4 0-0 N sow 1 1\n")
	rules := must2(engine.Lookup("awale"))
	f.Fuzz(func(t *testing.T, text string) {
		openings, problems, _ := parseOpenings("list.txt", strings.NewReader(text), rules)
		for _, problem := range problems {
			checkPlace(t, text, "list.txt", problem)
		}
		again, problems, _ := parseOpenings("list.txt", strings.NewReader(strings.Join(openings, "\n")), rules)
		if diff := cmp.Diff(openings, again); diff != "" || len(problems) > 0 {
			t.Errorf("what was accepted is read otherwise, with %v:\n%s", problems, diff)
		}
	})
}

// checkPlace sees that an error points into the text.
func checkPlace(t *testing.T, text, path string, err error) {
	t.Helper()
	var bad *Error
	if !errors.As(err, &bad) {
		t.Fatalf("a %T: %v", err, err)
	}
	lines := strings.Split(text, "\n")
	switch {
	case bad.File != path || bad.Problem == "":
		t.Errorf("no file or no problem: %+v", bad)
	case bad.Line == 0:
		return // the file as a whole
	case bad.Line > len(lines), bad.Column < 1, bad.Column > len(lines[bad.Line-1])+1:
		t.Errorf("the place is outside of the text: %+v", bad)
	case bad.Source != strings.TrimRight(lines[bad.Line-1], "\r"):
		t.Errorf("line %d is %q, not %q", bad.Line, lines[bad.Line-1], bad.Source)
	}
	if !strings.HasPrefix(bad.Error(), path+":") || !strings.HasSuffix(bad.Error(), "^") {
		t.Errorf("no place and mark in %q", bad)
	}
}
