package engine_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sembra/engine"
)

// worked is a case of the rules worked out by hand: from a position, the legal
// tokens, some moves, and what they lead to. Each is a test, is told slowly as
// well, and is a seed of the fuzz targets.
type worked struct {
	name  string
	rules string // in RULES.md, "section: name", separated by commas
	games string // the rulesets that it holds in
	start string
	legal string // before the first move; "*": not looked at
	moves string
	want  string // position text
	end   string // of the last round that ended with the moves; "": none did
}

// workedCases returns the cases of all rulesets.
func workedCases() []worked {
	return slices.Concat(awaleCases(), bechiCases(), buqruruCases(), bellinCases(), reduCases())
}

// TestRules plays the worked cases, and tells them slowly too.
func TestRules(t *testing.T) {
	for _, c := range workedCases() {
		for _, name := range strings.Fields(c.games) {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				r := lookup(t, name)
				m := engine.NewMatch(r, parse(t, r, c.start))
				moves := strings.Fields(c.moves)
				if c.legal != "*" {
					diff(t, c.rules+": legal", strings.Join(tokens(m), " "), c.legal)
				}
				if err := m.PlayTokens(moves); err != nil {
					t.Fatalf("%s: %v", c.rules, err)
				}
				diff(t, c.rules, engine.Text(r, m.Position()), c.want)
				end := ""
				for _, round := range m.Rounds() {
					end = round.End.String()
				}
				diff(t, c.rules+": end", end, c.end)

				if _, err := playBoth(r, c.start, scripted(moves)); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// scripted chooses the moves of a script and then the first legal ones.
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

// TestRulesDocument holds the worked cases against RULES.md: every rule that
// they cite is there, and every rule that is there is shown by one of them.
func TestRulesDocument(t *testing.T) {
	document, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{"What all rulesets share": "shared", "Matches of many rounds": "rounds"}
	for _, r := range engine.Rulesets() {
		sections[r.Info().Name] = r.Info().Name
	}
	rule := regexp.MustCompile(`^- \*\*(.+)\.\*\* `)
	var written []string
	var section string
	for _, line := range strings.Split(string(document), "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = sections[heading]
		}
		if found := rule.FindStringSubmatch(line); found != nil && section != "" {
			written = append(written, section+": "+found[1])
		}
	}
	// These are shown by tests of their own.
	cited := []string{"shared: Seeds", "shared: Result"}
	for _, c := range workedCases() {
		cited = append(cited, strings.Split(c.rules, ", ")...)
	}
	for _, rule := range cited {
		if !slices.Contains(written, rule) {
			t.Errorf("a case cites %q, which RULES.md does not have", rule)
		}
	}
	for _, rule := range written {
		if !slices.Contains(cited, rule) {
			t.Errorf("RULES.md says %q, and no case shows it", rule)
		}
	}

	// The document's examples of position texts.
	r := lookup(t, "awale")
	m := engine.NewMatch(r, r.Start())
	if err := m.PlayTokens([]string{"F", "c", "B"}); err != nil {
		t.Fatal(err)
	}
	shown := []string{engine.Text(r, m.Position()), "f  e  d  c  b  a      North"}
	for _, r := range engine.Rulesets() {
		shown = append(shown, engine.Text(r, r.Start()))
	}
	for _, text := range shown {
		if !strings.Contains(string(document), "\n    "+text+"\n") {
			t.Errorf("RULES.md does not show %q", text)
		}
	}
}

// TestCaseNames holds that a case can be found by its name.
func TestCaseNames(t *testing.T) {
	known := map[string]bool{}
	for _, c := range workedCases() {
		for name := range strings.FieldsSeq(c.games) {
			full := fmt.Sprintf("%s: %s", name, c.name)
			if known[full] {
				t.Errorf("two cases are called %q", full)
			}
			known[full] = true
		}
	}
}
