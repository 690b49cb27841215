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
	"sembra/results/safe"
)

// roundView is a round of a match with its moves.
type roundView struct {
	results.Round
	Number int
	URL    string // of its first board
	Opens  int    // the number of its first ply
	Moves  template.HTML
}

// matchPage shows a match; text is its number.
func (r *reader) matchPage(text string) content {
	none := missing(fmt.Sprintf("%q is not the number of a match", text), hyperlink{"All matches", r.toMatches(nil)})
	number, err := strconv.Atoi(text)
	if err != nil {
		check(none)
	}
	m := report.Match{Tournament: r.Tournament, Number: number, Matches: r.Schedule.Len()}
	found := false
	if number >= 1 && number <= m.Matches {
		m.Record, found, err = r.Record(number)
		check(err)
	}
	if !found {
		none.what = fmt.Sprintf("tournament %q has no match %d so far", r.Tournament.Name, number)
		check(none)
	}
	replay := got(r.Tournament.Replay(r.ruleset(), m.Record))
	title := fmt.Sprintf("Match %d: %s – %s", number, m.Record.South, m.Record.North)
	return r.below("match", title, r.matchView(m, replay))
}

// matchView returns the view of a match.
func (r *reader) matchView(m report.Match, replay results.Replay) templateData {
	t, record, number := m.Tournament, m.Record, m.Number
	here := r.toMatch(number)
	address := func(ply int) string { return r.ply(here, ply) }
	left := replay.TimeLeft()
	data := templateData{ // for the script
		"layout": newBoardLayout(replay.Rules(), record.South, record.North), "frames": boardFrames(replay),
	}
	if len(left) > 0 { // what the clocks of South and of North showed on each board
		var clocks [][2]float64
		for _, now := range left {
			clocks = append(clocks, [2]float64{milliseconds(now[engine.South]), milliseconds(now[engine.North])})
		}
		data["left"] = clocks
	}
	facts := m.Facts()
	if clock := t.Time.String(); clock != "" {
		facts = append(facts, report.Fact{Name: "clock", Text: clock})
	}
	opening := "" // of a match that did not begin with the start of the ruleset
	if replay.Start != replay.Rules().Start() {
		opening = record.Opening
	}
	return templateData{
		"Ruleset": hyperlink{t.Ruleset, r.rules(t.Ruleset)},
		"Place":   fmt.Sprintf("Match %d of %d, pair %d", number, m.Matches, record.Pair),
		"Seats":   [2]hyperlink{engine.South: r.toBot(record.South), engine.North: r.toBot(record.North)},
		"Outcome": m.Outcome(), "Ending": m.Explain(replay),
		"Board": report.Draw(replay, len(replay.Plies), show.Unicode), // the last one
		"Data":  data, "Opening": opening, "Plies": len(replay.Plies), "PlyAddress": address(len(replay.Plies)),
		"Rounds": roundViews(replay, address), "Charts": matchCurves(replay, left), "Facts": facts, "Talk": r.talk(m),
		"Before": r.neighbour("Previous match", number-1), "After": r.neighbour("Next match", number+1),
	}
}

// neighbour returns a link to a match, if it is recorded.
func (r *reader) neighbour(text string, number int) (link hyperlink) {
	if number < 1 || number > r.Schedule.Len() {
		return link
	}
	if _, found, err := r.Record(number); found || err != nil { // its page says what is wrong with it
		link = hyperlink{text, r.toMatch(number)}
	}
	return link
}

// roundViews returns the rounds with their moves. address writes the address of the board after a number of plies. A
// template would take several times as long to write the moves, which a report of many matches shows.
func roundViews(replay results.Replay, address func(ply int) string) (rounds []roundView) {
	ply := 0
	for i, round := range replay.Record.Body.Rounds {
		v := roundView{Round: round, Number: i + 1, URL: address(ply), Opens: ply + 1}
		var moves strings.Builder
		for ; ply < len(replay.Plies) && replay.Plies[ply].Round == i; ply++ {
			p := replay.Plies[ply]
			moves.WriteString(`<li><a href="` + template.HTMLEscapeString(address(ply+1)) + `" class="` + p.Before.Side().String() +
				`"><b>` + template.HTMLEscapeString(safe.Line(p.Token)) + "</b></a></li>\n")
		}
		v.Moves = template.HTML(moves.String()) //nolint:gosec // all texts are escaped
		rounds = append(rounds, v)
	}
	return rounds
}
