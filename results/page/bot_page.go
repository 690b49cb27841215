package page

import (
	"fmt"
	"net/http"
	"slices"

	"sembra/results"
	"sembra/results/store"
)

// botView is how one bot did in a tournament.
type botView struct {
	Bot      string
	Meetings []meetingLine
}

// meetingLine is the bot against one opponent.
type meetingLine struct {
	results.Meeting
	Opponent link
	Matches  link
}

func (s *Server) botPage(r *http.Request) (content, error) {
	name, bot := unsegment(r.PathValue("tournament")), unsegment(r.PathValue("bot"))
	var view botView
	err := s.library.Read(r.Context(), name, func(b *store.Book) (err error) {
		view, err = newBotView(b, bot, s.links)
		return err
	})
	return content{
		Title: bot, Section: tournamentsSection, Trail: tournamentTrail(name, s.links), Template: "bot", View: view,
	}, err
}

func newBotView(b *store.Book, bot string, l links) (botView, error) {
	t := b.Tournament
	if !slices.Contains(t.Bots, bot) {
		missing := &missingError{what: fmt.Sprintf("tournament %q has no bot %q", t.Name, bot)}
		for _, known := range t.Bots {
			missing.known = append(missing.known, link{known, l.bot(t.Name, known)})
		}
		return botView{}, missing
	}
	summaries, err := b.Recorded()
	if err != nil {
		return botView{}, err
	}
	meetings, err := results.NewMeetings(t, summaries)
	if err != nil {
		return botView{}, err
	}
	v := botView{Bot: bot}
	for _, m := range meetings.Of(bot).List {
		v.Meetings = append(v.Meetings, meetingLine{
			m,
			link{m.Opponent, l.bot(t.Name, m.Opponent)},
			link{"Matches", l.matches(t.Name, matchChoice{Bot: bot, Opponent: m.Opponent})},
		})
	}
	return v, nil
}
