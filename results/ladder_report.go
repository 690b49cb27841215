package results

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/olekukonko/tablewriter/tw"

	"sembra/results/stats"
)

// LaddersFormats lists what Ladders.Write knows.
func LaddersFormats() []Format {
	return []Format{FormatTable, FormatMarkdown, FormatCSV, FormatJSON, FormatChart}
}

// Write writes a line a bot; see LaddersFormats. A chart has so many columns.
func (l *Ladders) Write(w io.Writer, format Format, columns int) error {
	switch format {
	case FormatTable:
		if err := l.table().text(w); err != nil {
			return err
		}
		return writeLines(w, l.words(), "")
	case FormatMarkdown:
		if err := l.table().markdown(w); err != nil {
			return err
		}
		return writeLines(w, l.words(), "- ")
	case FormatCSV:
		return l.writeCSV(w)
	case FormatJSON:
		return l.writeJSON(w)
	case FormatChart:
		return l.writeCharts(w, columns)
	}
	_, err := ParseFormat(string(format), LaddersFormats())
	return err
}

func (l *Ladders) table() *table {
	t := new(table)
	t.column("#", tw.AlignRight)
	t.column("bot", tw.AlignLeft)
	t.column("ruleset", tw.AlignLeft)
	for _, title := range []string{"Elo", "matches", "Glicko", "deviation", "volatility"} {
		t.column(title, tw.AlignRight)
	}
	for _, line := range l.Lines() {
		t.row(
			strconv.Itoa(line.Rank), line.Bot, line.Ruleset, whole(line.Elo), strconv.Itoa(line.Matches),
			whole(line.Glicko.Rating), strconv.FormatFloat(line.Glicko.Deviation, 'f', 1, 64),
			strconv.FormatFloat(line.Glicko.Volatility, 'f', 4, 64),
		)
	}
	return t
}

// words says how many matches are not rated.
func (l *Ladders) words() []string {
	var lines []string
	for _, ladder := range l.order {
		if ladder.repeated > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s not rated (bots without chance repeat themselves; [openings] plies helps)",
				ladder.ruleset, repeatedMatches(ladder.repeated)))
		}
	}
	return lines
}

func repeatedMatches(n int) string {
	if n == 1 {
		return "1 match equals an earlier one and is"
	}
	return fmt.Sprintf("%d matches equal earlier ones and are", n)
}

// writeCharts draws the Glicko-2 ratings of each ruleset with their intervals: the online Elo has none.
func (l *Ladders) writeCharts(w io.Writer, columns int) error {
	for i, ladder := range l.order {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(w, "%s  Glicko-2 with 95 %% intervals\n\n", ladder.ruleset); err != nil {
			return err
		}
		if err := ladder.chart(columns).Write(w); err != nil {
			return err
		}
	}
	return writeLines(w, l.words(), "")
}

func (l *rulesetLadder) chart(columns int) Chart {
	lines := l.lines()
	slices.SortStableFunc(lines, func(a, b LadderLine) int { return cmp.Compare(b.Glicko.Rating, a.Glicko.Rating) })
	chart := Chart{Width: columns}
	for _, line := range lines {
		row := ChartRow{Name: line.Bot}
		if line.Matches > 0 {
			margin := stats.Z95 * line.Glicko.Deviation
			low, high := line.Glicko.Rating-margin, line.Glicko.Rating+margin
			row.Value, row.Low, row.High = &line.Glicko.Rating, &low, &high
		}
		chart.Rows = append(chart.Rows, row)
	}
	return chart
}

func (l *Ladders) writeCSV(w io.Writer) error {
	rows := [][]string{{
		"ruleset", "rank", "bot", "elo", "matches", "glicko", "glicko_deviation", "glicko_volatility",
	}}
	for _, line := range l.Lines() {
		rows = append(rows, []string{
			line.Ruleset, strconv.Itoa(line.Rank), line.Bot, exact(line.Elo), strconv.Itoa(line.Matches),
			exact(line.Glicko.Rating), exact(line.Glicko.Deviation), exact(line.Glicko.Volatility),
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// The shape of the JSON. Its names are stable.
type (
	laddersJSON struct {
		Rulesets []rulesetLadderJSON `json:"rulesets"`
		Ratings  []ladderLineJSON    `json:"ratings"`
	}
	rulesetLadderJSON struct {
		Ruleset     string `json:"ruleset"`
		Tournaments int    `json:"tournaments"`
		Repeats     int    `json:"repeats"`
	}
	ladderLineJSON struct {
		Ruleset    string  `json:"ruleset"`
		Rank       int     `json:"rank"`
		Bot        string  `json:"bot"`
		Elo        float64 `json:"elo"`
		Matches    int     `json:"matches"`
		Glicko     float64 `json:"glicko"`
		Deviation  float64 `json:"glicko_deviation"`
		Volatility float64 `json:"glicko_volatility"`
	}
)

func (l *Ladders) writeJSON(w io.Writer) error {
	object := laddersJSON{Rulesets: []rulesetLadderJSON{}, Ratings: []ladderLineJSON{}}
	for _, ladder := range l.order {
		object.Rulesets = append(object.Rulesets, rulesetLadderJSON{ladder.ruleset, ladder.tournaments, ladder.repeated})
	}
	for _, line := range l.Lines() {
		object.Ratings = append(object.Ratings, ladderLineJSON{
			Ruleset: line.Ruleset, Rank: line.Rank, Bot: line.Bot, Elo: line.Elo, Matches: line.Matches,
			Glicko: line.Glicko.Rating, Deviation: line.Glicko.Deviation, Volatility: line.Glicko.Volatility,
		})
	}
	return writeObject(w, object)
}
