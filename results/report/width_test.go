package report

import (
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// TestNamesInColumns: the last column of a table stands in its place, whatever letters are in the first one, and
// whatever language the user has.
func TestNamesInColumns(t *testing.T) {
	const end = "|"
	rows := [][]string{
		{"plain", "±1", end},
		{"Übung 1", "±22", end},
		{"e\u0301te\u0301", "½", end}, // letters with marks of their own
		{"囲碁 ボット", "…", end},
		{"바둑", "1", end},
		{"हिन्दी", "1", end},
		{"ไทย", "1", end},
		{"ابن", "1", end},
		{"𝐛𝐨𝐭", "1", end},
	}
	for _, eastAsian := range []bool{false, true} {
		twwidth.SetEastAsian(eastAsian) // as the table writer finds it out from LANG
		part := Part{Rows: texts(Row{{Title: "bot", Kind: Text}, {Title: "±"}, {Title: "end", Kind: Text}}, rows...)}
		text := written(t, Report{Parts: []Part{part}}, Table)
		columns := -1
		for line := range strings.Lines(text) {
			before, _, found := strings.Cut(line, end)
			if !found {
				continue // the header
			}
			if n := twwidth.WidthWithOptions(before, twwidth.Options{}); columns >= 0 && n != columns {
				t.Errorf("%q stands at column %d, want %d", line, n, columns)
			} else {
				columns = n
			}
		}
		if columns < 0 {
			t.Errorf("no row is found:\n%s", text)
		}
	}
}
