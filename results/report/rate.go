package report

import (
	"slices"
	"strconv"

	"sembra/results"
	"sembra/results/stats"
)

// ratedPlayer is a player in CSV and JSON.
type ratedPlayer struct {
	Rank        *int     `json:"rank"` // nil without a rating
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

// ratedGames is the report of rate in JSON.
type ratedGames struct {
	Players    []ratedPlayer    `json:"players"`
	FirstMover stats.FirstMover `json:"first_mover"`
	Groups     int              `json:"groups"`
	Games      int              `json:"games"`
}

// GameRatings reports the ratings of a list of games. It has all formats but JSONL.
func GameRatings(r results.GameRatings) Report {
	field := r.Field
	part := Part{
		Columns: []Column{
			right("#"), name("player"), right("rating"), drop(3, right(intervalTitle)), drop(4, rare(right("group"))),
			right("points"), right("games"), drop(2, right("won")), drop(2, right("drawn")), drop(2, right("lost")), drop(1, right("score")),
		},
		Rows: rowsOf(r.Lines, func(l results.FieldLine) []string {
			rank := "-"
			if l.Rank > 0 {
				rank = strconv.Itoa(l.Rank)
			}
			return []string{
				rank, shortName(l.Player), ratingCell(l.Rating), ratingIntervalCell(l.Rating), groupCell(l.Rating, field.Groups),
				exact(l.Points), strconv.Itoa(l.Matches), strconv.Itoa(l.Wins), strconv.Itoa(l.Draws), strconv.Itoa(l.Losses),
				scoreCell(l.Score()),
			}
		}),
		Notes: slices.Concat(fieldNotes(field, "players", "--prior 2"), ratingScaleNotes(field.Players)),
	}
	object := ratedGames{make([]ratedPlayer, len(r.Lines)), field.FirstMover, field.Groups, len(field.Games)}
	for i, l := range r.Lines {
		object.Players[i] = ratedPlayer{
			Player: l.Player, Rating: l.Rating.Rating, RatingError: l.Error, RatingLow: l.Low, RatingHigh: l.High,
			Group: l.Group, Points: l.Points, Games: l.Matches, Wins: l.Wins, Draws: l.Draws, Losses: l.Losses, Score: l.Score(),
		}
		if l.Rank > 0 {
			object.Players[i].Rank = &l.Rank
		}
	}
	return Report{Parts: []Part{part}, CSV: linesOf(each(object.Players)), JSON: object}
}
