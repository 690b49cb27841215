package report

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

func TestWrapped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines string
		width int
		want  string
	}{
		{"one two three\nfour", 0, "one two three\nfour"},
		{"one two three\nfour", 13, "one two three\nfour"},
		{"one two three\nfour", 12, "one two\n  three\nfour"},
		{"one two three\nfour", 7, "one two\n  three\nfour"},
		{"one two three\nfour", 1, "one\n  two\n  three\nfour"},
		{"  group 1: a, b, c", 14, "  group 1: a,\n    b, c"},
		{"±±± ±±±", 7, "±±± ±±±"},
		{"一二 三四", 8, "一二\n  三四"},
	} {
		got := strings.Join(wrapped(strings.Split(c.lines, "\n"), c.width), "\n")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q in %d columns: %s", c.lines, c.width, diff)
		}
	}
}

// FuzzWrapped: no word is lost, and a row that is too wide has one word.
func FuzzWrapped(f *testing.F) {
	f.Add("a, b: no error can be told, as each pair is level", 20)
	f.Add("  group 1: a, b", 3)
	f.Fuzz(func(t *testing.T, line string, width int) {
		rows := wrapped([]string{line}, width)
		if diff := cmp.Diff(strings.Fields(line), strings.Fields(strings.Join(rows, " "))); diff != "" {
			t.Error(diff)
		}
		for _, row := range rows {
			if width > 0 && displaywidth.String(row) > width && len(strings.Fields(row)) > 1 {
				t.Errorf("%q has more than %d columns", row, width)
			}
		}
	})
}

// FuzzTable: a table looks as if the table writer had all of its rows in memory.
func FuzzTable(f *testing.F) {
	f.Add("a\tb\nlonger cell\t1\n\t-12.5", 0)
	f.Add("", 0) // no row
	f.Add("±\t一二\n|\t e\u0301 \n\t", 0)
	f.Add("the words of a cell are wrapped\tand those of another one\nshort\t", 12)
	f.Fuzz(func(t *testing.T, text string, wrap int) {
		part := Part{Columns: []Column{left("name"), right("a title")}, Wrap: max(0, wrap)}
		var rows [][]string
		for line := range strings.SplitSeq(text, "\n") {
			if text == "" {
				break
			}
			first, second, _ := strings.Cut(line, "\t")
			rows = append(rows, []string{printable(first), printable(second)})
		}
		part.Rows = each(rows)
		report := Report{Parts: []Part{part}}
		wantText := ""
		for line := range strings.Lines(inOnePiece(t, part, tablewriter.WithRendition(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.On},
			},
		}))) {
			line = strings.TrimRight(line, " \n")
			wantText += line[min(1, len(line)):] + "\n" // without the space before the first cell
		}
		if diff := cmp.Diff(wantText, written(t, report, Table)); diff != "" {
			t.Error(diff)
		}
		part.Wrap = 0
		wantMarkdown := inOnePiece(t, part, tablewriter.WithRenderer(renderer.NewMarkdown()))
		if diff := cmp.Diff(wantMarkdown, written(t, report, Markdown)); diff != "" && !strings.Contains(text, "|") {
			t.Error(diff)
		}
	})
}

// inOnePiece renders a table of two columns whose rows are all in memory.
func inOnePiece(t *testing.T, part Part, style tablewriter.Option) string {
	wrapping := tw.WrapNone
	if part.Wrap > 0 {
		wrapping = tw.WrapNormal
	}
	var out strings.Builder
	align := []tw.Align{tw.AlignLeft, tw.AlignRight}
	writer := tablewriter.NewTable(
		&out, style,
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(wrapping),
		tablewriter.WithRowMaxWidth(part.Wrap+2), // with the spaces around a cell
		tablewriter.WithAlignment(align),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
	)
	writer.Header([]string{part.Columns[0].Title, part.Columns[1].Title})
	for row, err := range part.Rows {
		must(t, err)
		must(t, writer.Append(row))
	}
	must(t, writer.Render())
	return out.String()
}
