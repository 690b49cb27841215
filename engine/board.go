package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// BoardStyle is what a board is drawn with; the layout is the same.
type BoardStyle uint8

// The styles of a board.
const (
	BoardASCII BoardStyle = iota // plain ASCII
	BoardLines                   // with Unicode lines
)

// Board returns the position drawn as South sees it, over several lines of at
// most 79 characters: North's row from right to left above South's, the stores,
// what is special about a hole, and below what the side to move is to do, or
// who has won.
func Board(r Ruleset, p Position, style BoardStyle) string {
	return drawing{rules: r, before: p, after: p, pen: style.pen()}.draw()
}

// BoardAfter returns the position after the ply drawn as [Board] does, with
// what the ply did: told above the board as by [Tell], and how it changed each
// number, unless another round was set up after it.
func BoardAfter(r Ruleset, ply Ply, style BoardStyle) string {
	return drawing{
		rules: r, before: ply.Before, after: ply.After, pen: style.pen(),
		told: Tell(r, ply), changes: ply.Before.Round() == ply.After.Round(),
	}.draw()
}

// pen is what the lines of a board are drawn with.
type pen struct {
	top, middle, bottom [3]string // left corner, crossing, right corner
	dash, wall          string
	shade               string // in holes that are out of play
	turn                string // at the row of the side to move
}

func (s BoardStyle) pen() pen {
	if s == BoardLines {
		return pen{
			top: [3]string{"┌", "┬", "┐"}, middle: [3]string{"├", "┼", "┤"}, bottom: [3]string{"└", "┴", "┘"},
			dash: "─", wall: "│", shade: "░", turn: "►",
		}
	}
	corner := [3]string{"+", "+", "+"}
	return pen{top: corner, middle: corner, bottom: corner, dash: "-", wall: "|", shade: "/", turn: ">"}
}

// drawing is a board on its way to text.
type drawing struct {
	rules         Ruleset
	before, after Position
	pen           pen
	told          string // what led from before to after
	changes       bool   // whether what changed is drawn
}

// The measures of a board, in characters.
const (
	boardWidth = 79
	cellWidth  = 5
	margin     = "  "
	beside     = 10 // left of the rows
)

// draw returns the paragraphs of a drawing, a blank line apart.
func (d drawing) draw() string {
	var paragraphs []string
	for _, paragraph := range []string{wrap(d.title()), wrap(d.told), d.board(), wrap(d.status()), d.legend()} {
		if paragraph != "" {
			paragraphs = append(paragraphs, paragraph)
		}
	}
	return strings.Join(paragraphs, "\n")
}

