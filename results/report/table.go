package report

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwarp"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"sembra/engine/show"
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

// column is a column of a table of things: its header, and the cell of a thing.
type column[T any] struct {
	Column
	cell func(T) string
}

// tableOf returns a part with a table: a row for each thing.
func tableOf[T any](things iter.Seq2[T, error], columns []column[T]) Part {
	var p Part
	for _, c := range columns {
		p.Columns = append(p.Columns, c.Column)
	}
	p.Rows = rowsFrom(things, func(thing T) []string {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = c.cell(thing)
		}
		return cells
	})
	return p
}

// number returns the function that writes a whole number of a thing.
func number[T any](of func(T) int) func(T) string {
	return func(thing T) string { return strconv.Itoa(of(thing)) }
}

// right and left return columns with that alignment.
func right(title string) Column { return Column{Title: title} }
func left(title string) Column  { return Column{Title: title, Left: true} }

// name returns a column of names or other long texts, which are cut on a narrow terminal.
func name(title string) Column { return Column{Title: title, Left: true, Cut: true} }

// rare returns the column as one that is left out if it says nothing.
func rare(c Column) Column {
	c.Rare = true
	return c
}

// extra returns the column as one that only a wide report has.
func extra(c Column) Column {
	c.Extra = true
	return c
}

// drop returns the column with its place among those that a narrow terminal does not show.
func drop(place int, c Column) Column {
	c.Drop = place
	return c
}

// layout is how the columns of a table are set.
type layout struct {
	rows   int      // of the table, each line of a wrapped row apart
	titles []string // by column
	shown  []bool   // by column: the table has it
	widths []int    // by column, on a terminal, of the widest cell or the title
	shorts []int    // the same with shorter cells; see Part.Short
	short  bool     // cells are the shorter ones
	space  string   // between columns
}

// layout decides which columns the table has, and how wide they are. It goes through all rows once and keeps none.
func (p Part) layout(escape *strings.Replacer, wide bool) (layout, error) {
	n := len(p.Columns)
	l := layout{titles: make([]string, n), shown: make([]bool, n), space: "  "}
	l.widths, l.shorts = make([]int, n), make([]int, n)
	if p.Columns == nil {
		return l, nil
	}
	for i, column := range p.Columns {
		l.titles[i] = strings.TrimSpace(printable(column.Title))
		l.widths[i] = width(l.titles[i])
		l.shorts[i] = l.widths[i]
	}
	for cells, err := range p.lines(escape) {
		if err != nil {
			return layout{}, err
		}
		l.rows++
		for i, cell := range cells {
			l.shown[i] = l.shown[i] || !p.Columns[i].empty(cell) && (wide || !p.Columns[i].Extra)
			l.widths[i] = max(l.widths[i], width(cell))
			if p.Short != nil {
				l.shorts[i] = max(l.shorts[i], width(p.Short(cell)))
			}
		}
	}
	if p.Tight {
		l.space = " "
	}
	return l, nil
}

// Grid returns the columns of the table that say something, and its rows with the cells of these columns. The cells are
// not safe to print: they may have names of bots as they are. Grid holds all rows in memory. The error is that of Rows.
func (p Part) Grid() (columns []Column, rows [][]string, err error) {
	if p.Columns == nil {
		return nil, nil, nil
	}
	shown := make([]bool, len(p.Columns))
	for row, err := range p.Rows {
		if err != nil {
			return nil, nil, err
		}
		for i, cell := range row {
			shown[i] = shown[i] || !p.Columns[i].empty(cell)
		}
		rows = append(rows, row)
	}
	for i, column := range p.Columns {
		if shown[i] = shown[i] && !column.Extra; shown[i] {
			columns = append(columns, column)
		}
	}
	for at, row := range rows {
		kept := make([]string, 0, len(columns))
		for i, cell := range row {
			if shown[i] {
				kept = append(kept, cell)
			}
		}
		rows[at] = kept
	}
	return columns, rows, nil
}

// empty reports whether a cell says nothing.
func (c Column) empty(cell string) bool {
	return cell == "" || cell == "-" || c.Rare && (cell == "0" || cell == "0-0")
}

