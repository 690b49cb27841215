package results

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
)

func (r Report) writeCSV(w io.Writer) error {
	rows := [][]string{{
		"rank", "bot", "points", "matches", "wins", "draws", "losses", "score", "faults", "elo",
		"withdrawn", "cpu_ms",
		"rating", "rating_error", "rating_low", "rating_high", "rating_group",
		"repeats", "byes", "reached", "direct_encounter", "sonneborn_berger", "koya",
		"bye_points",
	}}
	for _, line := range r.Standings {
		score := ""
		if share, ok := line.Score(); ok {
			score = exact(share)
		}
		cpu := ""
		if line.CPUMatches > 0 {
			cpu = millis(line.CPU)
		}
		rows = append(rows, []string{
			strconv.Itoa(line.Rank), line.Bot, exact(line.Points), strconv.Itoa(line.Matches),
			strconv.Itoa(line.Wins), strconv.Itoa(line.Draws), strconv.Itoa(line.Losses),
			score, strconv.Itoa(line.Faults), exact(line.Elo),
			strconv.FormatBool(line.Withdrawn), cpu,
			known(line.Field.Rating), known(line.Field.Error), known(line.Field.Low), known(line.Field.High),
			strconv.Itoa(line.Field.Group),
			strconv.Itoa(line.Repeats), strconv.Itoa(line.Byes), strconv.Itoa(line.Reached),
			exact(line.DirectEncounter), exact(line.SonnebornBerger), exact(line.Koya),
			exact(line.ByePoints),
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

func (r Report) writeCrosstableCSV(w io.Writer) error {
	rows := [][]string{{"bot", "opponent", "matches", "points", "wins", "draws", "losses"}}
	for _, cell := range r.cells() {
		rows = append(rows, []string{
			cell.Bot, cell.Opponent, strconv.Itoa(cell.Matches), exact(cell.Points),
			strconv.Itoa(cell.Wins), strconv.Itoa(cell.Draws), strconv.Itoa(cell.Losses),
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// The shape of the JSON. Its names are stable.
type (
	reportJSON struct {
		Tournament    string         `json:"tournament"`
		Ruleset       string         `json:"ruleset"`
		Format        string         `json:"format"`
		MatchesPlayed int            `json:"matches_played"`
		MatchesTotal  int            `json:"matches_total"`
		WithdrawAfter int            `json:"withdraw_after"`
		Isolation     []string       `json:"isolation"`
		Repeats       int            `json:"repeats"`
		TieBreaks     []string       `json:"tie_breaks"`
		FirstMover    firstMoverJSON `json:"first_mover"`
		RatingGroups  int            `json:"rating_groups"`
		Bots          []standingJSON `json:"bots"`
		Crosstable    []cellJSON     `json:"crosstable"`
		Ties          []Tie          `json:"ties"`
		Past          int            `json:"past"`

		Test *sequentialJSON `json:"sprt"` // null of other formats
	}
	standingJSON struct {
		Rank    int      `json:"rank"`
		Bot     string   `json:"bot"`
		Points  float64  `json:"points"`
		Matches int      `json:"matches"`
		Wins    int      `json:"wins"`
		Draws   int      `json:"draws"`
		Losses  int      `json:"losses"`
		Score   *float64 `json:"score"` // null without a match
		Faults  int      `json:"faults"`
		Elo     float64  `json:"elo"`

		Withdrawn bool         `json:"withdrawn"`
		CPUMS     *json.Number `json:"cpu_ms"` // null where it is not known of any match

		Rating      *float64 `json:"rating"` // null where it is unbounded or not known, like the next three
		RatingError *float64 `json:"rating_error"`
		RatingLow   *float64 `json:"rating_low"`
		RatingHigh  *float64 `json:"rating_high"`
		RatingGroup int      `json:"rating_group"`

		Repeats         int     `json:"repeats"`
		Byes            int     `json:"byes"`
		ByePoints       float64 `json:"bye_points"`
		Reached         int     `json:"reached"`
		DirectEncounter float64 `json:"direct_encounter"`
		SonnebornBerger float64 `json:"sonneborn_berger"`
		Koya            float64 `json:"koya"`
	}
	crosstableJSON struct {
		Tournament    string     `json:"tournament"`
		Ruleset       string     `json:"ruleset"`
		MatchesPlayed int        `json:"matches_played"`
		MatchesTotal  int        `json:"matches_total"`
		Crosstable    []cellJSON `json:"crosstable"`
	}
	cellJSON struct {
		Bot      string  `json:"bot"`
		Opponent string  `json:"opponent"`
		Matches  int     `json:"matches"`
		Points   float64 `json:"points"`
		Wins     int     `json:"wins"`
		Draws    int     `json:"draws"`
		Losses   int     `json:"losses"`
	}
)

func (r Report) object() reportJSON {
	report := reportJSON{
		Tournament:    r.Tournament.Name,
		Ruleset:       r.Tournament.Ruleset,
		Format:        r.Tournament.Format,
		MatchesPlayed: r.Played,
		MatchesTotal:  r.Total,
		WithdrawAfter: r.Tournament.WithdrawAfter,
		Isolation:     append([]string{}, r.Isolation...), // never null
		Repeats:       r.Repeats,
		TieBreaks:     append([]string{}, r.Tournament.tieBreaks()...),
		FirstMover:    newFirstMoverJSON(r.Field.FirstMover),
		RatingGroups:  r.Field.Groups,
		Bots:          make([]standingJSON, 0, len(r.Standings)),
		Crosstable:    r.cells(),
		Ties:          append([]Tie{}, r.Ties...), // never null
		Past:          r.Past,
	}
	if r.Test != nil {
		test := r.Test.json()
		report.Test = &test
	}
	for _, line := range r.Standings {
		bot := standingJSON{
			Rank: line.Rank, Bot: line.Bot, Points: line.Points, Matches: line.Matches,
			Wins: line.Wins, Draws: line.Draws, Losses: line.Losses, Faults: line.Faults, Elo: line.Elo,
			Withdrawn: line.Withdrawn,
			Rating:    line.Field.Rating, RatingError: line.Field.Error,
			RatingLow: line.Field.Low, RatingHigh: line.Field.High, RatingGroup: line.Field.Group,
			Repeats: line.Repeats, Byes: line.Byes, ByePoints: line.ByePoints, Reached: line.Reached,
			DirectEncounter: line.DirectEncounter, SonnebornBerger: line.SonnebornBerger, Koya: line.Koya,
		}
		if score, ok := line.Score(); ok {
			bot.Score = &score
		}
		if line.CPUMatches > 0 {
			bot.CPUMS = knownMillis(line.CPU)
		}
		report.Bots = append(report.Bots, bot)
	}
	return report
}

func (r Report) crosstableObject() crosstableJSON {
	return crosstableJSON{
		Tournament: r.Tournament.Name, Ruleset: r.Tournament.Ruleset,
		MatchesPlayed: r.Played, MatchesTotal: r.Total, Crosstable: r.cells(),
	}
}

// cells gives every two bots, both ways, in the order of the standings.
func (r Report) cells() []cellJSON {
	cells := []cellJSON{} // never null
	for _, line := range r.Standings {
		for _, other := range r.Standings {
			if other.Bot == line.Bot {
				continue
			}
			cell := r.Crosstable.Cell(line.Bot, other.Bot)
			cells = append(cells, cellJSON{
				Bot: line.Bot, Opponent: other.Bot, Matches: cell.Matches, Points: cell.Points,
				Wins: cell.Wins, Draws: cell.Draws, Losses: cell.Losses,
			})
		}
	}
	return cells
}
