package report

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"sembra/engine/show"
	"sembra/results/safe"
)

// layout is how a table is set for people.
type layout struct {
	Part
	titles []string   // printable, of all columns
	rows   [][]string // the cells of all columns, printable
	kept   []int      // the columns that are shown, as indexes
	widths []int      // by column, of the widest cell or the title
	space  string     // between columns
}

// mostRows is the greatest number of rows of a table for people.
const mostRows = 10_000

// ErrTooLong is the error of a table for people with too many rows.
var ErrTooLong = fmt.Errorf("the table has more than %d rows (hint: --format csv)", mostRows)

// layout returns the layout with all columns that say something. clean makes a cell printable.
func (p Part) layout(wide bool, clean func(string) string) (*layout, error) {
	l := &layout{Part: p, space: "  "}
	if p.Tight {
		l.space = " "
	}
	said := make([]bool, len(p.columns))
	for _, column := range p.columns {
		l.titles = append(l.titles, clean(column.Title))
		l.widths = append(l.widths, width(clean(column.Title)))
	}
	for row, err := range p.all {
		if err != nil {
			return nil, err
		}
		if len(l.rows) == mostRows {
			return nil, ErrTooLong
		}
		cells := make([]string, len(row))
		for i, column := range row {
			if column.Title == "" {
				continue
			}
			cells[i] = clean(column.text())
			said[i] = said[i] || cells[i] != "" && cells[i] != "-"
			l.widths[i] = max(l.widths[i], width(cells[i]))
		}
		l.rows = append(l.rows, cells)
	}
	for i, column := range p.columns {
		if said[i] && (wide || column.Group != wideOnly) {
			l.kept = append(l.kept, i)
		}
	}
	return l, nil
}

// Grid returns the columns of the table that say something, and its rows with the cells of these columns. The cells are
// not safe to print: they may have names of bots as they are. The error is that of a row, or ErrTooLong.
func (p Part) Grid() (columns Row, rows [][]string, err error) {
	l, err := p.layout(false, func(cell string) string { return cell })
	if err != nil {
		return nil, nil, err
	}
	for _, row := range l.rows {
		rows = append(rows, l.cells(row, l.kept))
	}
	for _, i := range l.kept {
		columns = append(columns, p.columns[i])
	}
	return columns, rows, nil
}

// cells returns the cells of some columns of a row as the layout shows them.
func (l *layout) cells(row []string, columns []int) []string {
	var cells []string
	for _, i := range columns {
		cells = append(cells, cut(row[i], l.widths[i]))
	}
	return cells
}

// shortestName is the width of the longest names on a terminal that is too narrow for more.
const shortestName = 12

// fit shrinks a table that is wider than the terminal: first the spaces and the ends of names, then it leaves out groups
// of columns. It returns what is left out.
func (l *layout) fit(columns int) []string {
	var left []string
	if l.width(l.kept) > columns {
		l.space = " "
	}
	uncut := slices.Clone(l.widths)
	for at := len(l.Groups) - 1; !l.cut(columns) && at >= 0; at-- {
		copy(l.widths, uncut)
		l.kept = slices.DeleteFunc(l.kept, func(i int) bool {
			isLeft := l.columns[i].Group == l.Groups[at]
			if isLeft {
				left = append(left, l.columns[i].Title)
			}
			return isLeft
		})
	}
	if !slices.Equal(l.widths, uncut) {
		left = append(left, "the ends of long texts")
	}
	return left
}

// cut narrows the columns of names, the widest ones first, until the table fits, and reports whether it does.
func (l *layout) cut(columns int) bool {
	for most := l.width(l.kept); l.width(l.kept) > columns && most >= shortestName; most-- {
		for _, i := range l.kept {
			if l.columns[i].Kind == Name {
				l.widths[i] = min(l.widths[i], most)
			}
		}
	}
	return l.width(l.kept) <= columns
}

