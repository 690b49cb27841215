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
				{Name: "rank", Title: "#", Value: orDash(l.Rank)},
				{Name: "player", Title: "player", Kind: Name, Value: l.Player},
			},
			ratingOf(l.Rating).columns("rating", "rating", 0, 3),
			Row{
				{Name: "group", Title: "group", Rare: true, Drop: 4, Value: group(l.Rating, f)},
				{Name: "points", Title: "points", Value: l.Points},
				{Name: "games", Title: "games", Value: l.Matches},
			},
			wonDrawnLost(l.Tally, 2),
			Row{{Name: "score", Title: "score", Drop: 1, Value: shareCell(l.Score(), true)}},
		)
	})
	notes := fieldNotes(f, "players", "--prior 2")
	notes.when(f.Groups > 0, ratingScale)
	return Report{Parts: []Part{{Rows: rows, Notes: notes}}, CSV: rows, JSON: object(
		"players", rows,
		"first_mover", f.FirstMover,
		"groups", f.Groups,
		"games", len(f.Games),
	)}
}
