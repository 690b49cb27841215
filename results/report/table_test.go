package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"sembra/results"
)

// Each step in which a table shrinks, from its whole width on.
func TestFit(t *testing.T) {
	t.Parallel()
	part := Part{
		Rows: texts(Row{
			{Title: "#"},
			{Title: "bot", Kind: Name},
			{Title: "points"},
			{Title: "text", Kind: Text, Group: "text"},
			{Title: "Elo", Group: "rating"},
			{Title: "±", Group: "rating"},
			{Title: "CPU", Group: "cpu"},
			{Title: "none"},
		},
			[]string{"1", "a-name-of-twenty-nine-columns", "12.5", "not cut", "1512", "±11", "9ms", "-"},
			[]string{"2", "一二三四五", "0", "", "1488", "-", "-", ""},
		),
		Groups: []string{"text", "rating", "cpu"}, Notes: []string{"a note"},
	}
	for _, c := range []struct {
		columns, width int // of the terminal and of the table
		header, first  string
		left           string
	}{
		{0, 65, "#  bot                            points  text      Elo    ±  CPU", "1  a-name-of-twenty-nine-columns    12.5  not cut  1512  ±11  9ms", ""},
		{65, 65, "#  bot", "1  a-name-of-twenty-nine-columns", ""},
		{64, 59, "# bot                           points text     Elo   ± CPU", "1 a-name-of-twenty-nine-columns   12.5 not cut 1512 ±11 9ms", ""},
		{58, 58, "# bot", "1 a-name-of-twenty-nine-colum…   12.5 not cut 1512 ±11 9ms", "the ends of long texts"},
		{42, 42, "# bot", "1 a-name-of-t…   12.5 not cut 1512 ±11 9ms", "the ends of long texts"},
		{40, 40, "# bot            points text     Elo   ±", "1 a-name-of-twe…   12.5 not cut 1512 ±11", "CPU, the ends of long texts"},
		{36, 36, "# bot                 points text", "1 a-name-of-twenty-n…   12.5 not cut", "CPU, Elo, ±, the ends of long texts"},
		{27, 27, "# bot                points", "1 a-name-of-twenty-…   12.5", "CPU, Elo, ±, text, the ends of long texts"},
		{1, 21, "# bot          points", "1 a-name-of-t…   12.5", "CPU, Elo, ±, text, the ends of long texts"},
	} {
		text := writtenOn(t, Report{Parts: []Part{part}}, c.columns)
		lines := strings.Split(text, "\n")
		if !strings.HasPrefix(lines[0], c.header) || !strings.HasPrefix(lines[2], c.first) || len(lines[1]) != c.width {
			t.Errorf("%d columns:\n%s", c.columns, text)
		}
		want := " a note "
		if c.left != "" {
			want += "left out to fit the terminal: " + c.left + " (hint: --wide shows all) "
		}
		if notes := strings.Join(strings.Fields(strings.Join(lines[4:], " ")), " "); notes != strings.TrimSpace(want) {
			t.Errorf("%d columns: %s", c.columns, notes)
		}
		whole := Report{Parts: []Part{part}, Wide: true}
		if got, want := writtenOn(t, whole, c.columns), writtenOn(t, whole, 0); c.columns > len(" a note") && got != want {
			t.Errorf("%d columns, but wide:\n%s", c.columns, got)
		}
	}
}

