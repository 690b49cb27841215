package page

import (
	"fmt"
	"net/http"

	"sembra/engine"
	"sembra/engine/show"
)

// rulesetsView is the list of rulesets.
type rulesetsView struct {
	Rulesets []rulesetCard
}

// rulesetCard is one ruleset in the list.
type rulesetCard struct {
	link
	Summary string
}

// rulesView is the rules of one ruleset.
type rulesView struct {
	engine.Info
	Board string // the first position, as text
}

func (s *Server) rulesetsPage(*http.Request) (content, error) {
	return content{
		Title: "Rules", Section: rulesSection, Template: "rulesets", View: rulesetsView{rulesetCards(s.links)},
	}, nil
}

func rulesetCards(l links) []rulesetCard {
	var cards []rulesetCard
	for _, rules := range engine.Rulesets() {
		info := rules.Info()
		cards = append(cards, rulesetCard{link{info.Name, l.rules(info.Name)}, info.Summary})
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
	view := rulesView{rules.Info(), show.Board(rules, rules.Start(), show.Lines)}
	return content{
		Title: "Rules of " + name, Section: rulesSection, Trail: []link{{"Rules", s.links.rules("")}},
		Template: "rules", View: view,
	}, nil
}