// wrap breaks each line of a text into lines behind the margin.
func wrap(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		column := boardWidth
		for word := range strings.FieldsSeq(line) {
			width := utf8.RuneCountInString(word)
			if column+1+width <= boardWidth {
				b.WriteString(" " + word)
				column += 1 + width
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(margin + word)
			column = len(margin) + width
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// title says which game it is, and which round.
func (d drawing) title() string {
	info := d.rules.Info()
	if info.Single {
		return info.Name
	}
	began := "begins"
	if d.sownIn() {
		began = "began"
	}
	return fmt.Sprintf("%s, round %d of %d, %s %s", info.Name, d.after.Round(), info.Rounds, player(d.after.First()), began)
}

// sownIn reports whether the round is seen to be under way.
func (d drawing) sownIn() bool {
	marks := (d.after.own | d.after.opp) & (lanes * row(marked))
	return marks != 0 || d.after.extras.at(openedAt) != 0 || d.after.Phase() == PhaseOver
}

// board returns both rows in their frame, between the names of the holes.
func (d drawing) board() string {
	lines := []string{d.names(North), d.edge(d.pen.top), d.counts(North)}
	if d.changes {
		lines = append(lines, d.changed(North), d.edge(d.pen.middle), d.changed(South))
	} else {
		lines = append(lines, d.edge(d.pen.middle))
	}
	lines = append(lines, d.counts(South), d.edge(d.pen.bottom), d.names(South))

	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// line returns a line of the row: what stands beside it, and a cell for each of
// its holes, from South's left to South's right.
func (d drawing) line(s Seat, label, wall string, cell func(hole int) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s%s", beside, label, wall)
	holes := d.rules.Info().Holes
	for hole := range holes {
		if s == North {
			hole = holes - 1 - hole
		}
		b.WriteString(cell(hole))
		b.WriteString(wall)
	}
	return b.String()
}

func (d drawing) names(s Seat) string {
	return d.line(s, "", " ", func(hole int) string { return cell("", holeName(s, uint8(hole)), "") })
}

// edge returns a line of the frame.
func (d drawing) edge(corners [3]string) string {
	dashes := strings.Repeat(d.pen.dash, cellWidth)
	holes := d.rules.Info().Holes
	return strings.Repeat(" ", beside) + corners[0] + strings.Repeat(dashes+corners[1], holes-1) + dashes + corners[2]
}

// counts returns the line with the seeds of a row, its store and the donkeys.
func (d drawing) counts(s Seat) string {
	turn := " "
	if d.after.Side() == s && d.after.Phase() != PhaseOver {
		turn = d.pen.turn
	}
	row := d.line(s, turn+" "+player(s), d.pen.wall, func(hole int) string {
		if d.after.Closed(s, hole) {
			return strings.Repeat(d.pen.shade, cellWidth)
		}
		before, after := d.signs(s, hole)
		return cell(before, strconv.Itoa(d.after.Seeds(s, hole)), after)
	})
	row += fmt.Sprintf("   store %2d", d.after.Store(s))
	if d.hasDonkeys() {
		row += fmt.Sprintf("   donkeys %d", d.after.Donkeys(s))
	}
	return row
}

// changed returns the line with the changes of what stands in the line of the
// counts.
func (d drawing) changed(s Seat) string {
	row := d.line(s, "", d.pen.wall, func(hole int) string {
		if d.after.Closed(s, hole) {
			return strings.Repeat(d.pen.shade, cellWidth)
		}
		return cell("", change(d.before.Seeds(s, hole), d.after.Seeds(s, hole)), "")
	})
	row += fmt.Sprintf("   %8s", change(d.before.Store(s), d.after.Store(s)))
	if d.hasDonkeys() {
		row += fmt.Sprintf("   %9s", change(d.before.Donkeys(s), d.after.Donkeys(s)))
	}
	return row
}

// change returns the difference of two numbers with its sign, or nothing.
func change(before, after int) string {
	if before == after {
		return ""
	}
	return fmt.Sprintf("%+d", after-before)
}

// cell returns a cell with the last character of the text in its middle.
func cell(before, text, after string) string {
	return fmt.Sprintf("%-*s", cellWidth, fmt.Sprintf("%*s%s", cellWidth/2+1, before+text, after))
}

func (d drawing) hasDonkeys() bool { return d.hasKey("donkeys") }

func (d drawing) hasKey(name string) bool {
	for _, k := range d.rules.layout().keys {
		if k.name == name {
			return true
		}
	}
	return false
}

// signs returns what stands beside the count of a hole.
func (d drawing) signs(s Seat, hole int) (before, after string) {
	p := d.after
	if start, ok := p.StartHole(s); ok && start == hole {
		return "[", "]"
	}
	if take, _, ok := p.Takable(); ok && s == p.Side() && take == hole {
		return "(", ")"
	}
	switch {
	case p.Marked(s, hole):
		return "", "*"
	case s != p.Side() && p.Missed(hole):
		return "", "!"
	}
	return "", ""
}

// legend explains the signs that occur in the drawing.
func (d drawing) legend() string {
	seen := map[string]bool{}
	out, owed := false, false
	for _, s := range []Seat{South, North} {
		owed = owed || d.after.Donkeys(s) > 0
		for hole := range d.rules.Info().Holes {
			before, after := d.signs(s, hole)
			seen[before+after] = true
			out = out || d.after.Closed(s, hole)
		}
	}
	layout := d.rules.layout()
	var items []string
	for _, sign := range []struct {
		occurs        bool
		sign, meaning string
	}{
		{seen["*"], "*", "sown from in this round"},
		{seen["[]"], "[ ]", "start hole"},
		{seen["()"], "( )", "may be taken"},
		{seen["!"], "!", "capture missed"},
		{out, strings.Repeat(d.pen.shade, cellWidth), layout.closed},
		{owed, "donkeys", "owed by the other player"},
	} {
		if sign.occurs {
			items = append(items, sign.sign+"  "+sign.meaning)
		}
	}
	if len(items) == 0 {
		return ""
	}
	return margin + strings.Join(items, "     ") + "\n"
}

// player returns the seat's name at the beginning of a sentence.
func player(s Seat) string {
	if s == South {
		return "South"
	}
	return "North"
}

// status says what comes next, or who has won.
func (d drawing) status() string {
	if d.after.Phase() == PhaseOver {
		return strings.TrimSpace(d.result() + " " + d.reason())
	}
	return fmt.Sprintf("%s\nSowings since the last capture: %d of %d.", d.task(), d.after.Quiet(), QuietLimit)
}

// task says what the side to move is to do.
func (d drawing) task() string {
	p := d.after
	who := player(p.Side())
	legal := d.rules.Legal(p, nil)
	switch {
	case len(legal) == 0:
		return who + " is to move, but has no legal move."
	case p.Phase() == PhaseFill:
		return fmt.Sprintf("%s is to fill its row: %s.", who, fillings(legal[0]))
	case p.Phase() == PhaseStart:
		return who + " is to choose a start hole."
	case legal[0].Pass():
		return who + " cannot sow and is to pass."
	}
	sow := "is to sow"
	if hole, ok := p.StartHole(p.Side()); ok {
		sow += " from " + holeName(p.Side(), uint8(hole))
	}
	return who + " " + d.firsts(sow)
}

// fillings says what the side to move has for its row: that is the same in
// each of its moves.
func fillings(m Move) string {
	full := 0
	var parts []string
	for _, hole := range filled(m) {
		if hole.seeds == fullHole {
			full++
		} else {
			parts = append(parts, "one hole with "+plural(int(hole.seeds), "seed", "seeds"))
		}
	}
	if full > 0 {
		parts = append([]string{fmt.Sprintf("%s with %d seeds", plural(full, "hole", "holes"), fullHole)}, parts...)
	}
	return strings.Join(parts, " and ")
}

// firsts says what the side to move may do before it sows, or in place of it.
func (d drawing) firsts(sow string) string {
	p := d.after
	var firsts []string
	if missed := d.missed(); len(missed) > 0 {
		firsts = append(firsts, "claim the capture missed from "+strings.Join(missed, " or "))
	}
	if hole, wholeTurn, ok := p.Takable(); ok {
		seed := "the seed in " + holeName(p.Side(), uint8(hole))
		if wholeTurn {
			sow += ", or to take " + seed + " instead"
		} else {
			firsts = append(firsts, "take "+seed)
		}
	}
	if len(firsts) > 0 {
		sow = "may first " + strings.Join(firsts, " and ") + ", then " + sow
	}
	return sow + "."
}

// missed returns the names of the holes that a capture was missed from.
func (d drawing) missed() []string {
	var names []string
	for hole := range d.rules.Info().Holes {
		if d.after.Missed(hole) {
			names = append(names, holeName(d.after.Side().Other(), uint8(hole)))
		}
	}
	return names
}

// result says who has won.
func (d drawing) result() string {
	p := d.after
	won := "a draw"
	switch d.rules.Winner(p) {
	case SouthWins:
		won = "South has won"
	case NorthWins:
		won = "North has won"
	}
	return fmt.Sprintf("The match is over: %s (South %d, North %d).", won, p.Store(South), p.Store(North))
}

// reason says how the match came to be over, where the position tells it and
// nothing else has.
func (d drawing) reason() string {
	p := d.after
	if d.rules.Info().Single {
		if d.told != "" || p.own|p.opp == 0 {
			return ""
		}
		return earlyReason(p) + "."
	}
	if _, nobodyOut := d.rules.Next(p); !nobodyOut {
		loser := South
		if d.rules.Winner(p) == SouthWins {
			loser = North
		}
		return player(loser) + " is out."
	}
	last := fmt.Sprintf("Round %d was the last", p.Round())
	if p.Donkeys(South) != p.Donkeys(North) {
		last += fmt.Sprintf(", and the donkeys decide: %d owed to South, %d to North", p.Donkeys(South), p.Donkeys(North))
	}
	return last + "."
}
