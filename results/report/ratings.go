package report

import (
	"fmt"
	"slices"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/stats"
)

// Ladders reports each bot's rating over all tournaments. It has the formats Table, Markdown, CSV and JSON.
func Ladders(l results.Ladders) Report {
	rulesets := l.Rulesets()
	rows := RowsOf(l.Lines(), func(l results.LadderLine) Row {
		return Row{
			{Name: "ruleset", Value: l.Ruleset},
			{Name: "rank", Title: "#", Value: l.Rank},
			{Name: "bot", Title: "bot", Kind: Name, Value: l.Bot},
			{Title: "ruleset", Kind: Name, Value: l.Ruleset},
			{Name: "elo", Title: "Elo", Value: l.Elo, Text: whole(l.Elo)},
			{Name: "matches", Title: "matches", Group: "matches", Value: l.Matches},
		}
	})
	part := Part{Rows: rows, Groups: []string{"matches"}}
	for _, ruleset := range rulesets {
		repeats := show.Count(ruleset.Repeats, "match repeats an earlier one and is", "matches repeat earlier ones and are")
		part.Notes.when(ruleset.Repeats > 0, "%s: %s not rated (%s)", ruleset.Ruleset, repeats, repeatHint)
	}
	return Report{Parts: []Part{part}, CSV: rows, JSON: object("rulesets", rulesets, "ratings", rows)}
}

// GameRatings reports the ratings of a list of games. It has all formats but JSONL.
func GameRatings(r results.GameRatings) Report {
	f := r.Field
	rows := RowsOf(r.Lines, func(l results.PlayerLine) Row {
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
	elo := func(d results.Difference) estimate {
		return estimate{d.Elo, d.Error, d.Low, d.High, signedWhole, 1, false}
	}
	rows := RowsOf(all, func(d results.Difference) Row {
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

// fieldNotes returns in words which ratings and errors are not known, and how much moving first is worth. The text
// calls those who are rated by the word in who, "bots" or "players". prior is the command or the flag that gives a
// field a prior; "" if there is none.
func fieldNotes(f results.RatedPlayers, who, prior string) notes {
	var n notes
	switch {
	case f.Groups == 0 && len(f.Games) == 0:
		return notes{"nobody can be rated: there is no game that counts"}
	case f.Groups == 0:
		return notes{sweepNote(f, who, prior)}
	case f.Groups > 1:
		n.add("%d groups are rated separately, because the results do not connect them in both directions; "+
			"ratings of different groups cannot be compared:", f.Groups)
		for group := range f.Groups {
			members := namesOf(f, func(_ int, r stats.Rating) bool { return r.Rating != nil && r.Group == group+1 })
			n.add("  group %d: %s", group+1, listNames(members))
		}
	}
	n = append(n, unratedNotes(f, who)...)
	n.about(namesOf(f, func(i int, r stats.Rating) bool { return r.Rating != nil && r.Error == nil && i != f.Anchor }),
		"the error is not known, because there are too few results, or they are exactly as the ratings predict")
	n.when(f.Prior > 0, "each of the %s has %s virtual draws with its opponents, which bring ratings closer together; "+
		"the errors are those of the model", who, exact(f.Prior))
	first := f.FirstMover
	switch {
	case !first.Fitted:
		n.add("the results do not show whether moving first helps, so it counts as 0 Elo")
	case first.Error == nil:
		n.add("moving first is worth %s Elo; the error is not known", signedWhole(first.Elo))
	default:
		n.add("moving first is worth %s ±%s Elo", signedWhole(first.Elo), whole(*first.Error))
	}
	return n
}

// namesOf returns the names of the players of whom something is true; nil if there are none.
func namesOf(f results.RatedPlayers, is func(player int, r stats.Rating) bool) []string {
	var names []string
	for i, r := range f.Players {
		if is(i, r) {
			names = append(names, f.Names[i])
		}
	}
	return names
}

// unratedNotes returns why bots or players have no rating.
func unratedNotes(f results.RatedPlayers, who string) notes {
	var n notes
	for _, why := range []struct {
		low, high bool // what is known of the players
		text      string
	}{
		{true, false, "won all points against rated " + who + ", so only a lower bound of the rating is known"},
		{false, true, "won no points against rated " + who + ", so only an upper bound of the rating is known"},
		{false, false, "no rating, because no chain of results leads to the rated " + who},
	} {
		names := namesOf(f, func(_ int, r stats.Rating) bool {
			return r.Rating == nil && (r.Low != nil) == why.low && (r.High != nil) == why.high
		})
		n.about(names, why.text)
	}
	return n
}

// sweepNote returns why nobody in a field can be rated; the table shows the order. For two players it also has the lead
// that is certain.
func sweepNote(f results.RatedPlayers, who, prior string) string {
	why := "no two " + who + " took points off each other, even indirectly"
	if len(f.Players) == 2 {
		for _, d := range f.Differences([]int{0, 1}) {
			switch {
			case d.Low != nil && *d.Low > 0:
				lead := signedWhole(*d.Low)
				why = fmt.Sprintf("%s took all points: a lead of more than %s Elo (95%%)", d.Player, lead)
			case d.Low != nil:
				why = d.Player + " took all points"
			}
		}
	}
	if prior != "" {
		why += " (hint: " + prior + " rates such a field)"
	}
	return "no ratings: " + why
}
