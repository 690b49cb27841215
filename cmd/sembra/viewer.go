package main

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/clipperhouse/displaywidth"

	"sembra/engine"
	"sembra/engine/show"
	"sembra/results"
	"sembra/results/report"
)

// viewer shows a match one board at a time. It is a value: rows returns what it
// shows, and press returns the viewer after a key.
type viewer struct {
	title    string
	pictures []picture // the first position of the match, and the position after each ply
	rounds   []int     // the first picture of each round
	above    int       // the most lines above a board on any picture
	below    int       // the most lines of a board and of the text below it
	outcome  string
	why      string // why the match ended so; "" if that is all that is known
	log      string // how to see the conversation; "" if it was not kept
	cut      string // ends a line that is cut off

	at    int    // index of the picture that is shown
	typed string // digits of the ply to go to
	note  string // shown until the next key
	help  bool
}

// picture is what the viewer shows of one position.
type picture struct {
	above  []string // above the board
	board  []string
	under  []string // below the board
	status string
}

// steps is the number of plies in a large step.
const steps = 10

func newViewer(match report.Match, replay results.Replay, style show.Style) viewer {
	v := viewer{title: match.Title(), outcome: match.Outcome(), rounds: []int{0}, cut: "~"}
	if style == show.Lines {
		v.cut = "…"
	}
	if evidence := match.Record.Evidence; evidence != nil {
		v.why, v.log = results.Visible([]byte(evidence.What), 0), fmt.Sprintf(saySaid, match.Slot)
	}
	for number := range len(replay.Plies) + 1 {
		drawn := report.Draw(replay, number, style)
		p := picture{
			above:  paragraphs(drawn.Title, drawn.Told),
			board:  strings.Split(drawn.Board, "\n"),
			under:  append([]string{""}, paragraphs(drawn.Status, drawn.Legend)...),
			status: fmt.Sprintf(sayStart, len(replay.Plies)),
		}
		if number > 0 {
			ply := replay.Plies[number-1]
			p.status = fmt.Sprintf(sayPly, number, len(replay.Plies), match.Line(ply),
				ply.Spent[engine.South].Seconds(), ply.Spent[engine.North].Seconds())
			if ply.After.Round() != ply.Before.Round() {
				v.rounds = append(v.rounds, number)
			}
		}
		v.above, v.below = max(v.above, len(p.above)), max(v.below, len(p.board)+len(p.under)-1)
		v.pictures = append(v.pictures, p)
	}
	return v
}

// paragraphs returns the lines of all texts that are not empty, with an empty line
// after each text.
func paragraphs(texts ...string) []string {
	var lines []string
	for _, text := range texts {
		if text != "" {
			lines = append(append(lines, strings.Split(text, "\n")...), "")
		}
	}
	return lines
}

// press returns the viewer after a key, and whether the key quits.
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
		v.at = len(v.pictures) - 1
	case 'r':
		v = v.nextRound()
	case 'R':
		v = v.previousRound()
	}
	v.at = min(max(v.at, 0), len(v.pictures)-1)
	return v, false
}

// pressNumber is press for keys that edit the number of a ply. It returns false
// for other keys.
func (v viewer) pressNumber(k key) (next viewer, ok bool) {
	switch {
	case '0' <= k && k <= '9':
		const most = 9 // digits; no match is that long
		if len(v.typed) < most {
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
		if v.typed = ""; err == nil && number < len(v.pictures) {
			v.at = number
		} else {
			v.note = fmt.Sprintf(sayNoPly, number, len(v.pictures)-1)
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

// rows returns the rows of a screen of that size, which is at least 1 by 1. No row
// is wider. The status is the last row but one, if there is room.
func (v viewer) rows(width, height int) []row {
	const around = 3 // the title, the status, the foot
	ending := v.ending(width)
	ending = ending[:min(max(height-around-len(v.pictures[v.at].board), 0), len(ending))]
	room := height - around - len(ending)
	body, fits := v.body(room)
	if !fits {
		body = []string{sayTooSmall}
	}
	if fits || room > 0 {
		body = append([]string{v.title}, body...)
	}
	for range room + 1 - len(body) {
		body = append(body, "")
	}
	var rows []row
	for _, line := range append(body, ending...) {
		rows = append(rows, row{text: line})
	}
	rows = append(rows, row{v.pictures[v.at].status, true}, row{text: v.foot()})
	rows = rows[:height]
	for i := range rows {
		rows[i].text = displaywidth.TruncateString(rows[i].text, width, v.cut)
	}
	return rows
}

// foot returns the row below the status.
func (v viewer) foot() string {
	switch {
	case v.typed != "":
		if number, err := strconv.Atoi(v.typed); err != nil || number >= len(v.pictures) {
			return fmt.Sprintf(sayGoToNone, v.typed, len(v.pictures)-1)
		}
		return fmt.Sprintf(sayGoTo, v.typed)
	case v.note != "":
		return v.note
	case v.help:
		return sayAnyKey
	}
	return sayKeys
}

// ending returns how the match ended, to be shown above the status of the last
// picture.
func (v viewer) ending(width int) []string {
	if v.help || v.at < len(v.pictures)-1 {
		return nil
	}
	lines := append([]string{v.outcome}, v.reason(width)...)
	if v.log != "" {
		lines = append(lines, v.log)
	}
	return lines
}

// reason returns why the match ended so, in a few lines.
func (v viewer) reason(width int) []string {
	const most = 3
	lines := wrap(v.why, width)
	if len(lines) > most {
		lines = append(lines[:most-1], strings.Join(lines[most-1:], " ")) // rows cuts its end off
	}
	return lines
}

// body returns the lines between the title and the status. It returns false if the
// board does not fit. All boards of a match begin in the same row, if there is
// room for that.
func (v viewer) body(height int) (lines []string, fits bool) {
	if v.help {
		lines = fit(strings.Split(sayViewerHelp, "\n"), height)
		return lines[:max(0, min(height, len(lines)))], height > 0
	}
	p := v.pictures[v.at]
	lines = slices.Clone(p.above)
	for range min(v.above, height-v.below) - len(p.above) {
		lines = append(lines, "")
	}
	return squeeze(lines, p.board, p.under, height)
}

// squeeze leaves out lines of a picture that is too high: first empty ones, then those
// below the board from the last one on, then the top ones. It returns false if the
// board does not fit.
func squeeze(above, board, under []string, height int) (lines []string, fits bool) {
	lines = fit(slices.Concat(above, board, under), height)
	first := slices.Index(lines, board[0])
	if over := len(lines) - height; over > 0 {
		lines = lines[:len(lines)-min(over, len(lines)-first-len(board))]
		lines = lines[min(max(0, len(lines)-height), first):]
	}
	return lines, len(lines) <= height
}

// fit leaves out the empty lines of a text that is too high.
func fit(lines []string, height int) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) > height {
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	}
	return lines
}

// show shows the match until a key quits.
func (v viewer) show(in, out *os.File) error {
	stop, resized := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(stop)
	notifyResized(resized)
	defer signal.Stop(resized)

	return onScreen(in, out, func() error {
		keys, done := make(chan key), make(chan struct{})
		defer close(done)
		go readKeys(in, keys, done)
		for {
			if err := drawOn(out, v.rows); err != nil {
				return err
			}
			select {
			case k, open := <-keys:
				var quit bool
				if !open {
					return nil // the terminal is gone
				}
				if v, quit = v.press(k); quit {
					return nil
				}
			case <-resized:
			case <-stop:
				return errInterrupted
			}
		}
	})
}
