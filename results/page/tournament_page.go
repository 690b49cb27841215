package page

import (
	"net/http"

	"sembra/results"
	"sembra/results/store"
)

// tournamentView is how a tournament stands.
type tournamentView struct {
	Name          string
	Ruleset       link
	Format        string
	Matches       link
	Played, Total int
	Live          string // the address of its events; "": it is not live
	Lines         []standingLine
}

// standingLine is a line of the standings.
type standingLine struct {
	results.Standing
	URL string // of the bot
}

func (s *Server) tournamentPage(r *http.Request) (content, error) {
	name := unsegment(r.PathValue("tournament"))
	var view tournamentView
	err := s.library.Read(r.Context(), name, func(b *store.Book) (err error) {
		view, err = newTournamentView(b, s.links)
		return err
	})
	return content{
		Title: name, Section: tournamentsSection, Trail: []link{{"Tournaments", s.links.tournaments()}},
		Template: "tournament", View: view,
	}, err
}

func newTournamentView(b *store.Book, l links) (tournamentView, error) {
	t := b.Tournament
	standings, err := b.Standings()
	if err != nil {
		return tournamentView{}, err
	}
	v := tournamentView{
		Name: t.Name, Ruleset: link{t.Ruleset, l.rules(t.Ruleset)}, Format: t.Format,
		Matches: link{"All matches", l.matches(t.Name, matchChoice{})},
		Played:  standings.Played, Total: b.Schedule.Total(), Live: l.live(t.Name),
	}
	for _, line := range standings.Lines {
		v.Lines = append(v.Lines, standingLine{line, l.bot(t.Name, line.Bot)})
	}
	return v, nil
}
