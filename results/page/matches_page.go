package page

import (
	"net/http"
	"strconv"

	"sembra/results"
	"sembra/results/store"
)

// matchesView is a list of matches.
type matchesView struct {
	Title   string
	Matches []matchLine
}

// matchLine is a match of the list.
type matchLine struct {
	results.Slotted
	URL string
}

// matchesOnPage is the greatest number of matches in a list.
const matchesOnPage = 500

func (s *Server) matchesPage(r *http.Request) (content, error) {
	name := unsegment(r.PathValue("tournament"))
	choice := readMatchChoice(r)
	var view matchesView
	err := s.library.Read(r.Context(), name, func(b *store.Book) (err error) {
		view, err = newMatchesView(b, choice, s.links)
		return err
	})
	return content{
		Title: view.Title, Section: tournamentsSection, Trail: tournamentTrail(name, s.links), Template: "matches", View: view,
	}, err
}

// tournamentTrail is the trail of a page below that of a tournament.
func tournamentTrail(name string, l links) []link {
	return []link{{"Tournaments", l.tournaments()}, {name, l.tournament(name)}}
}

// readMatchChoice reads what matchChoice.query wrote. It ignores what is no number.
func readMatchChoice(r *http.Request) matchChoice {
	values := r.URL.Query()
	number := func(key string) int {
		n, err := strconv.Atoi(values.Get(key))
		if err != nil || n < 0 {
			return 0
		}
		return n
	}
	return matchChoice{values.Get("bot"), values.Get("opponent"), number("stage"), number("page")}
}

func newMatchesView(b *store.Book, choice matchChoice, l links) (matchesView, error) {
	v := matchesView{Title: "Matches of " + b.Tournament.Name}
	for match, err := range b.Matches() {
		if err != nil {
			return v, err
		}
		if !choice.passes(b, match) {
			continue
		}
		if v.Matches = append(v.Matches, matchLine{match, l.match(b.Tournament.Name, match.Slot)}); len(v.Matches) == matchesOnPage {
			break
		}
	}
	return v, nil
}

// passes reports whether the choice has a match.
func (c matchChoice) passes(b *store.Book, m results.Slotted) bool {
	return (c.Bot == "" || m.South == c.Bot || m.North == c.Bot) &&
		(c.Opponent == "" || m.South == c.Opponent || m.North == c.Opponent) &&
		(c.Stage == 0 || b.Schedule.Stage(m.Slot) == c.Stage)
}
