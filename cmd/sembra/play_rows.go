package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"sembra/arena"
	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
)

// rows returns the rows of a screen of that size, which is at least 1 by 1. No row is
// wider. Only the board and what the person decides is always there.
func (v playView) rows(width, height int) []row {
	drawn := v.drawn().within(width)
	bottom := append(v.question(width, height), row{v.status(), true}, row{text: v.foot()})
	room := max(0, height-len(bottom)-1)
	var body []string
	fits := true
	if v.mode == modeHelp {
		body = fit(v.help(width, room), room)
		body = body[:min(len(body), room)]
	} else {
		body, fits = squeeze([]string{""}, drawn.board, drawn.under(width, v.news()), room)
	}
	if !fits {
		body = []string{sayTooSmall}
	}
	rows := []row{{text: fmt.Sprintf(sayYouAre, seatName(v.seat), v.bot, drawn.title)}}
	for len(body) < room {
		body = append(body, "")
	}
	for _, line := range body[:room] {
		rows = append(rows, row{text: line})
	}
	rows = append(rows, bottom...)
	rows = rows[max(0, len(rows)-height):]
	cut := "~"
	if v.style == show.Lines {
		cut = "…"
	}
	for i := range rows {
		rows[i].text = displaywidth.TruncateString(rows[i].text, width, cut)
	}
	return rows
}

// drawnState is the parts of the drawing of a state.
type drawnState struct {
	title         string
	board         []string
	status, signs string
}

// drawn draws the state. Square brackets mark the hole of the marked choice.
func (v playView) drawn() drawnState {
	text := show.Board(v.rules, v.state.Position, v.style)
	last, played := v.state.Last()
	if played {
		text = show.After(v.rules, last, v.style)
	}
	paragraphs := strings.Split(strings.TrimRight(text, "\n"), "\n\n")
	d := drawnState{title: strings.TrimSpace(paragraphs[0])}
	paragraphs = paragraphs[1:]
	if played {
		paragraphs = paragraphs[1:] // the news tell more
	}
	d.board, d.status = strings.Split(paragraphs[0], "\n"), paragraphs[1]
	if len(paragraphs) > 2 {
		d.signs = paragraphs[2]
	}
	if v.state.Record != nil && v.state.Position.Phase() != engine.PhaseOver {
		d.status = "" // of a match that goes on
	}
	if len(v.asked) == 0 {
		return d
	}
	if c := v.asked[0].Choices[v.at[0]]; c.OnBoard {
		names := &d.board[0]
		if c.Seat == engine.South {
			names = &d.board[len(d.board)-1]
		}
		name := c.Seat.HoleName(c.Hole)
		*names = strings.Replace(*names+" ", " "+name+" ", "["+name+"]", 1)
	}
	return d
}

// within returns the drawing for a screen of that width. If the board is wider, what
// stands to its right is told below it: the stores. If even the holes do not fit, the
// names of the rows are left out.
func (d drawnState) within(width int) drawnState {
	widest, holes := 0, displaywidth.String(d.board[1]) // the frame, which surrounds the holes
	for _, line := range d.board {
		widest = max(widest, displaywidth.String(line))
	}
	if widest <= width {
		return d
	}
	north, south := []rune(d.board[2]), []rune(d.board[len(d.board)-3])
	stores := "North: " + string(north[holes:]) + "\nSouth: " + string(south[holes:])
	var below []string
	for line := range strings.SplitSeq(stores+"\n"+d.status, "\n") {
		below = append(below, wrap(line, width)...)
	}
	d.status = strings.Join(below, "\n")
	sign, frame := 1, 1 // the row's sign of whose turn it is; what follows it
	if holes > width {
		frame = 9 // the column before the frame
	}
	d.board = slices.Clone(d.board)
	for i, line := range d.board {
		letters := []rune(line)
		d.board[i] = string(letters[:sign]) + string(letters[frame:min(holes, len(letters))])
	}
	return d
}

