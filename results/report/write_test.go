package report

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"
	"weak"
)

func TestParseFormat(t *testing.T) {
	t.Parallel()
	if format, err := ParseFormat("csv", Table, CSV); format != CSV || err != nil {
		t.Error(format, err)
	}
	for _, name := range []string{"json", "CSV", ""} {
		_, err := ParseFormat(name, Table, CSV)
		if want := `unknown format "` + name + `" (known: table, csv)`; err == nil || err.Error() != want {
			t.Errorf("error is %v, not %s", err, want)
		}
	}
}

// Nothing that a bot says moves a terminal's cursor, and a bar does not end a cell.
func TestNothingReachesATerminalRaw(t *testing.T) {
	t.Parallel()
	const name = "a\x1b[2Jb\u202e\r\u009b|*"
	part := Part{
		Title: []string{name, name}, Columns: []Column{left("name"), right(name)}, Rows: each([][]string{{name, name}}),
		Notes: []string{name},
	}
	report := Report{Parts: []Part{part}, CSV: each([][]string{{"a\x1b[2Jb\r\u009b"}})}
	for _, format := range []Format{Table, Markdown, CSV} {
		for _, columns := range []int{0, 40} {
			var out strings.Builder
			must(t, report.Write(&out, format, columns))
			if strings.ContainsAny(out.String(), "\x1b\r\u009b\u202e") {
				t.Errorf("%s: %q", format, out.String())
			}
		}
	}
	if text := written(t, report, Markdown); strings.Count(text, `\|`) != 4 || !strings.Contains(text, `- a [2Jb   |\*`) {
		t.Errorf("it is not escaped: %s", text)
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

// A rare column is left out where it says nothing, and only there.
func TestRareColumns(t *testing.T) {
	t.Parallel()
	for cells, want := range map[string]string{
		"0 -": "name\n----\na\nb\n", " ": "name\n----\na\nb\n", "0-0 0": "name\n----\na\nb\n",
		"0 1": "name  n\n-------\na     0\nb     1\n",
	} {
		one, other, _ := strings.Cut(cells, " ")
		part := Part{Columns: []Column{left("name"), rare(right("n"))}, Rows: each([][]string{{"a", one}, {"b", other}})}
		if got := written(t, Report{Parts: []Part{part}}, Table); got != want {
			t.Errorf("%q:\n%s", cells, got)
		}
	}
}

// Every kind of field in a line of CSV.
func TestLinesOf(t *testing.T) {
	t.Parallel()
	type inner struct {
		Share *float64 `json:"share"`
		None  *int     `json:"none"`
	}
	type row struct {
		Name  string   `json:"name"`
		Other string   `json:"-" csv:"csv_alone"`
		Left  []string `json:"left" csv:"-"`
		inner
		Pair [2]int `json:"pair" csv:"first,second"`
		Is   bool   `json:"is,omitempty"`
		Seed uint64 `json:"seed"`
	}
	rows := []row{{"a", "b", nil, inner{Share: new(0.25)}, [2]int{1, -2}, true, 1 << 63}}
	lines := func(rows []row) (lines [][]string) {
		for line, err := range linesOf(each(rows)) {
			must(t, err)
			lines = append(lines, line)
		}
		return lines
	}
	got := lines(rows)
	want := [][]string{
		{"name", "csv_alone", "share", "none", "first", "second", "is", "seed"},
		{"a", "b", "0.25", "", "1", "-2", "true", "9223372036854775808"},
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, not %q", got, want)
	}
	if empty := lines(nil); len(empty) != 1 || !slices.Equal(empty[0], want[0]) {
		t.Errorf("without a row: %q", empty)
	}
}

// longReport is a report of rows that are made as they are asked for.
func longReport(rows iter.Seq2[[]string, error]) Report {
	part := Part{Columns: []Column{right("n"), left("text")}, Rows: rows}
	return Report{Parts: []Part{part}, CSV: rows, JSONL: rowsFrom(rows, func(row []string) any { return row })}
}

// However many rows a report has, only a few of them are in memory at the same time.
func TestRowsAreNotKept(t *testing.T) {
	t.Parallel()
	const rows, often = 30_000, 10_000
	for format, most := range map[Format]int{
		Table: 100, CSV: 100, JSONL: 100,
		Markdown: 9000, // the table writer keeps the widths of its last 8192 texts
	} {
		watched := 0
		report := longReport(func(yield func([]string, error) bool) {
			var cells []weak.Pointer[byte]
			for i := range rows {
				text := fmt.Sprintf("the text of row %d", i) // too long to share its block of memory
				cells = append(cells, weak.Make(unsafe.StringData(text)))
				if !yield([]string{strconv.Itoa(i), text}, nil) {
					return
				}
				if len(cells) < often {
					continue
				}
				runtime.GC()
				cells = slices.DeleteFunc(cells, func(cell weak.Pointer[byte]) bool { return cell.Value() == nil })
				if len(cells) > most {
					t.Errorf("%s, row %d: %d rows are in memory", format, i, len(cells))
				}
				cells = cells[:0]
				watched++
			}
		})
		must(t, report.Write(io.Discard, format, 0))
		if watched < rows/often {
			t.Errorf("%s: the rows were watched %d times", format, watched)
		}
	}
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

// When nobody reads any more, no more rows are made than fit into a buffer.
func TestWriteStopsEarly(t *testing.T) {
	t.Parallel()
	const rows = 100_000
	for _, format := range []Format{Table, Markdown, CSV, JSONL} {
		last := 0
		report := longReport(func(yield func([]string, error) bool) {
			for last = range rows {
				if !yield([]string{strconv.Itoa(last), "text"}, nil) {
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
