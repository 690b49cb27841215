package page

import (
	"fmt"
	"net/http"
	"strconv"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

// matchView is one match.
type matchView struct {
	Title   string
	Outcome string
	Board   report.Drawing // the last one
	Moves   []string
}

func (s *Server) matchPage(r *http.Request) (content, error) {
	name := unsegment(r.PathValue("tournament"))
	slot, err := strconv.Atoi(r.PathValue("slot"))
	if err != nil {
		return content{}, &missingError{
			what:  fmt.Sprintf("%q is not the number of a match", r.PathValue("slot")),
			known: []link{{"All matches", s.links.matches(name, matchChoice{})}},
		}
	}
	var view matchView
	err = s.library.Read(r.Context(), name, func(b *store.Book) (err error) {
		view, err = newMatchView(b, slot, s.links)
		return err
	})
	return content{
		Title: view.Title, Section: tournamentsSection, Trail: tournamentTrail(name, s.links), Template: "match", View: view,
	}, err
}

func newMatchView(b *store.Book, slot int, l links) (matchView, error) {
	noMatch := &missingError{
		what:  fmt.Sprintf("tournament %q has no match %d so far", b.Tournament.Name, slot),
		known: []link{{"All matches", l.matches(b.Tournament.Name, matchChoice{})}},
	}
	if slot < 1 || slot > b.Schedule.Len() {
		return matchView{}, noMatch
	}
	record, found, err := b.Record(slot)
	if err != nil {
		return matchView{}, err
	}
	if !found {
		return matchView{}, noMatch
	}
	rules, err := b.Tournament.Rules()
	if err != nil {
		return matchView{}, err
	}
	replay, err := results.NewReplay(rules, record)
	if err != nil {
		return matchView{}, err
	}
	match := report.Match{Tournament: b.Tournament, Slot: slot, Matches: b.Schedule.Len(), Record: record}
	return matchView{
		Title: match.Title(), Outcome: match.Outcome(), Board: report.Draw(replay, len(replay.Plies), show.Lines), Moves: record.Moves,
	}, nil
}