// Names on a narrow terminal lose their ends before columns are left out, down to longName. If it is still too narrow
// without these columns, names are cut down to shortestName.
const (
	longName     = 20
	shortestName = 8
)

// fit shrinks a table that is wider than the terminal: first the spaces, then its cells and names, then it leaves out
// columns in the order of Column.Drop, at last names become very short. It returns a note about what is left out, or "".
func (l *layout) fit(p Part, columns int) (note string) {
	var left []string
	if l.width() > columns {
		l.space = " "
	}
	if l.width() > columns && p.Short != nil {
		l.short, l.widths = true, l.shorts
		left = append(left, p.Spared)
	}
	uncut := slices.Clone(l.widths)
	l.cut(p, columns, longName)
	last := 0
	for _, column := range p.Columns {
		last = max(last, column.Drop)
	}
	for place := 1; place <= last && l.width() > columns; place++ {
		for i, column := range p.Columns {
			if l.shown[i] && column.Drop == place {
				l.shown[i] = false
				left = append(left, l.titleOf(i))
			}
		}
	}
	if p.Blocks == 0 {
		copy(l.widths, uncut)
		l.cut(p, columns, shortestName)
	}
	if !slices.Equal(l.widths, uncut) {
		left = append(left, "the ends of long texts")
	}
	if left == nil {
		return ""
	}
	return "left out to fit the terminal: " + strings.Join(left, ", ") + " (hint: --wide shows all)"
}

// titleOf returns the title of a column for a note, which says of which column it is the interval.
func (l *layout) titleOf(column int) string {
	if title := l.titles[column]; title != intervalTitle {
		return title
	}
	return intervalTitle + " of " + l.titles[column-1]
}

