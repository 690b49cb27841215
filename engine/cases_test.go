package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sembra/engine"
)

// worked is a case of the rules that was worked out by hand, for one ruleset: from a position, the legal tokens, some
// moves, and what they lead to. TestRules plays it with the engine and with the second implementation, and the fuzz targets
// begin with it.
type worked struct {
	ruleset string
	name    string
	rules   []string // in RULES.md or a page of rules, "section: name"
	start   string
	legal   string // before the first move; "*" if the case does not say
	moves   []string
	want    string // position text
	ends    string // how the last round ended that the moves ended; "" if they ended none
}

// workedCases reads the cases of testdata/cases, whose form testdata/README.md
// describes. A case of several rulesets comes once for each of them.
func workedCases(t testing.TB) []worked {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var cases []worked
	for _, file := range files {
		text := must2(os.ReadFile(file))
		for block := range strings.SplitSeq(string(text), "\n\n") {
			read, err := readCase(block)
			if err != nil {
				t.Fatalf("%s: %v in:\n%s", file, err, block)
			}
			cases = append(cases, read...)
		}
	}
	return cases
}

// readCase reads a block of a file: a case, or only comments.
func readCase(block string) ([]worked, error) {
	order := []string{"case", "rules", "start", "legal", "moves", "want", "ends"}
	values := map[string]string{"legal": "*"}
	next := 0
	for line := range strings.Lines(block) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if key == "" || key == "#" {
			continue
		}
		at := slices.Index(order, key)
		if at < next || value == "" {
			return nil, fmt.Errorf("bad line %q", line)
		}
		values[key], next = value, at+1
	}
	if next == 0 {
		return nil, nil
	}
	rulesets, name, _ := strings.Cut(values["case"], ": ")
	if name == "" || values["rules"] == "" || values["start"] == "" || values["want"] == "" {
		return nil, fmt.Errorf("a name, rules, start and want expected")
	}
	var cases []worked
	for ruleset := range strings.FieldsSeq(rulesets) {
		cases = append(cases, worked{
			ruleset: ruleset, name: name, rules: strings.Split(values["rules"], ", "),
			start: values["start"], legal: strings.TrimPrefix(values["legal"], "-"),
			moves: strings.Fields(values["moves"]), want: values["want"], ends: values["ends"],
		})
	}
	return cases, nil
}

// TestRules plays the worked cases with the engine and with the second implementation.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, c := range workedCases(t) {
		t.Run(c.ruleset+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			r := lookup(t, c.ruleset)
			m := engine.NewMatch(r, parse(t, r, c.start))
			if c.legal != "*" {
				equal(t, "legal", c.legal, strings.Join(tokens(m), " "))
			}
			if err := m.PlayTokens(c.moves); err != nil {
				t.Fatalf("%v: %v", c.rules, err)
			}
			equal(t, strings.Join(c.rules, ", "), c.want, engine.Text(r, m.Position()))
			ends := ""
			for _, round := range m.Rounds() {
				ends = round.End.String()
			}
			equal(t, "ends", c.ends, ends)

			if _, err := playBoth(r, c.start, scripted(c.moves)); err != nil {
				t.Error(err)
			}
		})
	}
}

// scripted returns a chooser that chooses the moves one by one, and then the first legal ones.
func scripted(moves []string) func([]string) string {
	return func(sorted []string) string {
		if len(moves) == 0 {
			return sorted[0]
		}
		move := moves[0]
		moves = moves[1:]
		return move
	}
}

// TestRulesDocument compares the worked cases with RULES.md and the pages of rules: a case cites only rules of these
// pages, and each of their rules has a case. It also looks for the position texts that RULES.md must show.
func TestRulesDocument(t *testing.T) {
	t.Parallel()
	pages := must2(filepath.Glob("rules/*.md"))
	var document, all string
	for _, page := range append(pages, "RULES.md") {
		text := must2(os.ReadFile(page))
		document = string(text)
		all += document
	}
	sections := map[string]string{"What all rulesets share": "shared", "Matches of many rounds": "rounds"}
	for _, r := range engine.Rulesets() {
		sections[r.Info().Name] = r.Info().Name
	}
	rule := regexp.MustCompile(`^- \*\*(.+)\.\*\* `)
	var written []string
	var section string
	for _, line := range strings.Split(all, "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = sections[heading]
		}
		if found := rule.FindStringSubmatch(line); found != nil && section != "" {
			written = append(written, section+": "+found[1])
		}
	}
	// These two have tests of their own.
	cited := []string{"shared: Seeds", "shared: Result"}
	for _, c := range workedCases(t) {
		cited = append(cited, c.rules...)
	}
	for _, rule := range cited {
		if !slices.Contains(written, rule) {
			t.Errorf("a case cites %q, which no page has", rule)
		}
	}
	for _, rule := range written {
		if !slices.Contains(cited, rule) {
			t.Errorf("no case shows %q", rule)
		}
	}

	// The document's examples of position texts.
	r := lookup(t, "awale")
	m := engine.NewMatch(r, r.Start())
	must(t, m.PlayTokens([]string{"F", "c", "B"}))
	shown := []string{engine.Text(r, m.Position()), "f  e  d  c  b  a      North"}
	for _, r := range engine.Rulesets() {
		shown = append(shown, engine.Text(r, r.Start()))
	}
	for _, text := range shown {
		if !strings.Contains(document, "\n    "+text+"\n") {
			t.Errorf("RULES.md does not show %q", text)
		}
	}
}

// TestRulesExamples plays the examples in the pages of rules: a position, then lines of
// moves with the position after them; and rows of a position with all its legal moves.
func TestRulesExamples(t *testing.T) {
	t.Parallel()
	pages := must2(filepath.Glob("rules/*.md"))
	begins := regexp.MustCompile(`^    (\S+/\S+ \d+-\d+ [SN] .*)$`)
	plays := regexp.MustCompile(`^    (.+) → (.*)$`)
	lists := regexp.MustCompile("^\\| `(\\S+/.*)` \\| `(.*)` \\|$")
	for _, page := range pages {
		text := must2(os.ReadFile(page))
		var section string
		var m *engine.Match
		for _, line := range strings.Split(string(text), "\n") {
			if hashes, name, _ := strings.Cut(line, " "); hashes == "##" || hashes == "###" && strings.HasPrefix(name, "kalah-") {
				section = name
			} else if found := begins.FindStringSubmatch(line); found != nil {
				r := lookup(t, section)
				m = engine.NewMatch(r, parse(t, r, found[1]))
			} else if found := plays.FindStringSubmatch(line); found != nil {
				must(t, m.PlayTokens(strings.Fields(found[1])))
				equal(t, section+": "+found[1], found[2], engine.Text(m.Rules(), m.Position()))
			} else if found := lists.FindStringSubmatch(line); found != nil {
				r := lookup(t, section)
				equal(t, found[1], found[2], strings.Join(tokens(engine.NewMatch(r, parse(t, r, found[1]))), " "))
			}
		}
	}
}
