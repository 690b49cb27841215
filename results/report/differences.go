package report

import (
	"slices"

	"sembra/results"
)

// difference is how much stronger a player is than another, in CSV and JSON. Values that are not known are nil.
type difference struct {
	Elo         *float64 `json:"elo"`
	EloError    *float64 `json:"elo_error"`
	EloLow      *float64 `json:"elo_low"`
	EloHigh     *float64 `json:"elo_high"`
	Superiority *float64 `json:"superiority"`
}

// botDifference is a difference in a tournament, and playerDifference one in a list of games.
type (
	botDifference struct {
		Bot      string `json:"bot"`
		Opponent string `json:"opponent"`
		difference
	}
	playerDifference struct {
		Player   string `json:"player"`
		Opponent string `json:"opponent"`
		difference
	}
)

// standingsDifferences and gameDifferences are the reports in JSON.
type (
	standingsDifferences struct {
		Tournament    string          `json:"tournament"`
		Ruleset       string          `json:"ruleset"`
		MatchesPlayed int             `json:"matches_played"`
		MatchesTotal  int             `json:"matches_total"`
		Prior         float64         `json:"prior"`
		Differences   []botDifference `json:"differences"`
	}
	gameDifferences struct {
		Games       int                `json:"games"`
		Prior       float64            `json:"prior"`
		Differences []playerDifference `json:"differences"`
	}
)

// StandingsDifferences reports the difference between each two bots of a tournament with total matches in its
// schedule, the best bot first. It has the formats Table, Markdown, CSV and JSON.
func StandingsDifferences(s results.Standings, total int) Report {
	order := make([]int, len(s.Lines))
	for i, line := range s.Lines {
		order[i] = slices.Index(s.Field.Names, line.Bot)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return results.CompareRatings(s.Field.Players[a], s.Field.Players[b])
	})
	all := s.Field.Differences(order)
	object := standingsDifferences{
		s.Tournament.Name, s.Tournament.Ruleset, s.Played, total, s.Field.Prior, make([]botDifference, len(all)),
	}
	for i, d := range all {
		object.Differences[i] = botDifference{d.Player, d.Opponent, newDifference(d)}
	}
	parts := matrices(s.Field, "bots", order, all)
	parts[0].Title = append(standingsTitle(s, total), parts[0].Title...)
	return Report{Parts: parts, CSV: linesOf(each(object.Differences)), JSON: object}
}

// GameDifferences reports the difference between each two players of a list of games, the best one first. It has the
// formats Table, Markdown, CSV and JSON.
func GameDifferences(r results.GameRatings) Report {
	places := make(map[string]int, len(r.Field.Names))
	for i, name := range r.Field.Names {
		places[name] = i
	}
	order := make([]int, len(r.Lines))
	for i, line := range r.Lines {
		order[i] = places[line.Player]
	}
	all := r.Field.Differences(order)
	object := gameDifferences{len(r.Field.Games), r.Field.Prior, make([]playerDifference, len(all))}
	for i, d := range all {
		object.Differences[i] = playerDifference{d.Player, d.Opponent, newDifference(d)}
	}
	parts := matrices(r.Field, "players", order, all)
	return Report{Parts: parts, CSV: linesOf(each(object.Differences)), JSON: object}
}

func newDifference(d results.Difference) difference {
	return difference{d.Elo, d.Error, d.Low, d.High, d.Superiority}
}

// matrices has those who are rated as rows and as columns, first with the differences and then with the probabilities.
// all are the differences in their order. Cells are "-" if nothing is known.
func matrices(f results.RatedField, who string, order []int, all []results.Difference) []Part {
	elo := func(d results.Difference) string { return boundCell(d.Elo, d.Low, d.High, signedWhole) }
	superiority := func(d results.Difference) string { return likelihoodCell(d.Superiority) }
	names := make([]string, len(order))
	for i, player := range order {
		names[i] = shortName(f.Names[player])
	}
	matrixOf := func(title string, write func(results.Difference) string) Part {
		part := matrix("", names, func(row, column int) string {
			if column > row {
				column-- // the differences have no diagonal
			}
			return write(all[row*(len(order)-1)+column])
		})
		part.Title = []string{title}
		return part
	}
	parts := []Part{matrixOf("Elo of the row less that of the column", elo), matrixOf("LOS of the row", superiority)}
	parts[1].Notes = fieldNotes(f, who, "--prior 2")
	return parts
}
