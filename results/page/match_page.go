package page

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
	"sembra/results/store"
)

// matchView is one match.
type matchView struct {
	Title      string // of the document
	Ruleset    link
	Place      string  // where the match stands in the schedule
	Seats      [2]link // South and North
	Outcome    string
	Ending     string         // a sentence about how it ended
	Notes      []string       // what else a reader has to know about it
	Older      []olderMatch   // the matches of the same place that are superseded
	Board      report.Drawing // the last one
	Opening    string         // its position text, if the match did not begin with the start of the ruleset
	Plies      int
	Data       matchData
	Rounds     []roundView
	Charts     []curvesView
	Facts      []report.Fact
	Talk       string // the end of the conversation with the bots, if it was kept
	Before     link   // the match before this one in the schedule
	After      link
	PlyAddress string // the address of the last ply
}

// olderMatch is a match that a replacement superseded.
type olderMatch struct {
	Replacement int // its number, from 1
	URL         string
}

// matchData is what the script needs of a match.
type matchData struct {
	Layout Layout  `json:"layout"`
	Frames []Frame `json:"frames"`
}

// roundView is a round of a match with its moves.
type roundView struct {
	results.Round
	Number int
	Moves  []moveView
	URL    string // of its first board
	Opens  int    // the number of its first ply
}

// moveView is a ply in the list of moves.
type moveView struct {
	Seat  engine.Seat
	Token string
	URL   string // of the board after it
}

// MoveItems returns the items of the list of moves. A template would take several times as long to write them, which
// a report of many matches shows.
func (r roundView) MoveItems() template.HTML {
	var items strings.Builder
	for _, m := range r.Moves {
		items.WriteString(`<li><a href="` + template.HTMLEscapeString(m.URL) + `" class="` + m.Seat.String() + `"><b>` +
			template.HTMLEscapeString(results.VisibleAll(m.Token)) + "</b></a></li>\n")
	}
	return template.HTML(items.String()) //nolint:gosec // all texts are escaped
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
	replacement, _ := strconv.Atoi(r.URL.Query().Get("superseded")) // 0: the match that counts
	var view matchView
	err = s.library.Read(r.Context(), name, func(b *store.Book) (err error) {
		view, err = newMatchView(newReader(b), slot, replacement, s.links)
		return err
	})
	for i, old := range view.Older {
		view.Older[i].URL = fmt.Sprintf("%s?superseded=%d", s.links.match(name, slot), old.Replacement)
	}
	return content{
		Title: view.Title, Section: tournamentsSection, Trail: tournamentTrail(name, s.links), Template: "match", View: view,
	}, err
}

// newMatchView returns the match of a slot: the one that counts, or the one that a replacement superseded.
func newMatchView(b *reader, slot, replacement int, l links) (matchView, error) {
	t := b.Tournament
	noMatch := &missingError{
		what:  fmt.Sprintf("tournament %q has no match %d so far", t.Name, slot),
		known: []link{{"All matches", l.matches(t.Name, matchChoice{})}},
	}
	if slot < 1 || slot > b.Schedule.Len() {
		return matchView{}, noMatch
	}
	superseded, err := supersededOf(b, slot)
	if err != nil {
		return matchView{}, err
	}
	record, found, err := matchRecord(b, slot, replacement, superseded)
	if err != nil {
		return matchView{}, err
	}
	voids, err := voidsOf(b, slot)
	if err != nil {
		return matchView{}, err
	}
	if !found {
		for _, void := range voids {
			noMatch.what += fmt.Sprintf("; an attempt was void: %s", void.Reason)
		}
		return matchView{}, noMatch
	}
	rules, err := b.rules()
	if err != nil {
		return matchView{}, err
	}
	replay, err := results.NewReplay(rules, record)
	if err != nil {
		return matchView{}, err
	}

	match := report.Match{Tournament: t, Slot: slot, Matches: b.Schedule.Len(), Record: record}
	v := matchView{
		Title:   fmt.Sprintf("Match %d: %s – %s", slot, record.South, record.North),
		Ruleset: link{t.Ruleset, l.rules(t.Ruleset)},
		Place:   fmt.Sprintf("Match %d of %d, pair %d", slot, b.Schedule.Len(), record.Pair),
		Seats: [2]link{
			engine.South: {record.South, l.bot(t.Name, record.South)},
			engine.North: {record.North, l.bot(t.Name, record.North)},
		},
		Outcome: match.Outcome(), Ending: endingSentence(match, replay),
		Plies:  len(replay.Plies),
		Board:  report.Draw(replay, len(replay.Plies), show.Lines),
		Data:   matchData{NewLayout(rules, record.South, record.North), Frames(replay)},
		Charts: matchCurves(replay), Facts: match.Facts(), PlyAddress: l.ply(t.Name, slot, len(replay.Plies)),
	}
	if replacement > 0 {
		v.Title += " (superseded)"
		v.PlyAddress = fmt.Sprintf("#ply=%d", len(replay.Plies))
		v.Notes = append(v.Notes, "This match is superseded: a bot was replaced after it, and the match was played again. It does not count.")
	}
	for _, void := range voids {
		v.Notes = append(v.Notes, fmt.Sprintf("An attempt to play this match was void: %s.", strings.TrimSuffix(void.Reason, ".")))
	}
	for _, old := range superseded {
		v.Older = append(v.Older, olderMatch{Replacement: old.Superseded})
	}
	if replay.Start != rules.Start() {
		v.Opening = record.Opening
	}
	v.Rounds = roundViews(replay, func(ply int) string {
		if replacement > 0 {
			return fmt.Sprintf("#ply=%d", ply)
		}
		return l.ply(t.Name, slot, ply)
	})
	if slot > 1 {
		v.Before = link{"Match before", l.match(t.Name, slot-1)}
	}
	if slot < b.Schedule.Len() {
		v.After = link{"Next match", l.match(t.Name, slot+1)}
	}
	if record.Evidence != nil {
		var talk bytes.Buffer
		err = match.WriteLog(&talk, *record.Evidence)
		v.Talk = talk.String()
	}
	return v, err
}

