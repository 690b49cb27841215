package page

import (
	"net/http"

	"sembra/results"
)

// tournamentsView is the list of all tournaments.
type tournamentsView struct {
	Tournaments []tournamentCard // the newest first
}

// tournamentCard is one tournament in the list.
type tournamentCard struct {
	link
	Ruleset, Format string
	Bots            int
}

func (s *Server) tournamentsPage(*http.Request) (content, error) {
	all, err := s.library.Tournaments()
	if err != nil {
		return content{}, err
	}
	return content{
		Title: "Tournaments", Section: tournamentsSection, Template: "tournaments", View: newTournamentsView(all, s.links),
	}, nil
}

func newTournamentsView(all []results.Tournament, l links) tournamentsView {
	var v tournamentsView
	for i := len(all) - 1; i >= 0; i-- {
		t := all[i]
		v.Tournaments = append(v.Tournaments, tournamentCard{
			link: link{t.Name, l.tournament(t.Name)}, Ruleset: t.Ruleset, Format: t.Format, Bots: len(t.Bots),
		})
	}
	return v
}