// blocks splits the columns of a table that is wider than the terminal. Each block has the first columns.
func (l *layout) blocks(columns int) [][]int {
	if l.Blocks == 0 || columns == 0 || l.width(l.kept) <= columns {
		return [][]int{l.kept}
	}
	var blocks [][]int
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

// cut leaves out the end of a text that is wider than most, at least 1.
func cut(text string, most int) string {
	if width(text) <= most {
		return text
	}
	end := 0
	for i := range text {
		if width(text[:i]) >= most { // the sign of what is left out takes a column
			break
		}
		end = i
	}
	return text[:end] + "…"
}

// text writes a part in columns, without colours or frames. Notes are wrapped. If the width of the terminal is known,
// the table shrinks to fit, unless wide is true.
func (p Part) text(w *bufio.Writer, columns int, wide bool) error {
	const pageWidth = 80 // of notes that no terminal shows
	l, err := p.layout(wide, func(cell string) string { return safe.Line(strings.TrimSpace(cell)) })
	if err != nil {
		return err
	}
	room, all := columns, l.Notes
	if wide {
		room = 0
	}
	if room > 0 {
		left := l.fit(room)
		all.when(left != nil, "left out to fit the terminal: %s (hint: --wide shows all)", strings.Join(left, ", "))
	}
	var lines []string
	for _, note := range all {
		indent := note[:len(note)-len(strings.TrimLeft(note, " "))]
		lines = append(lines, show.Wrap(safe.Line(note), cmp.Or(columns, pageWidth), indent, indent+"  ")...)
	}
	return l.write(w, strings.Join(p.Title, "  "), lines, func() error {
		for i, block := range l.blocks(room) {
			if i > 0 {
				w.WriteByte('\n')
			}
			if err := l.drawText(w, block); err != nil {
				return err
			}
		}
		return nil
	})
}

// markdown writes a part with its table as a pipe table, and its notes as a list. Markdown has no width.
func (p Part) markdown(w *bufio.Writer, _ int, wide bool) error {
	escape := strings.NewReplacer("|", `\|`).Replace
	l, err := p.layout(wide, func(cell string) string { return safe.Line(strings.TrimSpace(escape(cell))) })
	if err != nil {
		return err
	}
	title := ""
	if p.Title != nil {
		title = escape("**" + strings.Join(append([]string{p.Title[0] + "**"}, p.Title[1:]...), " · "))
	}
	var notes []string
	emphasis := strings.NewReplacer(`*`, `\*`, `_`, `\_`) // a sign or a name could become emphasis
	for _, note := range p.Notes {
		text := strings.TrimLeft(note, " ")
		notes = append(notes, note[:len(note)-len(text)]+"- "+emphasis.Replace(safe.Line(text)))
	}
	return l.write(w, title, notes, func() error {
		return l.draw(w, l.kept, tablewriter.WithRenderer(renderer.NewMarkdown()))
	})
}

// write writes the title, the table and the notes, as far as they are there, with empty lines between them.
func (l *layout) write(w *bufio.Writer, title string, notes []string, table func() error) error {
	between := ""
	if title != "" {
		w.WriteString(safe.Line(title) + "\n")
		between = "\n"
	}
	if len(l.rows) > 0 {
		w.WriteString(between)
		if err := table(); err != nil {
			return err
		}
		between = "\n"
	}
	if len(notes) > 0 {
		w.WriteString(between + strings.Join(notes, "\n") + "\n")
	}
	return nil
}

// drawText draws some columns of the table as text.
func (l *layout) drawText(w *bufio.Writer, columns []int) error {
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
	align := make([]tw.Align, len(columns))
	for at, i := range columns {
		align[at] = tw.AlignRight
		if l.columns[i].Kind != Number {
			align[at] = tw.AlignLeft
		}
	}
	var drawn bytes.Buffer
	table := tablewriter.NewTable(&drawn, append(
		options,
		tablewriter.WithEastAsian(tw.Off), // as width counts
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNormal),
		tablewriter.WithRowMaxWidth(l.Wrap),
		tablewriter.WithAlignment(align),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)...)
	table.Header(l.cells(l.titles, columns))
	for _, row := range l.rows {
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
