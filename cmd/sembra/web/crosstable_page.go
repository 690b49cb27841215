package web

import (
	"html/template"
	"math"
	"strconv"
	"strings"

	"sembra/results"
	"sembra/results/report"
)

// crossRow is the results of a bot against each other bot, in the order of the rows.
type crossRow struct {
	hyperlink
	Number int // from 1
	Cells  template.HTML

	// Cells without links lead to the address that Matches of their row and Against of their column make together. A
	// browser would need twice as long for a large table if each cell were a link. Otherwise both are "".
	Matches, Against string
}

// smallCrosstable is the greatest number of bots whose crosstable is on the page of the tournament, and has links
// in its cells.
const smallCrosstable = 24

// crosstablePage is the crosstable of many bots.
func (r *reader) crosstablePage() content {
	return r.below("crosstable", "Crosstable of "+r.Tournament.Name, r.crosstable(r.standings()))
}

// crosstable returns the rows of the crosstable, which has a column for each. A template would take several times as
// long to write the cells of many bots.
func (r *reader) crosstable(s results.Standings) (rows []crossRow) {
	_, lines, err := report.CrosstableTable(s).Grid()
	check(err)
	rows = make([]crossRow, len(lines))
	for i, row := range lines {
		bot := s.Lines[i].Bot
		rows[i].hyperlink, rows[i].Number = r.toBot(bot), i+1
		var cells strings.Builder
		for at, text := range row[len(row)-len(s.Lines):] {
			opponent, heat := s.Lines[at].Bot, "none"
			text = template.HTMLEscapeString(text)
			if tally := s.Cell(bot, opponent); tally.Matches > 0 {
				heat = "heat" + strconv.Itoa(int(math.Round(10*tally.Points/float64(tally.Matches))))
				url := r.toMatches(matchChoice{byBot: bot, byOpponent: opponent})
				if len(lines) > smallCrosstable {
					rows[i].Matches = r.toMatches(matchChoice{byBot: bot})
					rows[at].Against = strings.TrimPrefix(url, rows[i].Matches)
				} else {
					text = `<a href="` + template.HTMLEscapeString(url) + `">` + text + "</a>"
				}
			}
			cells.WriteString("<td class=" + heat + ">" + text)
		}
		rows[i].Cells = template.HTML(cells.String()) //nolint:gosec // escaped
	}
	return rows
}