// under returns the lines below the board: first the news, which may be cut off last.
func (d drawnState) under(width int, news []string) []string {
	const most = 6 // lines of news
	var lines []string
	for _, text := range news {
		lines = append(lines, wrap(text, width)...)
	}
	lines = lines[max(0, len(lines)-most):]
	return append([]string{""}, paragraphs(strings.Join(lines, "\n"), d.signs, d.status)...)
}

// news tells what was played since the person's last turn began.
func (v playView) news() (lines []string) {
	for _, ply := range v.state.Plies[min(v.state.News, len(v.state.Plies)):] {
		lines = append(lines, strings.Split(show.Tell(v.rules, ply), "\n")...)
	}
	return lines
}

// question returns what the person decides, above the status, and how the match ended.
func (v playView) question(width, height int) (rows []row) {
	for _, line := range v.end {
		for _, part := range wrap(line, width) {
			rows = append(rows, row{text: part})
		}
	}
	q, at, open := v.open()
	if !open || v.mode != modeChoose {
		return rows
	}
	rows = append(rows, row{text: q.Text})
	if len(v.asked) == 1 && q.Choices[at].OnBoard && q.Choices[at].Seat == v.seat {
		return append(rows, row{text: fmt.Sprintf("> %s  %s", q.Choices[at].Key, q.Choices[at].Text)})
	}
	const most = 7 // choices
	from, widest := max(0, min(at-most/2, len(q.Choices)-most)), 0
	for _, c := range q.Choices {
		widest = max(widest, len(c.Key))
	}
	for i, c := range q.Choices[from:min(len(q.Choices), from+most)] {
		mark := " "
		if from+i == at {
			mark = ">"
		}
		rows = append(rows, row{text: fmt.Sprintf("%s %-*s  %s", mark, widest, c.Key, c.Text)})
	}
	return rows[:min(len(rows), max(1, height-2))]
}

// status returns the row above the last one: whose turn it is.
func (v playView) status() string {
	switch {
	case v.mode == modeResign:
		return sayReallyResign
	case v.mode == modeSave:
		return fmt.Sprintf(saySaveAs, results.Visible([]byte(v.typed), 0))
	case v.mode == modeHelp:
		return sayAnyKey
	case v.state.Turn == arena.BotsTurn:
		return fmt.Sprintf(sayThinks, v.bot)
	case v.state.Turn == arena.NobodysTurn:
		return sayPlayed
	}
	return fmt.Sprintf(sayYourMove, v.chosen())
}

// chosen returns the move as far as it is chosen or typed.
func (v playView) chosen() string {
	if v.typed != "" {
		return results.Visible([]byte(v.typed), 0) + "_"
	}
	text := ""
	for i, q := range v.asked {
		if key := q.Choices[v.at[i]].Key; key != "." {
			text += key + " "
		}
	}
	return text
}

// foot returns the last row.
func (v playView) foot() string {
	switch {
	case v.note != "":
		return v.note
	case v.mode == modeSave:
		return saySaveKeys
	case v.mode != modeChoose:
		return ""
	case v.state.Turn == arena.BotsTurn:
		return sayThinkKeys
	case v.state.Turn == arena.NobodysTurn && v.state.Undo:
		return sayPlayedKeys
	case v.state.Turn == arena.NobodysTurn:
		return sayLostKeys
	case len(v.asked) > 1:
		return sayChoiceKeys
	}
	return sayPlayKeys
}

// help returns the keys, and the legal moves with what they do if there is room for
// that.
func (v playView) help(width, height int) []string {
	keys := strings.Split(sayPlayHelp, "\n")
	if v.state.Turn != arena.PersonsTurn {
		return keys
	}
	legal := []string{"", sayLegal}
	for _, move := range v.state.Legal {
		legal = append(legal, fmt.Sprintf("  %-8s %s", move.Token(v.seat), show.Preview(v.rules, v.state.Position, move)))
	}
	if len(keys)+len(legal) > height {
		legal = append(legal[:2], wrap(strings.Join(v.tokens(), " "), width)...)
	}
	return append(keys, legal...)
}
