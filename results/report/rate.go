package report

import (
	"slices"

	"sembra/results"
)

// GameRatings reports the ratings of a list of games. It has all formats but JSONL.
func GameRatings(r results.GameRatings) Report {
	f := r.Field
	type line = results.PlayerLine
	columns := []Column[line]{
		{Name: "rank", Title: "#", Value: func(l line) any { return orDash(l.Rank) }},
		{Name: "player", Title: "player", Kind: Name, Value: func(l line) any { return both{l.Player, shortName(l.Player)} }},
		{Name: "rating", Title: "rating", Value: func(l line) any { return rating(l.Rating) }},
		{Name: "rating_error", Title: intervalTitle, Drop: 3, Value: func(l line) any { return ratingInterval(l.Rating) }},
		{Name: "rating_low", Value: func(l line) any { return l.Low }},
		{Name: "rating_high", Value: func(l line) any { return l.High }},
		{Name: "group", Title: "group", Rare: true, Drop: 4, Value: func(l line) any { return group(l.Rating, f) }},
		{Name: "points", Title: "points", Value: func(l line) any { return l.Points }},
		{Name: "games", Title: "games", Value: func(l line) any { return l.Matches }},
		{Name: "wins", Title: "won", Drop: 2, Value: func(l line) any { return l.Wins }},
		{Name: "draws", Title: "drawn", Drop: 2, Value: func(l line) any { return l.Draws }},
		{Name: "losses", Title: "lost", Drop: 2, Value: func(l line) any { return l.Losses }},
		{Name: "score", Title: "score", Drop: 1, Value: func(l line) any { return shareCell(l.Score(), true) }},
	}
	part := tableOf(each(r.Lines), columns)
	part.Notes = slices.Concat(fieldNotes(f, "players", "--prior 2"), ratingScaleNotes(f.Players))
	return Report{Parts: []Part{part}, CSV: csvOf(each(r.Lines), columns), JSON: object{
		{"players", objectsOf(r.Lines, columns)},
		{"first_mover", f.FirstMover},
		{"groups", f.Groups},
		{"games", len(f.Games)},
	}}
}
