package results

import (
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// table is a header and rows of cells for people to read.
type table struct {
	header []string
	align  []tw.Align // of each column
	rows   [][]string
}

// column adds a column.
func (t *table) column(title string, align tw.Align) {
	t.header = append(t.header, title)
	t.align = append(t.align, align)
}

// row adds a row; there is a cell for each column.
func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// text writes the table in columns, two spaces apart, without colours or frames, the same on a
// terminal and in a pipe.
func (t *table) text(w io.Writer) error { return t.columns(w, " ") }

// narrow is like text, with the columns one space apart.
func (t *table) narrow(w io.Writer) error { return t.columns(w, "") }

// fitting is like text or, where that has lines of more than 100 columns, like narrow.
func (t *table) fitting(w io.Writer) error {
	var wide strings.Builder
	if err := t.text(&wide); err != nil {
		return err
	}
	for line := range strings.Lines(wide.String()) {
		if displaywidth.String(line) > 100 {
			return t.narrow(w)
		}
	}
	_, err := io.WriteString(w, wide.String())
	return err
}

// columns writes each cell after one space and before the given ones: with two spaces in front the
// table writer would take the columns for narrower than they are.
func (t *table) columns(w io.Writer, after string) error {
	return t.render(w, " ",
		tablewriter.WithRendition(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.On},
			},
		}),
		tablewriter.WithPadding(tw.Padding{Left: " ", Right: after, Overwrite: true}),
	)
}

// markdown writes the table with pipes.
func (t *table) markdown(w io.Writer) error {
	escape := strings.NewReplacer("|", `\|`)
	escaped := table{header: t.header, align: t.align}
	for _, cells := range t.rows {
		safe := make([]string, len(cells))
		for i, cell := range cells {
			safe[i] = escape.Replace(cell)
		}
		escaped.row(safe...)
	}
	return escaped.render(w, "", tablewriter.WithRenderer(renderer.NewMarkdown()))
}

// render writes the table once it is whole, as the renderers do not tell of all failed writes. It cuts
// the margin off the front of each line, and spaces off its end.
func (t *table) render(w io.Writer, margin string, options ...tablewriter.Option) error {
	options = append(options,
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithAlignment(t.align),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: t.align}),
	)
	var whole strings.Builder
	writer := tablewriter.NewTable(&whole, options...)
	writer.Header(t.header)
	for _, cells := range t.rows {
		if err := writer.Append(cells); err != nil {
			return err
		}
	}
	if err := writer.Render(); err != nil {
		return err
	}
	var out strings.Builder
	for line := range strings.Lines(whole.String()) {
		line = strings.TrimRight(line, " \n")
		if len(line) > len(margin) {
			line = line[len(margin):]
		}
		out.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}
