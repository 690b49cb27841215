package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"sembra/engine"
	"sembra/results"
)

// viewer shows a match one board at a time. What is on the screen follows from
// it alone, and it changes by keys alone.
type viewer struct {
	title   string
	pages   []page // of the position that the match began with, and of that after each ply
	rounds  []int  // the pages that rounds begin at
	above   int    // the most lines over a board
	below   int    // the most lines of a board and what is under it
	outcome string
	cut     string // the end of a line that is cut off

	at    int    // the page that is shown
	typed string // digits of the ply to go to
	note  string // said once
	help  bool
}

// page is what is shown of one position.
type page struct {
	above  []string // over the board
	board  []string // it, and what is under it
	status string
}

// steps is how many plies a large step has.
const steps = 10

func newViewer(report results.ReplayReport, replay results.Replay, style engine.BoardStyle) viewer {
	v := viewer{title: report.Title(), outcome: report.Outcome(), rounds: []int{0}, cut: "~"}
	if style == engine.BoardLines {
		v.cut = "…"
	}
	for number := range len(replay.Plies) + 1 {
		drawn := replay.Draw(number, style)
		p := page{
			above:  paragraphs(drawn.Title, drawn.Told),
			board:  paragraphs(drawn.Board, drawn.Status, drawn.Legend),
			status: fmt.Sprintf(sayStart, len(replay.Plies)),
		}
		if number > 0 {
			ply := replay.Plies[number-1]
			p.status = fmt.Sprintf(sayPly, number, len(replay.Plies), report.Line(ply),
				ply.Spent[engine.South].Seconds(), ply.Spent[engine.North].Seconds())
			if ply.After.Round() != ply.Before.Round() {
				v.rounds = append(v.rounds, number)
			}
		}
		v.above, v.below = max(v.above, len(p.above)), max(v.below, len(p.board)-1)
		v.pages = append(v.pages, p)
	}
	return v
}

// paragraphs returns the lines of the texts that there are, each text with an
// empty line after it.
func paragraphs(texts ...string) []string {
	var lines []string
	for _, text := range texts {
		if text != "" {
			lines = append(append(lines, strings.Split(text, "\n")...), "")
		}
	}
	return lines
}

// press returns what a key makes of the viewer, and whether it ends it.
func (v viewer) press(k key) (next viewer, quit bool) {
	if k == keyInterrupt {
		return v, true
	}
	v.note = ""
	if v.help {
		v.help = false
		return v, false
	}
	if numbered, ok := v.pressNumber(k); ok {
		return numbered, false
	}
	v.typed = ""
	switch k {
	case 'q', 'Q', keyEscape:
		return v, true
	case '?':
		v.help = true
	case keyRight, ' ', 'l', 'n', keyEnter:
		v.at++
	case keyLeft, keyBackspace, 'h', 'p':
		v.at--
	case keyDown, keyPageDown, 'j', ']':
		v.at += steps
	case keyUp, keyPageUp, 'k', '[':
		v.at -= steps
	case keyHome, 'g':
		v.at = 0
	case keyEnd, 'G':
		v.at = len(v.pages) - 1
	case 'r':
		v = v.nextRound()
	case 'R':
		v = v.previousRound()
	}
	v.at = min(max(v.at, 0), len(v.pages)-1)
	return v, false
}

// pressNumber is press where the key belongs to the number of a ply.
func (v viewer) pressNumber(k key) (next viewer, ok bool) {
	switch {
	case '0' <= k && k <= '9':
		if len(v.typed) < len(strconv.Itoa(len(v.pages))) {
			v.typed += string(rune(k))
		}
		return v, true
	case v.typed == "":
		return v, false
	case k == keyBackspace:
		v.typed = v.typed[:len(v.typed)-1]
		return v, true
	case k == keyEscape:
		v.typed = ""
		return v, true
	case k == keyEnter:
		number, err := strconv.Atoi(v.typed)
		if v.typed = ""; err == nil && number < len(v.pages) {
			v.at = number
		} else {
			v.note = fmt.Sprintf(sayNoPly, number, len(v.pages)-1)
		}
		return v, true
	}
	return v, false
}

func (v viewer) nextRound() viewer {
	for _, first := range v.rounds {
		if first > v.at {
			v.at = first
			return v
		}
	}
	v.note = sayLastRound
	return v
}

func (v viewer) previousRound() viewer {
	for _, first := range slices.Backward(v.rounds) {
		if first < v.at {
			v.at = first
			return v
		}
	}
	v.note = sayFirstRound
	return v
}

// row is a line on the screen.
type row struct {
	text   string
	bright bool
}

// rows returns what is on a screen of that size, at least 1 by 1: as many lines,
// of at most as many columns. The status is the last but one.
func (v viewer) rows(width, height int) []row {
	var rows []row
	if room := height - 3; room >= 0 {
		body := append([]string{v.title}, v.body(room)...)
		for range room + 1 - len(body) {
			body = append(body, "")
		}
		for _, line := range body {
			rows = append(rows, row{text: line})
		}
	}
	rows = append(rows, row{v.pages[v.at].status, true}, row{text: v.foot()})
	rows = rows[:min(height, len(rows))]
	for i := range rows {
		rows[i].text = displaywidth.TruncateString(rows[i].text, width, v.cut)
	}
	return rows
}

// foot is the line under the status.
func (v viewer) foot() string {
	switch {
	case v.typed != "":
		return fmt.Sprintf(sayGoTo, v.typed)
	case v.note != "":
		return v.note
	case v.help:
		return sayAnyKey
	case v.at == len(v.pages)-1:
		return v.outcome
	}
	return sayKeys
}

// body is what is between the title and the status. The boards of a match are
// all at the same height, as far as there is room for that.
func (v viewer) body(height int) []string {
	if v.help {
		return fit(strings.Split(sayViewerHelp, "\n"), height)
	}
	p := v.pages[v.at]
	lines := slices.Clone(p.above)
	for range min(v.above, height-v.below) - len(p.above) {
		lines = append(lines, "")
	}
	return fit(append(lines, p.board...), height)
}

// fit leaves out empty lines and then the last ones where all would be too
// many.
func fit(lines []string, height int) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) > height {
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	}
	return lines[:min(height, len(lines))]
}
