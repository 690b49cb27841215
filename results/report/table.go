package report

import (
	"bufio"
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwarp"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// each yields things that are in memory, and so no error.
func each[T any](things []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, thing := range things {
			if !yield(thing, nil) {
				return
			}
		}
	}
}

// rowsOf makes a row from each thing in memory.
func rowsOf[T, R any](things []T, row func(T) R) iter.Seq2[R, error] {
	return rowsFrom(each(things), row)
}

// rowsFrom makes a row from each thing of a sequence. The first error ends it.
func rowsFrom[T, R any](things iter.Seq2[T, error], row func(T) R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for thing, err := range things {
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			if !yield(row(thing), nil) {
				return
			}
		}
	}
}

// right and left return columns with that alignment.
func right(title string) Column { return Column{Title: title} }
func left(title string) Column  { return Column{Title: title, Left: true} }

// rare returns the column as one that is left out if it says nothing.
func rare(c Column) Column {
	c.Rare = true
	return c
}

// layout is how the columns of a table are set.
type layout struct {
	titles []string // by column
	shown  []bool   // by column: the table has it
	widths []int    // by column, on a terminal, of the widest cell or the title
	after  string   // what follows a cell, beside the space before the next one
}

// layout decides which columns the table has, and how wide they are. It goes through all rows once and keeps none.
func (p Part) layout(escape *strings.Replacer) (layout, error) {
	n := len(p.Columns)
	l := layout{titles: make([]string, n), shown: make([]bool, n), widths: make([]int, n), after: " "}
	for i, column := range p.Columns {
		l.titles[i] = strings.TrimSpace(printable(column.Title))
		l.shown[i], l.widths[i] = !column.Rare, width(l.titles[i])
	}
	for cells, err := range p.lines(escape) {
		if err != nil {
			return layout{}, err
		}
		for i, cell := range cells {
			l.shown[i] = l.shown[i] || !slices.Contains([]string{"", "0", "0-0", "-"}, cell)
			l.widths[i] = max(l.widths[i], width(cell))
		}
	}
	if p.Narrow > 0 && l.width() > p.Narrow {
		l.after = ""
	}
	return l, nil
}

// width returns the width of a whole line.
func (l layout) width() int {
	sum := -len(" ") // before the first cell
	for i, width := range l.widths {
		if l.shown[i] {
			sum += len(" ") + width + len(l.after)
		}
	}
	return sum
}

// width returns the width of a printable text on a terminal. It is the same whatever language the user has, and counts
// character by character, as most terminals do.
func width(text string) int {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return twwidth.WidthWithOptions(text, twwidth.Options{})
		}
	}
	return len(text)
}

// lines yields the lines of the table below its header, with printable cells. A row has several lines if one of its
// cells is wrapped. A line is valid only until the next one.
func (p Part) lines(escape *strings.Replacer) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		var cells []string
		for row, err := range p.Rows {
			if err != nil {
				yield(nil, err)
				return
			}
			cells = cells[:0]
			for _, cell := range row {
				if escape != nil {
					cell = escape.Replace(cell)
				}
				cells = append(cells, strings.TrimSpace(printable(cell)))
			}
			if p.Wrap == 0 {
				if !yield(cells, nil) {
					return
				}
				continue
			}
			for _, line := range wrappedCells(cells, p.Wrap) {
				if !yield(line, nil) {
					return
				}
			}
		}
	}
}

// wrappedCells returns the lines of a row whose cells are wrapped at a width.
func wrappedCells(cells []string, width int) (lines [][]string) {
	for i, cell := range cells {
		parts, _ := twwarp.WrapString(cell, width)
		for at, part := range parts {
			if at == len(lines) {
				lines = append(lines, make([]string, len(cells)))
			}
			lines[at][i] = part
		}
	}
	return lines
}

// textTable writes the table in columns. The table writer of markdownTable would need several times as long.
func (p Part) textTable(w *bufio.Writer) error {
	l, err := p.layout(nil)
	if err != nil {
		return err
	}
	line := p.appendLine(nil, l, l.titles)
	if _, err := w.Write(line); err != nil {
		return err
	}
	rule := strings.Repeat("-", max(0, l.width())) + "\n" // above the first row
	for cells, err := range p.lines(nil) {
		if err != nil {
			return err
		}
		w.WriteString(rule)
		rule = ""
		line = p.appendLine(line[:0], l, cells)
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// appendLine appends a line of text, without spaces at its end.
func (p Part) appendLine(line []byte, l layout, cells []string) []byte {
	between := ""
	for i, cell := range cells {
		if !l.shown[i] {
			continue
		}
		line = append(line, between...)
		between = " "
		if p.Columns[i].Left {
			line = append(line, cell...)
		}
		for range l.widths[i] - width(cell) {
			line = append(line, ' ')
		}
		if !p.Columns[i].Left {
			line = append(line, cell...)
		}
		line = append(line, l.after...)
	}
	return append(bytes.TrimRight(line, " "), '\n')
}

// markdownTable writes the table with pipes.
func (p Part) markdownTable(w *bufio.Writer) error {
	p.Wrap = 0 // a row is one line
	escape := strings.NewReplacer("|", `\|`)
	l, err := p.layout(escape)
	if err != nil {
		return err
	}
	shown := func(cells []string) (kept []string) {
		for i, cell := range cells {
			if l.shown[i] {
				kept = append(kept, cell)
			}
		}
		return kept
	}
	var align []tw.Align
	widths := tw.NewMapper[int, int]()
	for i, column := range p.Columns {
		if !l.shown[i] {
			continue
		}
		widths.Set(len(align), l.widths[i]+len("  "))
		align = append(align, tw.AlignRight)
		if column.Left {
			align[len(align)-1] = tw.AlignLeft
		}
	}
	writer := tablewriter.NewTable(
		w,
		tablewriter.WithRenderer(renderer.NewMarkdown()),
		tablewriter.WithStreaming(tw.StreamConfig{Enable: true}),
		tablewriter.WithColumnWidths(widths),
		tablewriter.WithEastAsian(tw.Off), // as width counts
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithAlignment(align),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)
	if err := writer.Start(); err != nil {
		return err
	}
	writer.Header(shown(l.titles))
	for cells, err := range p.lines(escape) {
		if err != nil {
			return err
		}
		if err := writer.Append(shown(cells)); err != nil {
			return err
		}
		if _, err := w.Write(nil); err != nil { // the table writer goes on after a failed write
			return err
		}
	}
	return writer.Close()
}

// wrapped breaks lines at spaces if they have more columns than the width; with 0 it breaks none. The rest of a line
// is indented by two more columns. A word that is longer than the width stays whole.
func wrapped(lines []string, width int) []string {
	if width <= 0 {
		return lines
	}
	var out []string
	for _, line := range lines {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		row := ""
		for word := range strings.FieldsSeq(line) {
			switch {
			case row == "":
				row = indent + word
			case displaywidth.String(row+" "+word) <= width:
				row += " " + word
			default:
				out = append(out, row)
				row = indent + "  " + word
			}
		}
		out = append(out, row)
	}
	return out
}
