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

// rulesetCard is one ruleset in the list.
type rulesetCard struct {
	link
	engine.Info
}

// rulesView is the rules of one ruleset.
type rulesView struct {
	engine.Info
	Play     string // the address of the page for play; "": there is none
	Board    string // the first position, as text
	Still    stillBoard
	Sections []rulesSectionView
	Others   []link // all rulesets
}

// rulesSectionView is a section of the document of the rules.
type rulesSectionView struct {
	ID, Title string
	Text      template.HTML
}

func (s *Server) rulesetsPage(*http.Request) (content, error) {
	return content{Title: "Rules", Section: rulesSection, Template: "rulesets", View: rulesetCards(s.links)}, nil
}

func rulesetCards(l links) []rulesetCard {
	var cards []rulesetCard
	for _, rules := range engine.Rulesets() {
		info := rules.Info()
		cards = append(cards, rulesetCard{link{info.Name, l.rules(info.Name)}, info})
	}
	return cards
}

func (s *Server) rulesPage(r *http.Request) (content, error) {
	name := r.PathValue("ruleset")
	rules, err := engine.Lookup(name)
	if err != nil {
		missing := &missingError{what: fmt.Sprintf("there is no ruleset %q", name)}
		for _, card := range rulesetCards(s.links) {
			missing.known = append(missing.known, card.link)
		}
		return content{}, missing
	}
	return content{
		Title: name, Section: rulesSection, Trail: []link{{"Rules", s.links.rules("")}}, Template: "rules",
		View: newRulesView(rules, s.links),
	}, nil
}

// newRulesView collects the sections of the document that the ruleset needs.
func newRulesView(rules engine.Ruleset, l links) rulesView {
	info := rules.Info()
	v := rulesView{
		Info: info, Play: l.play(info.Name), Board: show.Board(rules, rules.Start(), show.Lines),
		Still: stillBoard{newBoardLayout(rules, "", ""), engine.Text(rules, rules.Start())},
	}
	for _, card := range rulesetCards(l) {
		v.Others = append(v.Others, card.link)
	}
	sections := documentSections()
	titles := []string{info.Name}
	for at := 0; at < len(titles); at++ {
		titles = append(titles, basedOn(sections[titles[at]])...)
	}
	titles = append(titles, "What all rulesets share")
	if !info.Single {
		titles = append(titles, "Matches of many rounds")
	}
	titles = append(titles, "Board and names", "Words", "Moves as text", "Positions as text")
	for _, title := range titles {
		id, text := strings.ReplaceAll(title, " ", "-"), template.HTML(sections[title])
		v.Sections = append(v.Sections, rulesSectionView{id, title, text})
	}
	return v
}

// rulesDocument is the engine's document engine/RULES.md as HTML. TestRulesDocument
// makes it, because programs that convert Markdown would take longer to start.
//
//go:embed rules.html
var rulesDocument string

// documentSections returns the sections of the engine's document by their headings.
func documentSections() map[string]string {
	sections := make(map[string]string)
	for _, section := range strings.Split(rulesDocument, "<h2>")[1:] {
		title, text, _ := strings.Cut(section, "</h2>")
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
