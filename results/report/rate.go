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
	type line = results.FieldLine
	part := tableOf(each(r.Lines), []column[line]{
		{right("#"), func(l line) string {
			if l.Rank == 0 {
				return "-"
			}
			return strconv.Itoa(l.Rank)
		}},
		{name("player"), func(l line) string { return shortName(l.Player) }},
		{right("rating"), func(l line) string { return ratingCell(l.Rating) }},
		{drop(3, right(intervalTitle)), func(l line) string { return ratingIntervalCell(l.Rating) }},
		{drop(4, rare(right("group"))), func(l line) string { return groupCell(l.Rating, field.Groups) }},
		{right("points"), func(l line) string { return exact(l.Points) }},
		{right("games"), number(func(l line) int { return l.Matches })},
		{drop(2, right("won")), number(func(l line) int { return l.Wins })},
		{drop(2, right("drawn")), number(func(l line) int { return l.Draws })},
		{drop(2, right("lost")), number(func(l line) int { return l.Losses })},
		{drop(1, right("score")), func(l line) string { return scoreCell(l.Score()) }},
	})
	part.Notes = slices.Concat(fieldNotes(field, "players", "--prior 2"), ratingScaleNotes(field.Players))
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
