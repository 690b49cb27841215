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
	link
	Number int // from 1
	Cells  []crossCell
}

// crossCell is the results of a bot against another one.
type crossCell struct {
	Text string
	URL  string // of the matches; "": there are none
	Heat string // its class
}

// CellItems returns the cells of the row. A template would take several times as long to write those of many bots.
func (r crossRow) CellItems() template.HTML {
	var items strings.Builder
	for _, cell := range r.Cells {
		text := template.HTMLEscapeString(cell.Text)
		if cell.URL != "" {
			text = `<a href="` + template.HTMLEscapeString(cell.URL) + `">` + text + "</a>"
		}
		items.WriteString(`<td class="` + cell.Heat + `">` + text + "</td>")
	}
	return template.HTML(items.String()) //nolint:gosec // all texts are escaped
}

// smallCrosstable is the greatest number of bots whose crosstable is on the page of the
// tournament. The one of 100 bots needs a megabyte.
const smallCrosstable = 24

// crosstablePage is the crosstable of many bots.
func (r *reader) crosstablePage() content {
	standings := got(r, r.standings)
	if r.err != nil {
		return content{}
	}
	rows := r.crosstable(standings, report.NewStandingsTables(standings, r.Schedule.Total(), nil).Crosstable)
	return r.below("crosstable", "Crosstable of "+r.Tournament.Name, rows)
}

// crosstable returns the rows of the crosstable, which has a column for each.
func (r *reader) crosstable(s results.Standings, part report.Part) (rows []crossRow) {
	for row, err := range part.Rows {
		if r.fail(err); err != nil {
			return nil
		}
		bot := s.Lines[len(rows)].Bot
		line := crossRow{r.toBot(bot), len(rows) + 1, make([]crossCell, len(s.Lines))}
		for at, text := range row[len(row)-len(s.Lines):] {
			cell := crossCell{Text: text, Heat: "none"}
			opponent := s.Lines[at].Bot
			if tally := s.Cell(bot, opponent); tally.Matches > 0 {
				cell.Heat = "heat" + strconv.Itoa(int(math.Round(10*tally.Points/float64(tally.Matches))))
				cell.URL = r.toMatches(matchChoice{byBot: bot, byOpponent: opponent})
			}
			line.Cells[at] = cell
		}
		rows = append(rows, line)
	}
	return rows
}
