package report

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"
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
