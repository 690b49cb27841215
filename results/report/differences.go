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
	slices.SortStableFunc(order, s.Field.Compare)
	report := differences(s.Field, order, "bot", headOf(s, total))
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
	return differences(r.Field, order, "player", object("games", len(r.Field.Games)))
}

// differences reports a field in some order. The fields of the object come first in JSON. Those who are rated are the
// rows and the columns of two tables: of the differences, and of the probabilities. who is what each of them is.
func differences(f results.RatedPlayers, order []int, who string, whole Row) Report {
	all := f.Differences(order)
	elo := func(d results.Difference) estimate { return estimate{d.Elo, d.Error, d.Low, d.High, signedWhole, 1} }
	rows := rowsOf(all, func(d results.Difference) Row {
		return slices.Concat(
			object(who, d.Player, "opponent", d.Opponent), elo(d).columns("elo", "", ""),
			object("superiority", d.Superiority),
		)
	})
	var names []string
	for _, player := range order {
		names = append(names, f.Names[player])
	}
	matrixOf := func(title string, write func(results.Difference) string, notes []string) Part {
		part := matrix(who, names, func(row, column int) string {
			if column > row {
				column-- // the differences have no diagonal
			}
			return write(all[row*(len(order)-1)+column])
		})
		part.Title, part.Notes = []string{title}, notes
		return part
	}
	losCell := func(d results.Difference) string { return likelihoodCell(d.Superiority) }
	eloCell := func(d results.Difference) string { return elo(d).text() }
	return Report{
		Parts: []Part{
			matrixOf("Elo of the row less that of the column", eloCell, nil),
			matrixOf("LOS of the row", losCell, append(fieldNotes(f, who+"s", "--prior 2"), losLegend)),
		},
		CSV: rows, JSON: append(whole, object("prior", f.Prior, "differences", rows)...),
	}
}
