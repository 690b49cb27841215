package web

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"sembra/arena"
	"sembra/engine"
	"sembra/results/safe"
)

// liveNow is the event with the matches that are being played.
type liveNow struct {
	Running bool        `json:"running"` // a run plays the tournament
	Count   int         `json:"count"`   // number of matches in play
	Matches []liveMatch `json:"matches"` // as many of them as a feed has
}

// liveMatch is a match that is being played.
type liveMatch struct {
	Number int         `json:"number"`
	Pair   int         `json:"pair"`
	Bots   [2]string   `json:"bots"` // South and North
	Plies  int         `json:"plies"`
	Before *boardFrame `json:"before,omitempty"` // the board before the last ply; nil: none was played
	Frame  boardFrame  `json:"frame"`
	Left   *[2]float64 `json:"left,omitempty"` // of the base time at the last move, in milliseconds; nil: there is none
	Idle   float64     `json:"idle"`           // milliseconds since the last move, or since the match began
}

// inPlay returns the event with the matches of a tournament that are being played.
func inPlay(rules engine.Ruleset, tournament string, now Moment) (text []byte, err error) {
	defer catch(&err)
	said := liveNow{Running: now.Running, Matches: []liveMatch{}}
	for _, begun := range watched(now, tournament) {
		said.Count = now.InPlay.Count
		said.Matches = append(said.Matches, newLiveMatch(rules, begun))
	}
	return event("now", said), nil
}

// watched returns the matches in play of a tournament that can be watched: a feed has the first of them.
func watched(now Moment, tournament string) []arena.MatchBegun {
	if now.InPlay.Tournament != tournament {
		return nil
	}
	return now.InPlay.Matches
}

// orInPlay answers with the page of a match in play, which has the address that the match will have when it is
// recorded. next answers all other requests.
func (s *Server) orInPlay(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := unsegment(r.PathValue("tournament"))
		for _, m := range watched(s.library.Now(), name) {
			if r.PathValue("page") != "match/"+strconv.Itoa(m.Number) {
				continue
			}
			live := s.links.to(homeOf(name) + "live")
			s.answer(w, content{
				Title:   fmt.Sprintf("Match %d: %s – %s", m.Number, m.South, m.North),
				Section: tournamentsSection, Template: "match in play", View: templateData{"Match": m, "Live": live},
				Trail: []hyperlink{{"Tournaments", s.links.tournaments()}, {name, s.links.tournament(name)}},
			})
			return
		}
		next(w, r)
	}
}

// newLiveMatch shows a match as far as it is played.
func newLiveMatch(rules engine.Ruleset, begun arena.MatchBegun) liveMatch {
	m := liveMatch{
		Number: begun.Number, Pair: begun.Pair,
		Bots:  [2]string{safe.Line(begun.South), safe.Line(begun.North)},
		Plies: len(begun.Plies), Frame: boardFrame{Position: begun.Opening},
	}
	last := begun.At
	if n := len(begun.Plies); n > 0 {
		ply := begun.Plies[n-1]
		m.Before, m.Frame = &boardFrame{Position: engine.Text(rules, ply.Before)}, newBoardFrame(rules, ply.Ply)
		if ply.Left != [2]time.Duration{} {
			m.Left = &[2]float64{milliseconds(ply.Left[0]), milliseconds(ply.Left[1])}
		}
		last = begun.Moved
	}
	m.Idle = float64(max(0, time.Since(last)).Milliseconds())
	return m
}
