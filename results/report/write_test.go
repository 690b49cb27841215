package report

import (
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
)

// inLines returns things for JSON lines.
func inLines[T any](things iter.Seq2[T, error]) iter.Seq2[any, error] {
	return mapped(things, func(thing T) any { return thing })
}

// Nothing that a bot says moves a terminal's cursor, and a bar does not end a cell.
func TestNothingReachesATerminalRaw(t *testing.T) {
	t.Parallel()
	const name = "a\x1b[2Jb\u202e\r\u009b|*"
	part := Part{
		Title: []string{name, name}, Rows: texts(Row{{Title: "name", Kind: Text}, {Title: name}}, []string{name, name}),
		Notes: []string{name},
	}
	rows := alone(object("name", name))
	report := Report{Parts: []Part{part}, CSV: rows, JSON: rows, JSONL: inLines(Each([]string{name}))}
	for _, format := range []Format{Table, Markdown, CSV, JSON, JSONL} {
		for _, columns := range []int{0, 40} {
			var out strings.Builder
			must(t, report.Write(&out, format, columns))
			if strings.ContainsAny(out.String(), "\x1b\r\u009b\u202e") {
				t.Errorf("%s: %q", format, out.String())
			}
		}
	}
	if text := written(t, report, Markdown); strings.Count(text, `\|`) != 5 || !strings.Contains(text, `- a␛[2Jb\u202e␍\u009b|\*`) {
		t.Errorf("it is not escaped: %s", text)
	}
}

// A spreadsheet executes no cell, programs read each text as it was, and numbers stay numbers.
func TestNothingReachesASpreadsheetRaw(t *testing.T) {
	t.Parallel()
	cells := []string{"=cmd|'/c calc'!A1", "+x", "-1x", "@SUM", "a=b", "-1.5", "+3"}
	var want strings.Builder
	for i, cell := range cells {
		want.WriteString("\n" + map[bool]string{true: "'"}[i < 4] + cell)
	}
	rows := RowsOf(cells, func(cell string) Row { return object("x", cell) })
	if got := written(t, Report{CSV: rows}, CSV); got != "x"+want.String()+"\n" {
		t.Errorf("%q", got)
	}
	text := "q\u202e\u009b\U000E0001é😀"
	escaped, back := written(t, Report{JSON: text}, JSON), ""
	if err := json.Unmarshal([]byte(escaped), &back); back != text || !strings.Contains(escaped, `"q\u202e\u009b\udb40\udc01é😀"`) {
		t.Errorf("%s reads as %q (%v)", escaped, back, err)
	}
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	for _, format := range []Format{Table, Markdown, CSV, JSON, JSONL, "html", ""} {
		err := Report{}.Write(new(strings.Builder), format, 0)
		if want := `this report has no format "` + string(format) + `"`; err == nil || err.Error() != want {
			t.Errorf("error is %v, not %s", err, want)
		}
	}
	broken := Report{JSONL: func(yield func(any, error) bool) {
		_ = yield(1, nil) && yield(nil, errors.New("torn")) && yield(2, nil)
	}}
	var out strings.Builder
	if err := broken.Write(&out, JSONL, 0); err == nil || err.Error() != "torn" || out.String() != "1\n" {
		t.Errorf("error is %v after %q", err, out.String())
	}
}

// A column is left out where all its cells are empty, and only there.
func TestEmptyColumns(t *testing.T) {
	t.Parallel()
	for cells, want := range map[string]string{
		"- -": "name\n----\na\nb\n", " ": "name\n----\na\nb\n", "0 -": "name  n\n-------\na     0\nb     -\n",
	} {
		one, other, _ := strings.Cut(cells, " ")
		part := Part{Rows: texts(Row{{Title: "name", Kind: Text}, {Title: "n"}}, []string{"a", one}, []string{"b", other})}
		equal(t, cells, want, written(t, Report{Parts: []Part{part}}, Table))
	}
}

// TestColumns: every kind of value, by name in JSON and CSV and by title in tables.
func TestColumns(t *testing.T) {
	t.Parallel()
	of := func(numbers ...int) Report {
		row := func(n int) Row {
			return Row{
				{Name: "n", Title: "number", Value: n},
				{Name: "share", Title: "share", Value: new(0.25), Text: "25%"},
				{Name: "none", Title: "none", Value: (*int)(nil)},
				{Name: "list", Value: nested{[]string{"a<b"}, nil}},
				{Name: "counts", Value: endings{"crash": 2}},
				{Name: "pair", Value: nested{[2]float64{1e-9, -2}, []string{"first", "second"}}},
				{Title: "is", Kind: Text, Value: n > 1},
				{Name: "seed", Value: uint64(1 << 63)},
			}
		}
		rows := RowsOf(numbers, row)
		return Report{Parts: []Part{{Rows: rows}}, CSV: rows, JSON: rows, JSONL: inLines(mapped(Each(numbers), row))}
	}
	const header = "n,share,none,counts,first,second,seed\n"
	for format, want := range map[Format]string{
		Table: "number  share  is\n-------------------\n     2    25%  true\n",
		CSV:   header + "2,0.25,,crash 2,0.000000001,-2,9223372036854775808\n",
		JSONL: `{"n":2,"share":0.25,"none":null,"list":["a<b"],"counts":{"crash":2},"pair":[1e-9,-2],"seed":9223372036854775808}` + "\n",
	} {
		equal(t, string(format), want, written(t, of(2), format))
	}
	equal(t, "without a row", header+"[]\n", written(t, of(), CSV)+written(t, of(), JSON)+written(t, of(), Table))
}

// longReport is a report of numbers that are made as they are asked for.
func longReport(numbers iter.Seq2[int, error]) Report {
	row := func(n int) Row {
		return Row{{Name: "n", Title: "n", Value: n}, {Name: "text", Title: "text", Value: "text"}}
	}
	rows := rowsFrom(numbers, row)
	return Report{Parts: []Part{{Rows: rows}}, CSV: rows, JSONL: inLines(mapped(numbers, row))}
}

// shortPipe takes a few bytes, like a pipe whose reader ends early.
type shortPipe struct{ room int }

func (p *shortPipe) Write(b []byte) (int, error) {
	n := min(len(b), p.room)
	if p.room -= n; n < len(b) {
		return n, io.ErrClosedPipe
	}
	return n, nil
}

// When nobody reads any more, no more rows are made than fit into a buffer, so a report does not hold them.
func TestWriteStopsEarly(t *testing.T) {
	t.Parallel()
	const rows = 100_000
	for _, format := range []Format{CSV, JSONL} {
		last := 0
		report := longReport(func(yield func(int, error) bool) {
			for last = range rows {
				if !yield(last, nil) {
					return
				}
			}
		})
		if err := report.Write(&shortPipe{10}, format, 0); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: error is %v", format, err)
		}
		if last > 5000 {
			t.Errorf("%s: %d rows were made", format, last)
		}
	}
}
