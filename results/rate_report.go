package results

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/olekukonko/tablewriter/tw"

	"sembra/results/stats"
)

// FieldFormats lists what FieldReport.Write knows.
func FieldFormats() []Format {
	return []Format{FormatTable, FormatMarkdown, FormatCSV, FormatJSON, FormatChart}
}

// Write writes a line a player; see FieldFormats. A chart has so many columns.
func (r FieldReport) Write(w io.Writer, format Format, columns int) error {
	switch format {
	case FormatTable:
		if err := r.table().text(w); err != nil {
			return err
		}
		return writeLines(w, wrapped(r.words(), r.Wrap), "")
	case FormatMarkdown:
		if err := r.table().markdown(w); err != nil {
			return err
		}
		return writeLines(w, r.words(), "- ")
	case FormatCSV:
		return r.writeCSV(w)
	case FormatJSON:
		return r.writeJSON(w)
	case FormatChart:
		return r.writeChart(w, columns)
	}
	_, err := ParseFormat(string(format), FieldFormats())
	return err
}

// words says what the table cannot.
func (r FieldReport) words() []string {
	words := r.rated.words()
	if slices.ContainsFunc(r.Players, func(l FieldLine) bool { return l.Error != nil }) {
		words = append(words, "± is half of the 95 % interval")
	}
	return words
}

// table has a column for groups only where there are several.
func (r FieldReport) table() *table {
	t := new(table)
	t.column("#", tw.AlignRight)
	t.column("player", tw.AlignLeft)
	t.column("rating", tw.AlignRight)
	t.column("±", tw.AlignRight)
	if r.Field.Groups > 1 {
		t.column("group", tw.AlignRight)
	}
	for _, title := range []string{"points", "games", "won", "drawn", "lost", "score"} {
		t.column(title, tw.AlignRight)
	}
	for _, line := range r.Players {
		rank := "-"
		if line.Rank > 0 {
			rank = strconv.Itoa(line.Rank)
		}
		cells := []string{rank, printable(line.Player), ratingCell(line.Rating), marginCell(line.Error)}
		if r.Field.Groups > 1 {
			cells = append(cells, groupCell(line.Rating))
		}
		t.row(append(
			cells,
			points(line.Points), strconv.Itoa(line.Played),
			strconv.Itoa(line.Wins), strconv.Itoa(line.Draws), strconv.Itoa(line.Losses),
			strconv.FormatFloat(100*line.Score(), 'f', 1, 64)+"%",
		)...)
	}
	return t
}

func (r FieldReport) writeChart(w io.Writer, columns int) error {
	chart := Chart{Width: columns}
	for i, line := range r.Players {
		chart.Rows = append(chart.Rows, ChartRow{
			Name: printable(line.Player), Value: line.Rating.Rating, Low: line.Low, High: line.High,
			Given: r.rated.anchor >= 0 && line.Player == r.rated.names[r.rated.anchor],
			Apart: i > 0 && line.Group != r.Players[i-1].Group,
		})
	}
	if err := chart.Write(w); err != nil {
		return err
	}
	return writeLines(w, wrapped(r.rated.words(), r.Wrap), "")
}

func (r FieldReport) writeCSV(w io.Writer) error {
	rows := [][]string{{
		"rank", "player", "rating", "rating_error", "rating_low", "rating_high", "group",
		"points", "games", "wins", "draws", "losses", "score",
	}}
	for _, line := range r.Players {
		rank := ""
		if line.Rank > 0 {
			rank = strconv.Itoa(line.Rank)
		}
		rows = append(rows, []string{
			rank, line.Player, known(line.Rating.Rating), known(line.Error), known(line.Low), known(line.High),
			strconv.Itoa(line.Group), exact(line.Points), strconv.Itoa(line.Played),
			strconv.Itoa(line.Wins), strconv.Itoa(line.Draws), strconv.Itoa(line.Losses), exact(line.Score()),
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// The shape of the JSON. Its names are stable.
type (
	fieldJSON struct {
		Players    []playerJSON   `json:"players"`
		FirstMover firstMoverJSON `json:"first_mover"`
		Groups     int            `json:"groups"`
		Games      int            `json:"games"`
	}
	playerJSON struct {
		Rank        *int     `json:"rank"` // null without a rating
		Player      string   `json:"player"`
		Rating      *float64 `json:"rating"`
		RatingError *float64 `json:"rating_error"`
		RatingLow   *float64 `json:"rating_low"`
		RatingHigh  *float64 `json:"rating_high"`
		Group       int      `json:"group"`
		Points      float64  `json:"points"`
		Games       int      `json:"games"`
		Wins        int      `json:"wins"`
		Draws       int      `json:"draws"`
		Losses      int      `json:"losses"`
		Score       float64  `json:"score"`
	}
	firstMoverJSON struct {
		Fitted bool     `json:"fitted"`
		Elo    float64  `json:"elo"`
		Error  *float64 `json:"error"`
	}
)

func newFirstMoverJSON(f stats.FirstMover) firstMoverJSON {
	return firstMoverJSON{Fitted: f.Fitted, Elo: f.Elo, Error: f.Error}
}

func (r FieldReport) writeJSON(w io.Writer) error {
	object := fieldJSON{
		Players:    make([]playerJSON, 0, len(r.Players)),
		FirstMover: newFirstMoverJSON(r.Field.FirstMover), Groups: r.Field.Groups, Games: r.Games,
	}
	for _, line := range r.Players {
		player := playerJSON{
			Player: line.Player, Rating: line.Rating.Rating, RatingError: line.Error, RatingLow: line.Low, RatingHigh: line.High,
			Group: line.Group, Points: line.Points, Games: line.Played,
			Wins: line.Wins, Draws: line.Draws, Losses: line.Losses, Score: line.Score(),
		}
		if line.Rank > 0 {
			player.Rank = &line.Rank
		}
		object.Players = append(object.Players, player)
	}
	return writeObject(w, object)
}
