package web

import (
	"net/http"
	"slices"

	"sembra/results/report"
	"sembra/results/store"
)

// tournamentCard is one tournament in the list.
type tournamentCard struct {
	hyperlink
	Ruleset hyperlink
	Format  string
	Bots    int

	Played, Total int
	Over          bool
	Leader        hyperlink // the bot with the most points; no text: no bot has played
	Points        string
	Won           bool // the leader has won a knockout, with however many points
}

// tournamentsPage is the list of all tournaments, the newest first.
func (s *Server) tournamentsPage(r *http.Request) content {
	all := got(s.library.Tournaments())
	var cards []tournamentCard
	for _, t := range slices.Backward(all) {
		card := tournamentCard{
			hyperlink: hyperlink{t.Name, s.links.tournament(t.Name)}, Ruleset: hyperlink{t.Ruleset, s.links.rules(t.Ruleset)},
			Format: t.Format, Bots: len(t.Bots),
		}
		check(s.library.Read(r.Context(), t.Name, func(b *store.Records) error {
			card.count(b, s.links)
			return nil
		}))
		cards = append(cards, card)
	}
	return content{Title: "Tournaments", Section: tournamentsSection, Template: "tournaments", View: cards}
}

// count adds what the matches of a tournament tell.
func (c *tournamentCard) count(b *store.Records, l links) {
	leaders := b.Tournament.Leaders()
	for _, match := range got(b.Recorded()) {
		if !match.Of(b.Tournament.Withdrawn) {
			leaders.Add(match.Summary)
			c.Played++
		}
	}
	c.Total = b.Schedule.Total()
	c.Over = b.Schedule.Over() || b.Schedule.Complete() && c.Played == c.Total
	for _, leader := range leaders.Top(1, b.Schedule.Merits()) {
		c.Leader = hyperlink{leader.Bot, l.bot(b.Tournament.Name, leader.Bot)}
		c.Points = report.Points(leader.Points)
	}
	if bracket := b.Schedule.Bracket(); c.Over && len(bracket) > 0 {
		winner := bracket[len(bracket)-1].Winner
		c.Leader, c.Won = hyperlink{winner, l.bot(b.Tournament.Name, winner)}, true
	}
}