// A matrix is written in blocks.
func TestFitMatrix(t *testing.T) {
	t.Parallel()
	standings := standingsOf(t, spring(1, "a", "b", "c"), scored("ab 1 ba 0 ac = ca 0 bc 1 cb ="), nil)
	report := Crosstable(standings, 6)
	for columns, want := range map[int]string{
		19: "no. bot   1   2   3\n-------------------\n" +
			"  1 a     .   2 1.5\n  2 b     0   . 1.5\n  3 c   0.5 0.5   .\n",
		15: "no. bot   1   2\n---------------\n  1 a     .   2\n  2 b     0   .\n  3 c   0.5 0.5\n\n" +
			"no. bot   3\n-----------\n  1 a   1.5\n  2 b   1.5\n  3 c     .\n",
		1: "no. bot   1\n-----------\n  1 a     .\n  2 b     0\n  3 c   0.5\n\n" +
			"no. bot   2\n-----------\n  1 a     2\n  2 b     .\n  3 c   0.5\n\n" +
			"no. bot   3\n-----------\n  1 a   1.5\n  2 b   1.5\n  3 c     .\n",
	} {
		text := writtenOn(t, report, columns)
		if _, table, _ := strings.Cut(text, "\n\n"); table != want {
			t.Errorf("%d columns:\n%s", columns, text)
		}
	}
}

// Every report fits into 80 columns, with names of the greatest length and much in every column. Each group of its
// columns has a place in the order of importance.
func TestReportsFit(t *testing.T) {
	t.Parallel()
	long := func(name string) string { return strings.Repeat(name, 32) }
	tournament, matches, merits := swissEnd()
	for i, bot := range tournament.Bots {
		tournament.Bots[i] = long(bot)
		merits[long(bot)] = merits[bot]
	}
	for i := range matches {
		matches[i].South, matches[i].North = long(matches[i].South), long(matches[i].North)
		matches[i].CPU[0], matches[i].CPU[1] = 1234567890, 98765432100
	}
	tournament.Format = results.Swiss
	standings := standingsOf(t, tournament, matches, merits)
	bracket := []results.Pairing{{
		Stage: 1, Bots: [2]string{long("a"), long("d")}, Points: [2]float64{4, 4}, Pairs: 4, Winner: long("a"), BySeed: true,
	}}
	meetings, err := tournament.Meetings(matches)
	must(t, err)
	var noted []results.Noted
	for _, match := range matches {
		noted = append(noted, results.Noted{Numbered: match, Note: "past stop"})
	}
	for name, report := range map[string]Report{
		"standings":    Standings(standings, 20, bracket, nil),
		"crosstable":   Crosstable(standings, 20),
		"differences":  StandingsDifferences(standings, 20),
		"head-to-head": HeadToHead(meetings),
		"matches":      Matches(MatchList{Tournament: tournament, Places: places{2}, Matches: Each(noted)}),
	} {
		for _, part := range report.Parts {
			for _, c := range part.columns {
				if c.Group != "" && c.Group != wideOnly && !slices.Contains(part.Groups, c.Group) {
					t.Errorf("%s: the group %q of column %q is not in the list of groups", name, c.Group, c.Title)
				}
			}
		}
		for _, columns := range []int{70, 80, 120} {
			for line := range strings.Lines(writtenOn(t, report, columns)) {
				if displaywidth.String(strings.TrimSuffix(line, "\n")) > columns {
					t.Errorf("%s, %d columns: %s", name, columns, line)
				}
			}
		}
	}
}

// writtenOn returns the tables on a terminal of that many columns.
func writtenOn(t *testing.T, r Report, columns int) string {
	t.Helper()
	var out strings.Builder
	must(t, r.Write(&out, Table, columns))
	return out.String()
}

// A table for people has at most mostRows rows; the other formats have all of them.
func TestTooLong(t *testing.T) {
	t.Parallel()
	for rows, want := range map[int]error{mostRows: nil, mostRows + 1: ErrTooLong} {
		table := RowsOf(make([]int, rows), func(int) Row { return Row{{Name: "n", Title: "n", Value: 1}} })
		report := Report{Parts: []Part{{Rows: table}}, CSV: table}
		for format, want := range map[Format]error{Table: want, Markdown: want, CSV: nil} {
			var out strings.Builder
			if err := report.Write(&out, format, 0); err != want || (err == nil) != (strings.Count(out.String(), "\n") > rows) {
				t.Errorf("%d rows as %s: error is %v after %d bytes", rows, format, err, out.Len())
			}
		}
	}
}
