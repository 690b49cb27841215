package web

import (
	"html/template"
	"math"
	"net/http"
	"strconv"
	"strings"

	"sembra/results"
	"sembra/results/report"
)

// crossView is the results of each bot against each other bot.
type crossView struct {
	Rows []crossRow // and a column for each, in the same order
}

// crossRow is the results of a bot.
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

func crosstablePage(b *reader, _ *http.Request, l links) (content, error) {
	view, err := newWholeCrossView(b, l)
	return below(b, l, "crosstable", "Crosstable of "+b.Tournament.Name, view), err
}

func newWholeCrossView(b *reader, l links) (*crossView, error) {
	standings, err := b.standings()
	if err != nil {
		return nil, err
	}
	tables := report.NewStandingsTables(standings, b.Schedule.Total(), nil)
	return newCrossView(standings, tables.Crosstable, newCellLinks(b.Tournament, l))
}

func newCrossView(s results.Standings, part report.Part, c cellLinks) (*crossView, error) {
	v := new(crossView)
	for row, err := range part.Rows {
		if err != nil {
			return nil, err
		}
		i := len(v.Rows)
		bot := s.Lines[i].Bot
		line := crossRow{c.link(bot), i + 1, make([]crossCell, len(s.Lines))}
		for at, text := range row[len(row)-len(s.Lines):] {
			cell := crossCell{Text: text, Heat: "none"}
			opponent := s.Lines[at].Bot
			if tally := s.Crosstable.Cell(bot, opponent); tally.Matches > 0 {
				cell.Heat = "heat" + strconv.Itoa(int(math.Round(10*tally.Points/float64(tally.Matches))))
				cell.URL = c.matches(c.tournament, matchChoice{Bot: bot, Opponent: opponent})
			}
			line.Cells[at] = cell
		}
		v.Rows = append(v.Rows, line)
	}
	return v, nil
}
