// Package show renders positions as boards, describes moves, and asks what a player
// decides, for people. Boards fit in 79 columns, and sentences are plain ASCII. It asks
// package engine for every rule and knows none itself.
package show

import (
	"fmt"
	"strconv"
	"strings"

	"sembra/engine"
)

// Style is the set of characters that a board is drawn with. The layout is the
// same in every style.
type Style uint8

// The styles of a board.
const (
	ASCII   Style = iota // plain ASCII
	Unicode              // with lines and blocks
)

// Board draws a position as South sees it, in lines of at most 79 characters.
// North's row runs from right to left above South's, with the stores beside the
// rows, or at the ends where seeds fall into them, and signs for what is special
// about a hole. Below the board stands what the side to move can do, or who has won.
func Board(r engine.Ruleset, p engine.Position, style Style) Drawing {
	return drawing{rules: r, before: p, after: p}.draw(style)
}

// BoardAfter draws the position after a ply as [Board] does, and shows what the ply
// did: above the board the sentences of [Describe], and beside each number how it
// changed. It leaves the changes out if the board was set up for another round, or the sides were swapped.
func BoardAfter(r engine.Ruleset, ply engine.Ply, style Style) Drawing {
	return drawing{
		rules: r, before: ply.Before, after: ply.After,
		described: Describe(r, ply), changes: ply.Before.Round() == ply.After.Round() && !ply.Move.Swap(),
	}.draw(style)
}

// Drawing is the paragraphs of a drawn board, without the line end after the last line of each. A paragraph may be
// missing.
type Drawing struct {
	Title       string // which game, and which round
	Description string // what the ply did
	Board       string
	Status      string // who moves next, or who has won
	Legend      string // the signs on the board
}

// String returns the paragraphs with blank lines between them.
func (d Drawing) String() string {
	var paragraphs []string
	for _, paragraph := range []string{d.Title, d.Description, d.Board, d.Status, d.Legend} {
		if paragraph != "" {
			paragraphs = append(paragraphs, paragraph+"\n")
		}
	}
	return strings.Join(paragraphs, "\n")
}

// drawing is what a board is drawn from.
type drawing struct {
	rules         engine.Ruleset
	before, after engine.Position
	described     string // the sentences about the ply from before to after
	changes       bool   // whether the changes are drawn
}

// The measures of a board, in characters.
const (
	boardWidth = 79
	margin     = "  "
	beside     = 10 // the width to the left of the rows

	closed    = "░░░░░" // the cell of a hole that is out of play
	manyHoles = 10      // of a row; the cells of a longer one are narrower
)

// cellWidth returns the width of a cell.
func (d drawing) cellWidth() int {
	if d.rules.Info().Holes > manyHoles {
		return 4
	}
	return 5
}

// draw draws with lines first.
func (d drawing) draw(style Style) Drawing {
	paragraph := func(text string) string {
		text = strings.TrimSuffix(text, "\n")
		if style == Unicode {
			return text
		}
		return strings.NewReplacer(
			"┌", "+", "┬", "+", "┐", "+", "├", "+", "┼", "+", "┤", "+", "└", "+", "┴", "+", "┘", "+",
			"─", "-", "│", "|", "░", "/", "►", ">",
		).Replace(text)
	}
	return Drawing{
		paragraph(wrap(d.title())), paragraph(wrap(d.described)), paragraph(d.board()), paragraph(wrap(d.status())),
		paragraph(d.legend()),
	}
}

// wrap breaks each line of a text into lines that fit, and indents them.
func wrap(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		for _, part := range Wrap(line, boardWidth, margin, margin) {
			b.WriteString(part + "\n")
		}
	}
	return b.String()
}

// title names the game and the round.
func (d drawing) title() string {
	info := d.rules.Info()
	if info.Single {
		return info.Name
	}
	first := player(d.after.First())
	return fmt.Sprintf("%s, round %d of %d, %s begins", info.Name, d.after.Round(), info.Rounds, first)
}

