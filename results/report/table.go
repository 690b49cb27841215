package report

import (
	"bufio"
	"bytes"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"sembra/engine/show"
)

// layout is how a table is set for people.
type layout struct {
	Part
	clean  func(string) string // makes a cell printable
	rows   int
	kept   []int  // the columns that are shown, as indexes
	widths []int  // by column, of the widest cell or the title
	space  string // between columns
}

// layout returns the layout with all columns that say something. It goes through the rows once and keeps none.
func (p Part) layout(wide bool, clean func(string) string) (layout, error) {
	l := layout{Part: p, clean: clean, space: "  "}
	if p.Tight {
		l.space = " "
	}
	said, err := l.measure()
	for i, column := range p.Columns {
		if said[i] && (wide || !column.Extra) {
			l.kept = append(l.kept, i)
		}
	}
	return l, err
}

// measure counts the rows and measures the columns. It returns which of them say something.
func (l *layout) measure() (said []bool, err error) {
	l.rows, l.widths, said = 0, make([]int, len(l.Columns)), make([]bool, len(l.Columns))
	for i, column := range l.Columns {
		l.widths[i] = width(printable(column.Title))
	}
	if l.Columns == nil {
		return nil, nil
	}
	for row, err := range l.Rows {
		if err != nil {
			return said, err
		}
		l.rows++
		for i, cell := range row {
			cell = l.clean(cell)
			empty := cell == "" || cell == "-" || l.Columns[i].Rare && (cell == "0" || cell == "0-0")
			said[i] = said[i] || !empty
			l.widths[i] = max(l.widths[i], width(cell))
		}
	}
	return said, nil
}

// Grid returns the columns of the table that say something, and its rows with the cells of these columns. The cells are
// not safe to print: they may have names of bots as they are. Grid holds all rows in memory. The error is that of Rows.
func (p Part) Grid() (columns []Header, rows [][]string, err error) {
	l, err := p.layout(false, func(cell string) string { return cell })
	if err != nil || l.rows == 0 {
		return nil, nil, err
	}
	for row, err := range p.Rows {
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, pick(row, l.kept))
	}
	return pick(p.Columns, l.kept), rows, nil
}

// pick returns the things with some indexes.
func pick[T any](all []T, indexes []int) []T {
	picked := make([]T, len(indexes))
	for at, i := range indexes {
		picked[at] = all[i]
	}
	return picked
}

// Names on a narrow terminal lose their ends before columns are left out, down to longName. If it is still too narrow
// without these columns, names are cut down to shortestName.
const (
	longName     = 20
	shortestName = 8
)