// cut narrows the columns of names, always the widest one, until the table fits or all of them have the least width.
func (l *layout) cut(p Part, columns, least int) {
	for excess := l.width() - columns; excess > 0; excess-- {
		widest := -1
		for i, column := range p.Columns {
			if column.Cut && l.shown[i] && l.widths[i] > max(least, width(l.titles[i])) &&
				(widest < 0 || l.widths[i] > l.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		l.widths[widest]--
	}
}

// blocks splits a table that is wider than the terminal into blocks of columns. Each of them has the first columns.
func (l layout) blocks(first, columns int) []layout {
	if first == 0 || l.width() <= columns {
		return []layout{l}
	}
	var blocks []layout
	fits := func(i int) bool {
		block := &blocks[len(blocks)-1]
		block.shown[i] = true
		block.shown[i] = block.width() <= columns
		return block.shown[i]
	}
	for i := first; i < len(l.shown); i++ {
		if !l.shown[i] || blocks != nil && fits(i) {
			continue
		}
		block := l
		block.shown = make([]bool, len(l.shown))
		copy(block.shown, l.shown[:first])
		block.shown[i] = true
		blocks = append(blocks, block)
	}
	return blocks
}

// width returns the width of a whole line.
func (l layout) width() int {
	sum := -len(l.space)
	for i, width := range l.widths {
		if l.shown[i] {
			sum += width + len(l.space)
		}
	}
	return max(0, sum)
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

// mostDrawn is the greatest number of rows that the table writer draws as text, because it takes about 0.1 ms for
// each. A longer table is written line by line, and looks the same.
const mostDrawn = 1000

// textTable writes the table in columns. Each block of columns has all rows.
func (p Part) textTable(w *bufio.Writer, blocks []layout) error {
	for i, l := range blocks {
		if i > 0 {
			w.WriteByte('\n')
		}
		rows := rowsFrom(p.lines(nil), func(cells []string) []string { return p.fitted(l, cells) })
		err := error(nil)
		if l.rows > mostDrawn {
			err = p.writeLines(w, l, rows)
		} else {
			err = p.draw(&lineTrimmer{out: w}, l, 0, renderer.NewBlueprint(tw.Rendition{
				Borders: tw.BorderNone,
				Symbols: tw.NewSymbolCustom("lines").WithColumn(l.space).WithRow("-").
					WithCenter(strings.Repeat("-", len(l.space))),
				Settings: tw.Settings{
					Separators: tw.Separators{ShowHeader: tw.On, BetweenColumns: tw.On, BetweenRows: tw.Off},
					Lines:      tw.Lines{ShowHeaderLine: tw.On, ShowTop: tw.Off, ShowBottom: tw.Off},
				},
			}), rows, tablewriter.WithPadding(tw.PaddingNone))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// markdownTable writes the table with pipes.
func (p Part) markdownTable(w *bufio.Writer, l layout, escape *strings.Replacer) error {
	rows := rowsFrom(p.lines(escape), func(cells []string) []string { return p.fitted(l, cells) })
	return p.draw(w, l, len("  "), renderer.NewMarkdown(), rows)
}

// fitted returns the cells that the table has, shortened as far as the layout wants it.
func (p Part) fitted(l layout, cells []string) []string {
	kept := make([]string, 0, len(cells))
	for i, cell := range cells {
		if !l.shown[i] {
			continue
		}
		if l.short {
			cell = p.Short(cell)
		}
		if width(cell) > l.widths[i] {
			cell = displaywidth.TruncateString(cell, l.widths[i], "…")
		}
		kept = append(kept, cell)
	}
	return kept
}

// draw draws the table with the table writer. Its cells have so many columns of padding.
func (p Part) draw(
	w io.Writer, l layout, padding int, r tw.Renderer, rows iter.Seq2[[]string, error], more ...tablewriter.Option,
) error {
	var align []tw.Align
	widths := tw.NewMapper[int, int]()
	for i, column := range p.Columns {
		if !l.shown[i] {
			continue
		}
		widths.Set(len(align), l.widths[i]+padding)
		align = append(align, tw.AlignRight)
		if column.Left {
			align[len(align)-1] = tw.AlignLeft
		}
	}
	writer := tablewriter.NewTable(w, append(more,
		tablewriter.WithRenderer(r),
		tablewriter.WithStreaming(tw.StreamConfig{Enable: true}),
		tablewriter.WithColumnWidths(widths),
		tablewriter.WithEastAsian(tw.Off), // as width counts
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithAlignment(align),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)...)
	if err := writer.Start(); err != nil {
		return err
	}
	writer.Header(p.fitted(l, l.titles))
	for cells, err := range rows {
		if err != nil {
			return err
		}
		if err := writer.Append(cells); err != nil {
			return err
		}
		if _, err := w.Write(nil); err != nil { // the table writer goes on after a failed write
			return err
		}
	}
	return writer.Close()
}

// writeLines writes the table line by line.
func (p Part) writeLines(w *bufio.Writer, l layout, rows iter.Seq2[[]string, error]) error {
	var columns []int
	for i, shown := range l.shown {
		if shown {
			columns = append(columns, i)
		}
	}
	write := func(cells []string) error {
		var line []byte
		for at, i := range columns {
			fill := strings.Repeat(" ", l.widths[i]-width(cells[at]))
			if p.Columns[i].Left {
				line = append(append(line, cells[at]...), fill...)
			} else {
				line = append(append(line, fill...), cells[at]...)
			}
			line = append(line, l.space...)
		}
		_, err := w.Write(append(bytes.TrimRight(line, " "), '\n'))
		return err
	}
	if err := write(p.fitted(l, l.titles)); err != nil {
		return err
	}
	w.WriteString(strings.Repeat("-", l.width()) + "\n")
	for cells, err := range rows {
		if err != nil {
			return err
		}
		if err := write(cells); err != nil {
			return err
		}
	}
	return nil
}

// lineTrimmer writes lines without the spaces at their ends.
type lineTrimmer struct {
	out    *bufio.Writer
	spaces int // read, and not written yet
}

func (t *lineTrimmer) Write(text []byte) (int, error) {
	if len(text) == 0 {
		return t.out.Write(nil)
	}
	for _, b := range text {
		switch b {
		case ' ':
			t.spaces++
			continue
		case '\n':
			t.spaces = 0
		}
		for ; t.spaces > 0; t.spaces-- {
			t.out.WriteByte(' ')
		}
		if err := t.out.WriteByte(b); err != nil {
			return 0, err
		}
	}
	return len(text), nil
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
		out = append(out, show.Wrap(line, width, indent, indent+"  ")...)
	}
	return out
}