// board returns both rows in their frame, between the names of the holes.
func (d drawing) board() string {
	lines := []string{d.names(engine.North), d.edge("", "┌", "┬", "┐"), d.counts(engine.North)}
	middle := d.edge("", "├", "┼", "┤")
	if d.rules.Info().IntoStore {
		middle = d.edge(margin+d.store(engine.North), "├", "┼", "┤") + "   " + d.store(engine.South)
	}
	if d.changes {
		lines = append(lines, d.changed(engine.North), middle, d.changed(engine.South))
	} else {
		lines = append(lines, middle)
	}
	lines = append(lines, d.counts(engine.South), d.edge("", "└", "┴", "┘"), d.names(engine.South))

	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// line returns a line of a row: the label beside it and a cell for each of its
// holes, from South's left to South's right.
func (d drawing) line(s engine.Seat, label, wall string, cell func(hole int) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s%s", beside, label, wall)
	holes := d.rules.Info().Holes
	for hole := range holes {
		if s == engine.North {
			hole = holes - 1 - hole
		}
		b.WriteString(cell(hole))
		b.WriteString(wall)
	}
	return b.String()
}

func (d drawing) names(s engine.Seat) string {
	return d.line(s, "", " ", func(hole int) string { return d.cell("", s.HoleName(hole), "") })
}

// edge returns a line of the frame, behind a label.
func (d drawing) edge(label, left, crossing, right string) string {
	dashes := strings.Repeat("─", d.cellWidth())
	return fmt.Sprintf("%-*s", beside, label) + left + strings.Repeat(dashes+crossing, d.rules.Info().Holes-1) +
		dashes + right
}

// store returns a seat's store, as a place at the end of the row.
func (d drawing) store(s engine.Seat) string { return fmt.Sprintf("[%3d]", d.after.Store(s)) }

// counts returns the line with the seeds of a row, its store and the donkeys.
func (d drawing) counts(s engine.Seat) string {
	turn := " "
	if d.after.Side() == s && d.after.Phase() != engine.PhaseOver {
		turn = "►"
	}
	cells := func(hole int) string {
		before, after := d.signs(s, hole)
		return d.cell(before, strconv.Itoa(d.after.Seeds(s, hole)), after)
	}
	store := fmt.Sprintf("store %2d", d.after.Store(s))
	if d.rules.Info().IntoStore {
		store = "" // it stands at an end of the board
	}
	return d.row(s, turn+" "+player(s), cells, store, fmt.Sprintf("donkeys %d", d.after.Donkeys(s)))
}

// changed returns the line with the change of each number in the line of
// counts.
func (d drawing) changed(s engine.Seat) string {
	cells := func(hole int) string {
		return d.cell("", change(d.before.Seeds(s, hole), d.after.Seeds(s, hole)), "")
	}
	store := change(d.before.Store(s), d.after.Store(s))
	switch {
	case d.rules.Info().IntoStore && s == engine.North:
		return d.row(s, fmt.Sprintf("%6s", store), cells, "", "")
	case d.rules.Info().IntoStore:
		return d.row(s, "", cells, fmt.Sprintf("%4s", store), "")
	}
	return d.row(s, "", cells, fmt.Sprintf("%8s", store),
		fmt.Sprintf("%9s", change(d.before.Donkeys(s), d.after.Donkeys(s))))
}

// row returns a line between walls, with what stands beside it of the store and the
// donkeys.
func (d drawing) row(s engine.Seat, label string, cells func(hole int) string, store, donkeys string) string {
	row := d.line(s, label, "│", func(hole int) string {
		if d.after.Closed(s, hole) {
			return closed
		}
		return cells(hole)
	}) + "   " + store
	if d.rules.Info().Donkeys {
		row += "   " + donkeys
	}
	return row
}

// change returns the difference of two numbers with its sign, or nothing if they
// are the same.
func change(before, after int) string {
	if before == after {
		return ""
	}
	return fmt.Sprintf("%+d", after-before)
}

// cell returns a cell with the last character of the text in its middle.
func (d drawing) cell(before, text, after string) string {
	width := d.cellWidth()
	return fmt.Sprintf("%-*s", width, fmt.Sprintf("%*s%s", width/2+1, before+text, after))
}

// signs returns the signs before and after the count of a hole.
func (d drawing) signs(s engine.Seat, hole int) (before, after string) {
	p := d.after
	if start, ok := p.StartHole(s); ok && start == hole {
		return "[", "]"
	}
	if take, _, ok := p.OpenSeed(); ok && s == p.Side() && take == hole {
		return "(", ")"
	}
	switch {
	case p.Marked(s, hole):
		return "", "*"
	case s != p.Side() && p.MissedCapture(hole):
		return "", "!"
	}
	return "", ""
}

// legend explains the signs that occur in the drawing.
func (d drawing) legend() string {
	seen := map[string]bool{}
	info := d.rules.Info()
	for _, s := range seats() {
		seen["donkeys"] = seen["donkeys"] || d.after.Donkeys(s) > 0
		for hole := range info.Holes {
			before, after := d.signs(s, hole)
			seen[strings.TrimSpace(before+" "+after)] = true
			seen[closed] = seen[closed] || d.after.Closed(s, hole)
		}
	}
	seen["[   ]"] = info.IntoStore
	var items []string
	for _, sign := range [][2]string{
		{"*", "sown from in this round"},
		{"[ ]", "start hole"},
		{"( )", "may be taken"},
		{"[   ]", "store"},
		{"!", "capture missed"},
		{closed, info.Closed},
		{"donkeys", "owed by the other player"},
	} {
		if seen[sign[0]] {
			items = append(items, sign[0]+"  "+sign[1])
		}
	}
	if len(items) == 0 {
		return ""
	}
	return margin + strings.Join(items, "     ") + "\n"
}

// status says what comes next, or who has won.
func (d drawing) status() string {
	if d.after.Phase() == engine.PhaseOver {
		return strings.TrimSpace(d.result() + " " + d.reason())
	}
	last := "the last capture"
	if d.rules.Info().IntoStore {
		last = "a store last grew"
	}
	return fmt.Sprintf("%s\nSowings since %s: %d of %d.", d.task(), last, d.after.Quiet(), engine.QuietLimit)
}

// task says what the side to move has to do.
func (d drawing) task() string {
	p := d.after
	who := player(p.Side())
	legal := d.rules.Legal(p, nil)
	switch {
	case len(legal) == 0:
		return who + " is to move, but has no legal move."
	case p.Phase() == engine.PhaseFill:
		return who + " is to fill its row."
	case p.Phase() == engine.PhaseStart:
		return who + " is to choose a start hole."
	case legal[0].Pass():
		return who + " cannot sow and must pass."
	}
	sow := who + " is to sow"
	if hole, ok := p.StartHole(p.Side()); ok {
		sow += " from " + p.Side().HoleName(hole)
	}
	var takes []string
	for _, m := range legal {
		switch {
		case m.Swap():
			return sow + ", or to swap sides."
		case !m.Sowing():
			takes = append(takes, Preview(d.rules, p, m))
		}
	}
	if len(takes) > 0 {
		sow += ", or to take " + strings.Join(takes, "; or ")
	}
	return sow + "."
}

// result says who has won.
func (d drawing) result() string {
	p := d.after
	won := "a draw"
	switch d.rules.Winner(p) {
	case engine.SouthWins:
		won = "South has won"
	case engine.NorthWins:
		won = "North has won"
	}
	return fmt.Sprintf("The match is over: %s (South %d, North %d).", won, p.Store(engine.South), p.Store(engine.North))
}

// WhyOver says why a match whose last position is p is over, as far as the position shows it.
func WhyOver(r engine.Ruleset, p engine.Position) string {
	return drawing{rules: r, after: p}.reason()
}

// reason says why the match is over, if the position shows it and the sentences
// above the board have not said it.
func (d drawing) reason() string {
	p := d.after
	info := d.rules.Info()
	if info.Single {
		left := info.Total() - p.Store(engine.South) - p.Store(engine.North)
		if d.described != "" || left == 0 {
			return ""
		}
		return earlyReason(p) + "."
	}
	_, nobodyOut := d.rules.Next(p)
	if !nobodyOut {
		if d.rules.Winner(p) == engine.SouthWins {
			return "North is out."
		}
		return "South is out."
	}
	last := fmt.Sprintf("Round %d was the last", p.Round())
	south, north := p.Donkeys(engine.South), p.Donkeys(engine.North)
	if south != north {
		last += fmt.Sprintf(", and the donkeys decide: %d owed to South, %d to North", south, north)
	}
	return last + "."
}
