package report

import (
	"iter"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// rowsOf makes a row from each thing.
func rowsOf[T, R any](things []T, row func(T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		for _, thing := range things {
			if !yield(row(thing)) {
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

// shown reports for each column whether the table has it.
func (p Part) shown() []bool {
	shown := make([]bool, len(p.Columns))
	for i, column := range p.Columns {
		shown[i] = !column.Rare
	}
	if !slices.Contains(shown, false) {
		return shown
	}
	for cells := range p.Rows {
		for i, cell := range cells {
			shown[i] = shown[i] || !slices.Contains([]string{"", "0", "0-0", "-"}, cell)
		}
	}
	return shown
}

// textTable writes the table in columns.
func (p Part) textTable() (string, error) {
	wide, err := p.textColumns(" ")
	if err != nil || p.Narrow == 0 {
		return wide, err
	}
	for line := range strings.Lines(wide) {
		if displaywidth.String(line) > p.Narrow {
			return p.textColumns("")
		}
	}
	return wide, nil
}

// textColumns writes one space before each cell, and the given text after it. With two spaces before a cell, the
// table writer would compute the widths of columns wrongly.
func (p Part) textColumns(after string) (string, error) {
	return p.render(" ", nil,
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

// markdownTable writes the table with pipes.
func (p Part) markdownTable() (string, error) {
	p.Wrap = 0 // a row is one line
	return p.render("", strings.NewReplacer("|", `\|`), tablewriter.WithRenderer(renderer.NewMarkdown()))
}

// render writes the table, and escapes its cells. It removes the margin from the beginning of each line, and spaces
// from its end.
func (p Part) render(margin string, escape *strings.Replacer, options ...tablewriter.Option) (string, error) {
	shown := p.shown()
	var titles []string
	var align []tw.Align
	for i, column := range p.Columns {
		if !shown[i] {
			continue
		}
		titles, align = append(titles, printable(column.Title)), append(align, tw.AlignRight)
		if column.Left {
			align[len(align)-1] = tw.AlignLeft
		}
	}
	wrapping := tw.WrapNone
	if p.Wrap > 0 {
		wrapping = tw.WrapNormal
	}
	var whole, out strings.Builder
	writer := tablewriter.NewTable(&whole, append(
		options,
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(wrapping),
		tablewriter.WithRowMaxWidth(p.Wrap),
		tablewriter.WithAlignment(align),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)...)
	writer.Header(titles)
	for row := range p.Rows {
		var cells []string
		for i, cell := range row {
			if !shown[i] {
				continue
			}
			if escape != nil {
				cell = escape.Replace(cell)
			}
			cells = append(cells, printable(cell))
		}
		if err := writer.Append(cells); err != nil {
			return "", err
		}
	}
	if err := writer.Render(); err != nil {
		return "", err
	}
	for line := range strings.Lines(whole.String()) {
		line = strings.TrimRight(line, " \n")
		out.WriteString(line[min(len(line), len(margin)):] + "\n")
	}
	return out.String(), nil
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
