package web

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
)

// matchData is what the script needs of a match.
type matchData struct {
	Layout boardLayout  `json:"layout"`
	Frames []boardFrame `json:"frames"`

	// Left is what the clocks of South and of North showed on each board, in milliseconds. It is missing if no clock
	// runs over the whole match.
	Left [][2]float64 `json:"left,omitempty"`
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

// matchPage is the match of a slot, which is a number as text.
func (r *reader) matchPage(text string) content {
	missing := &missingError{
		what: fmt.Sprintf("%q is not the number of a match", text), known: []link{{"All matches", r.toMatches(nil)}},
	}
	slot, err := strconv.Atoi(text)
	if err != nil {
		r.err = missing
		return content{}
	}
	m := report.Match{Tournament: r.Tournament, Slot: slot, Matches: r.Schedule.Len()}
	found := false
	if slot >= 1 && slot <= m.Matches {
		m.Record, found, err = r.Record(slot)
		r.fail(err)
	}
	missing.what = fmt.Sprintf("tournament %q has no match %d so far", r.Tournament.Name, slot)
	var notes []string
	for _, void := range got(r, r.voids) {
		if void.Slot == slot {
			missing.what += fmt.Sprintf("; an attempt was void: %s", void.Reason)
			notes = append(notes, fmt.Sprintf("An attempt to play this match was void: %s.", strings.TrimSuffix(void.Reason, ".")))
		}
	}
	if !found {
		r.fail(missing)
	}
	rules := got(r, r.ruleset)
	if r.err != nil {
		return content{}
	}
	replay, err := results.NewReplay(rules, m.Record)
	if r.fail(err); err != nil {
		return content{}
	}
	title := fmt.Sprintf("Match %d: %s – %s", slot, m.Record.South, m.Record.North)
	return r.below("match", title, r.matchView(m, replay, notes))
}

// matchView returns the view of a match, with notes.
func (r *reader) matchView(m report.Match, replay results.Replay, notes []string) view {
	t, record, slot := m.Tournament, m.Record, m.Slot
	here := r.toMatch(slot)
	address := func(ply int) string { return r.ply(here, ply) }
	left := t.TimeLeft(replay)
	data := matchData{newBoardLayout(replay.Rules, record.South, record.North), boardFrames(replay), nil}
	for _, now := range left {
		data.Left = append(data.Left, [2]float64{milliseconds(now[engine.South]), milliseconds(now[engine.North])})
	}
	facts := m.Facts()
	if clock := t.Time.String(); clock != "" {
		facts = append(facts, report.Fact{Name: "clock", Text: clock})
	}
	opening := "" // of a match that did not begin with the start of the ruleset
	if replay.Start != replay.Rules.Start() {
		opening = record.Opening
	}
	var before, after link
	if slot > 1 {
		before = link{"Match before", r.toMatch(slot - 1)}
	}
	if slot < m.Matches {
		after = link{"Next match", r.toMatch(slot + 1)}
	}
	return view{
		"Ruleset": link{t.Ruleset, r.rules(t.Ruleset)},
		"Place":   fmt.Sprintf("Match %d of %d, pair %d", slot, m.Matches, record.Pair),
		"Seats":   [2]link{engine.South: r.toBot(record.South), engine.North: r.toBot(record.North)},
		"Outcome": m.Outcome(), "Ending": m.Explain(replay), "Notes": notes,
		"Board": report.Draw(replay, len(replay.Plies), show.Lines), // the last one
		"Data":  data, "Opening": opening, "Plies": len(replay.Plies), "PlyAddress": address(len(replay.Plies)),
		"Rounds": roundViews(replay, address), "Charts": matchCurves(replay, left), "Facts": facts, "Talk": r.talk(m),
		"Before": before, "After": after,
	}
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
