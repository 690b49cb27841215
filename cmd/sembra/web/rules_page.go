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
		titles = append(titles, basedOn(document[titles[at]])...)
	}
	titles = append(titles, "What all rulesets share")
	if !info.Single {
		titles = append(titles, "Matches of many rounds")
	}
	var sections []templateData
	for _, title := range append(titles, "Board and names", "Words", "Moves as text", "Positions as text") {
		id, text := strings.ReplaceAll(title, " ", "-"), template.HTML(document[title]) //nolint:gosec // it is ours
		sections = append(sections, templateData{"ID": id, "Title": title, "Text": text})
	}
	return templateData{
		"Name": info.Name, "Summary": info.Summary, "Play": l.play(choices{"ruleset": info.Name}), "Sections": sections,
		"Others": others, "Board": show.Board(rules, rules.Start(), show.Unicode), // as text
		"Still": templateData{"Layout": newBoardLayout(rules, "", ""), "Position": engine.Text(rules, rules.Start())},
	}
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
