package page

import (
	"math"
	"strconv"

	"sembra/results"
	"sembra/results/report"
)

// crossView is the results of each bot against each other bot.
type crossView struct {
	Rows  []crossRow // and a column for each, in the same order
	Small bool       // it is small enough to be open
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

// openCrosstable is the greatest number of bots whose crosstable is open.
const openCrosstable = 24

func newCrossView(s results.Standings, part report.Part, c cellLinks) (*crossView, error) {
	v := &crossView{Small: len(s.Lines) <= openCrosstable}
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
