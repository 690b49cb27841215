package web

import (
	_ "embed" // for the document
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"strings"

	"sembra/engine"
	"sembra/engine/show"
)

func (s *Server) rulesetsPage(*http.Request) content {
	return content{Title: "Rules", Section: rulesSection, Template: "rulesets", View: rulesets()}
}

func rulesets() []engine.Info {
	var all []engine.Info
	for _, rules := range engine.Rulesets() {
		all = append(all, rules.Info())
	}
	return all
}

func (s *Server) rulesPage(r *http.Request) content {
	name := r.PathValue("ruleset")
	rules, err := engine.Lookup(name)
	if err != nil {
		check(missing(fmt.Sprintf("there is no ruleset %q", name), hyperlink{"All rulesets", s.links.rules("")}))
	}
	return content{
		Title: name, Section: rulesSection, Trail: []hyperlink{{"Rules", s.links.rules("")}}, Template: "rules",
		View: newRulesView(rules, s.links),
	}
}

// newRulesView has the sections of the document that the ruleset needs.
func newRulesView(rules engine.Ruleset, l links) templateData {
	info := rules.Info()
	var others []engine.Info // on a server
	if l.translate == nil {
		others = rulesets()
	}
	document := documentSections()
	first := info.Name
	if document[first] == "" { // it is another one on a board of another size
		first, _, _ = strings.Cut(first, "-")
	}
	titles := []string{first}
	for at := 0; at < len(titles); at++ {
		bases := basedOn(document[titles[at]])
		for _, base := range bases {
			document[base] = foldChanged(document, base, titles[at])
		}
		titles = append(titles, bases...)
	}
	titles = append(titles, "What all rulesets share")
	if !info.Single {
		titles = append(titles, "Matches of many rounds")
	}
	var sections []templateData
	for _, title := range append(titles, "Board and names", "Words", "Moves as text", "Positions as text") {
		of := rules
		if named, err := engine.Lookup(title); err == nil { // whose examples the section has
			of = named
		}
		sections = append(sections, templateData{
			"ID": strings.ReplaceAll(title, " ", "-"), "Title": title, "Parts": rulesParts(of, document[title]),
			"Specification": strings.HasSuffix(title, " as text"),
		})
	}
	return templateData{
		"Name": info.Name, "Summary": info.Summary, "Play": l.play(choices{"ruleset": info.Name}), "Sections": sections,
		"Others": others, "Board": show.Board(rules, rules.Start(), show.Unicode), // as text
		"Still": stillBoard(rules, rules.Start()),
	}
}

func stillBoard(rules engine.Ruleset, p engine.Position) templateData {
	return templateData{"Layout": newBoardLayout(rules, "", ""), "Position": engine.Text(rules, p)}
}

// rulesParts returns a text of the rules with the boards of its examples. An example is a position, and the positions
// after moves: "C → 1,0,...".
func rulesParts(rules engine.Ruleset, text string) []templateData {
	var parts []templateData
	example := regexp.MustCompile(`<pre tabindex="0"><code>([^<]*)</code></pre>`)
	for found := example.FindStringSubmatchIndex(text); found != nil; found = example.FindStringSubmatchIndex(text) {
		var boards []templateData
		for line := range strings.Lines(text[found[2]:found[3]]) {
			move, position, isAfter := strings.Cut(strings.TrimSpace(line), " → ")
			if !isAfter {
				move, position = "", move
			}
			p, err := engine.ParsePosition(rules, position)
			if err != nil { // it is not an example, or one of another board
				boards = nil
				break
			}
			boards = append(boards, templateData{"Move": move, "Still": stillBoard(rules, p)})
		}
		before := text[:found[0]]
		if boards == nil {
			before = text[:found[1]]
		}
		parts = append(parts, templateData{"Text": template.HTML(before), "Boards": boards}) //nolint:gosec // it is ours
		text = text[found[1]:]
	}
	return append(parts, templateData{"Text": template.HTML(text), "Boards": nil}) //nolint:gosec // it is ours
}

// foldChanged returns the section of a base without the rules that the section of a ruleset has under the same name:
// they are folded away, because they are others there.
func foldChanged(document map[string]string, base, ruleset string) string {
	rule := regexp.MustCompile(`(?s)<li>\s*(?:<p>)?<strong>([^<]+)\.</strong>.*?</li>`)
	changed := make(map[string]bool)
	for _, found := range rule.FindAllStringSubmatch(document[ruleset], -1) {
		changed[found[1]] = true
	}
	return rule.ReplaceAllStringFunc(document[base], func(item string) string {
		name := rule.FindStringSubmatch(item)[1]
		if !changed[name] {
			return item
		}
		text := strings.TrimSuffix(strings.TrimPrefix(item, "<li>"), "</li>")
		return fmt.Sprintf("<li><details><summary><strong>%s</strong> in %s; %s changes it, see above</summary>%s</details></li>",
			name, base, ruleset, text)
	})
}

// rulesDocument is engine/RULES.md and the pages of engine/rules as HTML. TestRulesDocument makes it, because programs
// that convert Markdown would take longer to start.
//
//go:embed rules.html
var rulesDocument string

// documentSections returns the sections of rulesDocument by their headings.
func documentSections() map[string]string {
	sections := make(map[string]string)
	for _, section := range strings.Split(rulesDocument, "<h2>")[1:] {
		title, text, _ := strings.Cut(section, "</h2>")
		text, _, _ = strings.Cut(text, "<h1>") // the next page
		sections[title] = text
	}
	return sections
}

// basedOn returns the rulesets whose rules a section changes.
func basedOn(section string) []string {
	var names []string
	for _, found := range regexp.MustCompile(`(?i)everything is as in ([a-z0-9-]+), except`).FindAllStringSubmatch(section, -1) {
		names = append(names, found[1])
	}
	return names
}