// supersededOf returns the superseded matches of a slot.
func supersededOf(b *reader, slot int) (of []results.Noted, err error) {
	all, err := b.superseded()
	for _, m := range all {
		if m.Slot == slot {
			of = append(of, m)
		}
	}
	return of, err
}

// voidsOf returns the void matches of a slot.
func voidsOf(b *reader, slot int) (of []results.VoidMatch, err error) {
	all, err := b.voids()
	for _, v := range all {
		if v.Slot == slot {
			of = append(of, v)
		}
	}
	return of, err
}

// matchRecord reads the record of the match that counts, or of the one that a replacement superseded.
func matchRecord(b *reader, slot, replacement int, superseded []results.Noted) (results.Record, bool, error) {
	if replacement == 0 {
		return b.Record(slot)
	}
	for _, m := range superseded {
		if m.Superseded == replacement {
			record, err := b.SupersededRecord(m)
			return record, err == nil, err
		}
	}
	return results.Record{}, false, nil
}

// roundViews returns the rounds with their moves. address writes the address of the board after a number of plies.
func roundViews(replay results.Replay, address func(ply int) string) (rounds []roundView) {
	ply := 0
	for i, round := range replay.Record.Body.Rounds {
		v := roundView{Round: round, Number: i + 1, URL: address(ply), Opens: ply + 1}
		for ; ply < len(replay.Plies) && replay.Plies[ply].Round == i; ply++ {
			p := replay.Plies[ply]
			v.Moves = append(v.Moves, moveView{p.Before.Side(), p.Token, address(ply + 1)})
		}
		rounds = append(rounds, v)
	}
	return rounds
}

// endingSentence says in full words how a match ended.
func endingSentence(match report.Match, replay results.Replay) string {
	record := match.Record
	if reason := match.Tournament.Adjudication.Explain(record.Summary); reason != "" {
		return "Sembra ended the match before the rules did: " + reason + "."
	}
	switch record.Ending {
	case results.EndResign:
		return "A player resigned."
	case results.EndTime:
		return "The time of the bot at fault ran out."
	case results.EndIllegal:
		return "The bot at fault made a move that is not legal."
	case results.EndCrash:
		return "The program of the bot at fault ended, or it closed its output."
	case results.EndHang:
		return "The bot at fault did not answer any more."
	case results.EndProtocol:
		return "The bot at fault did not keep to the protocol."
	case results.EndStart:
		return "The bot at fault did not become ready for the match."
	}
	if n := len(replay.Plies); n > 0 {
		ply := replay.Plies[n-1].Ply
		_, ended, _ := strings.Cut(show.Tell(replay.Rules, ply), "\n")
		if !replay.Rules.Info().Single {
			ended += " " + show.Reason(replay.Rules, ply.After)
		}
		return ended
	}
	return ""
}
