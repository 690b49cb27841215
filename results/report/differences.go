package report

import (
	"slices"

	"sembra/results"
)

// StandingsDifferences reports the difference between each two bots of a tournament with total matches in its
// schedule, the best bot first. It has the formats Table, Markdown, CSV and JSON.
func StandingsDifferences(s results.Standings, total int) Report {
	var order []int
	for _, line := range s.Lines {
		order = append(order, slices.Index(s.Field.Names, line.Bot))
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return s.Field.Compare(a, b)
	})
	report := differences(s.Field, order, "bot", object{
		{"tournament", s.Tournament.Name},
		{"ruleset", s.Tournament.Ruleset},
		{"matches_played", s.Played},
		{"matches_total", total},
	})
	report.Parts[0].Title = append(standingsTitle(s, total), report.Parts[0].Title...)
	return report
}

// GameDifferences reports the difference between each two players of a list of games, the best one first. It has the
// formats Table, Markdown, CSV and JSON.
func GameDifferences(r results.GameRatings) Report {
	var order []int
	for _, line := range r.Lines {
		order = append(order, slices.Index(r.Field.Names, line.Player))
	}
	return differences(r.Field, order, "player", object{{"games", len(r.Field.Games)}})
}

// differences reports a field in some order. The fields of the object come first in JSON. Those who are rated are the
// rows and the columns of two tables: of the differences, and of the probabilities. who is what each of them is.
func differences(f results.RatedPlayers, order []int, who string, whole object) Report {
	all := f.Differences(order)
	type line = results.Difference
	columns := []Column[line]{
		{Name: who, Value: func(d line) any { return d.Player }},
		{Name: "opponent", Value: func(d line) any { return d.Opponent }},
		{Name: "elo", Value: func(d line) any { return d.Elo }},
		{Name: "elo_error", Value: func(d line) any { return d.Error }},
		{Name: "elo_low", Value: func(d line) any { return d.Low }},
		{Name: "elo_high", Value: func(d line) any { return d.High }},
		{Name: "superiority", Value: func(d line) any { return d.Superiority }},
	}
	names := make([]string, len(order))
	for i, player := range order {
		names[i] = shortName(f.Names[player])
	}
	matrixOf := func(title string, write func(line) string) Part {
		part := matrix(" ", names, func(row, column int) string {
			if column > row {
				column-- // the differences have no diagonal
			}
			return write(all[row*(len(order)-1)+column])
		})
		part.Title = []string{title}
		return part
	}
	parts := []Part{
		matrixOf("Elo of the row less that of the column", func(d line) string {
			return boundCell(d.Elo, d.Low, d.High, signedWhole)
		}),
		matrixOf("LOS of the row", func(d line) string { return likelihoodCell(d.Superiority) }),
	}
	parts[1].Notes = fieldNotes(f, who+"s", "--prior 2")
	whole = append(whole, field{"prior", f.Prior}, field{"differences", objectsOf(all, columns)})
	return Report{Parts: parts, CSV: csvOf(each(all), columns), JSON: whole}
}
