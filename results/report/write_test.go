package report

import (
	"errors"
	"slices"
	"strings"
	"testing"
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
		Title: []string{name, name}, Columns: []Column{left("name"), right(name)}, Rows: slices.Values([][]string{{name, name}}),
		Bars: []Bar{{Name: name, Value: new(1.0)}}, Notes: []string{name},
	}
	report := Report{Parts: []Part{part}, Chart: []Part{part}, CSV: slices.Values([][]string{{"a\x1b[2Jb\r\u009b"}})}
	for _, format := range []Format{Table, Markdown, Chart, CSV} {
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
	for _, format := range []Format{Table, Markdown, CSV, JSON, JSONL, Chart, "html", ""} {
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
		"0 -": "name\n-----\na\nb\n", " ": "name\n-----\na\nb\n", "0-0 0": "name\n-----\na\nb\n",
		"0 1": "name  n\n--------\na     0\nb     1\n",
	} {
		one, other, _ := strings.Cut(cells, " ")
		part := Part{Columns: []Column{left("name"), rare(right("n"))}, Rows: slices.Values([][]string{{"a", one}, {"b", other}})}
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
	got := slices.Collect(linesOf(slices.Values(rows)))
	want := [][]string{
		{"name", "csv_alone", "share", "none", "first", "second", "is", "seed"},
		{"a", "b", "0.25", "", "1", "-2", "true", "9223372036854775808"},
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, not %q", got, want)
	}
	if empty := slices.Collect(linesOf(slices.Values([]row{}))); len(empty) != 1 || !slices.Equal(empty[0], want[0]) {
		t.Errorf("without a row: %q", empty)
	}
}
