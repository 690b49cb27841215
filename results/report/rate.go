package report

import (
	"slices"

	"sembra/results"
)

// GameRatings reports the ratings of a list of games. It has all formats but JSONL.
func GameRatings(r results.GameRatings) Report {
	f := r.Field
	rows := rowsOf(r.Lines, func(l results.PlayerLine) Row {
		return slices.Concat(
			Row{
				{Name: "rank", Title: "#", Value: optional(l.Rank, l.Rank > 0), Text: orDash(l.Rank)},
				{Name: "player", Title: "player", Kind: Name, Value: l.Player},
			},
			ratingOf(l.Rating).columns("rating", "rating", ""),
			Row{
				groupColumn("group", "", l.Rating, f),
				{Name: "points", Title: "points", Value: l.Points},
				{Name: "games", Title: "games", Value: l.Matches},
			},
			wonDrawnLost(l.Tally, "tally"),
			Row{shareColumn("score", "score", "score", l.Score(), true)},
		)
	})
	notes := fieldNotes(f, "players", "--prior 2")
	notes.when(f.Groups > 0, ratingScale)
	part := Part{Rows: rows, Groups: []string{"tally", "score"}, Notes: notes}
	return Report{Parts: []Part{part}, CSV: rows, JSON: object(
		"players", rows,
		"first_mover", f.FirstMover,
		"groups", f.Groups,
		"games", len(f.Games),
	)}
}