// fit shrinks a table that is wider than the terminal: first the spaces, then its cells and names, then it leaves out
// columns in the order of Header.Drop, at last names become very short. It returns a note about what is left out.
func (l *layout) fit(columns int) (note string) {
	var left []string
	if l.width(l.kept) > columns {
		l.space = " "
	}
	if l.width(l.kept) > columns && l.Spared != "" {
		clean := l.clean
		l.clean = func(cell string) string {
			cell, _, _ = strings.Cut(clean(cell), "/")
			return cell
		}
		_, _ = l.measure() // the rows could be read before
		left = append(left, l.Spared)
	}
	uncut := slices.Clone(l.widths)
	l.cut(columns, longName)
	last := 0
	for _, column := range l.Columns {
		last = max(last, column.Drop)
	}
	for place := 1; place <= last && l.width(l.kept) > columns; place++ {
		l.kept = slices.DeleteFunc(l.kept, func(i int) bool {
			if l.Columns[i].Drop != place {
				return false
			}
			left = append(left, l.titleOf(i))
			return true
		})
	}
	if l.Blocks == 0 {
		copy(l.widths, uncut)
		l.cut(columns, shortestName)
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
	if title := printable(l.Columns[column].Title); title != intervalTitle {
		return title
	}
	return intervalTitle + " of " + l.Columns[column-1].Title
}

// cut narrows the columns of names, always the widest one, until the table fits or all of them have the least width.
func (l *layout) cut(columns, least int) {
	for excess := l.width(l.kept) - columns; excess > 0; excess-- {
		widest := -1
		for _, i := range l.kept {
			if l.Columns[i].Kind == Name && l.widths[i] > max(least, width(l.Columns[i].Title)) &&
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

// blocks splits the columns of a table that is wider than the terminal. Each block has the first columns.
func (l *layout) blocks(columns int) (blocks [][]int) {
	if l.Blocks == 0 || l.width(l.kept) <= columns {
		return [][]int{l.kept}
	}
	for _, i := range l.kept[l.Blocks:] {
		if last := len(blocks) - 1; last >= 0 && l.width(append(blocks[last], i)) <= columns {
			blocks[last] = append(blocks[last], i)
		} else {
			blocks = append(blocks, append(slices.Clone(l.kept[:l.Blocks]), i))
		}
	}
	return blocks
}

// width returns the width of a line with some columns.
func (l *layout) width(columns []int) int {
	sum := -len(l.space)
	for _, i := range columns {
		sum += l.widths[i] + len(l.space)
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

// cells returns the cells of a row in some columns, as the layout shows them.
func (l *layout) cells(row []string, columns []int) []string {
	cells := pick(row, columns)
	for at, i := range columns {
		if cells[at] = l.clean(cells[at]); width(cells[at]) > l.widths[i] {
			cells[at] = displaywidth.TruncateString(cells[at], l.widths[i], "…")
		}
	}
	return cells
}

// mostDrawn is the greatest number of rows that the table writer draws as text, because it takes about 0.1 ms for
// each. A longer table is written line by line, and looks the same.
const mostDrawn = 1000

// text writes some columns of the table as text.
func (l *layout) text(w *bufio.Writer, columns []int) error {
	if l.rows > mostDrawn {
		return l.writeLines(w, columns)
	}
	lines := tw.NewSymbolCustom("lines").WithColumn(l.space).WithRow("-").WithCenter(strings.Repeat("-", len(l.space)))
	return l.draw(w, columns, tablewriter.WithPadding(tw.PaddingNone), tablewriter.WithRenderer(
		renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: lines,
			Settings: tw.Settings{
				Separators: tw.Separators{ShowHeader: tw.On, BetweenColumns: tw.On, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.On, ShowTop: tw.Off, ShowBottom: tw.Off},
			},
		}),
	))
}

// draw draws some columns with the table writer. Lines have no spaces at their ends.
func (l *layout) draw(w *bufio.Writer, columns []int, options ...tablewriter.Option) error {
	align, wrap := make([]tw.Align, len(columns)), tw.WrapNone
	for at, i := range columns {
		align[at] = tw.AlignRight
		if l.Columns[i].Kind != Number {
			align[at] = tw.AlignLeft
		}
	}
	if l.Wrap > 0 {
		wrap = tw.WrapNormal
	}
	var drawn bytes.Buffer
	table := tablewriter.NewTable(&drawn, append(
		options,
		tablewriter.WithEastAsian(tw.Off), // as width counts
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(wrap),
		tablewriter.WithRowMaxWidth(l.Wrap),
		tablewriter.WithAlignment(align),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)...)
	table.Header(l.cells(l.titles(), columns))
	for row, err := range l.Rows {
		if err != nil {
			return err
		}
		if err := table.Append(l.cells(row, columns)); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	for line := range bytes.Lines(drawn.Bytes()) {
		w.Write(append(bytes.TrimRight(line, " \n"), '\n'))
	}
	return nil
}

func (l *layout) titles() []string {
	titles := make([]string, len(l.Columns))
	for i, column := range l.Columns {
		titles[i] = column.Title
	}
	return titles
}

// writeLines writes some columns line by line.
func (l *layout) writeLines(w *bufio.Writer, columns []int) error {
	var line []byte
	write := func(row []string) error {
		line = line[:0]
		for at, cell := range l.cells(row, columns) {
			fill := bytes.Repeat([]byte(" "), l.widths[columns[at]]-width(cell))
			if l.Columns[columns[at]].Kind == Number {
				line = append(append(line, fill...), cell...)
			} else {
				line = append(append(line, cell...), fill...)
			}
			line = append(line, l.space...)
		}
		_, err := w.Write(append(bytes.TrimRight(line, " "), '\n'))
		return err
	}
	if err := write(l.titles()); err != nil {
		return err
	}
	w.WriteString(strings.Repeat("-", l.width(columns)) + "\n")
	for row, err := range l.Rows {
		if err != nil {
			return err
		}
		if err := write(row); err != nil {
			return err
		}
	}
	return nil
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
