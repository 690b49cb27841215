package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/safe"
)

// Standings reports the standings of a tournament with total matches in its schedule. bracket has the pairings of a
// knockout, by stage. isolation says what the machine isolated; only JSON has it. The report has all formats but JSONL.
// CSV has the standings alone.
func Standings(s results.Standings, total int, bracket []results.Pairing, isolation []string) Report {
	parts := []Part{StandingsTable(s, total)}
	var test any // null without a sequential test
	if s.Test != nil {
		test, parts = sequentialTest{s.Tournament, s.Played, s.Test}.row(), append(parts, TestTable(s))
	}
	if len(bracket) > 0 {
		parts = append(parts, bracketTable(bracket))
		if final := bracket[len(bracket)-1]; s.Played == total && final.Winner != "" {
			parts[0].Title = append(parts[0].Title, wonBy(final))
		}
	}
	whole := append(headOf(s, total), object(
		"format", s.Tournament.Format,
		"disqualify_after", s.Tournament.DisqualifyAfter,
		"isolation", append([]string{}, isolation...), // never null, as all lists
		"repeats", s.Repeats,
		"tie_breaks", append([]string{}, s.TieBreaks...),
		"first_mover", s.Field.FirstMover,
		"rating_groups", s.Field.Groups,
		"bots", parts[0].Rows,
		"crosstable", cells(s),
		"bracket", append([]results.Pairing{}, bracket...),
		"past", s.Past,
		"sprt", test,
	)...)
	if len(s.Workers) > 0 {
		whole = append(whole, object("workers", s.Workers)...)
	}
	if len(s.Withdrawn) > 0 {
		whole = append(whole, object("withdrawn", s.Withdrawn)...)
	}
	return Report{Parts: append(parts, CrosstableTable(s)), CSV: parts[0].Rows, JSON: whole}
}

// StandingsTable returns the first table of [Standings], with a row for each line.
func StandingsTable(s results.Standings, total int) Part {
	rows := RowsOf(s.Lines, standingRow(s))
	return Part{
		Title: standingsTitle(s, total), Rows: rows, Notes: standingsNotes(s), Tight: true,
		Groups: []string{"faults", "reached", "rating", "tally", "void", "score", "tie-breaks", "cpu"},
	}
}

// TestTable returns the table of the sequential test of a tournament that has one.
func TestTable(s results.Standings) Part {
	test := sequentialTest{s.Tournament, s.Played, s.Test}
	return test.table(test.row(), test.verdict())
}

// Crosstable reports the results of each bot against each other bot, in a tournament with total matches in its
// schedule. It has the formats Table, Markdown, CSV and JSON.
func Crosstable(s results.Standings, total int) Report {
	part, rows := CrosstableTable(s), cells(s)
	part.Title = append(standingsTitle(s, total), part.Title[min(1, len(part.Title)):]...)
	part.Notes.withdrawn(s.Tournament)
	return Report{Parts: []Part{part}, CSV: rows, JSON: append(headOf(s, total), object("crosstable", rows)...)}
}

// WithoutCrosstable returns the report of [Standings] without its crosstable.
func (r Report) WithoutCrosstable() Report {
	r.Parts = r.Parts[:len(r.Parts)-1]
	r.JSON = slices.DeleteFunc(r.JSON.(Row), func(c Column) bool { return c.Name == "crosstable" })
	return r
}

// headOf returns which tournament it is and how many matches are played, for programs.
func headOf(s results.Standings, total int) Row {
	return object(
		"tournament", s.Tournament.Name,
		"ruleset", s.Tournament.Ruleset,
		"matches_played", s.Played,
		"matches_total", total,
	)
}

// standingsTitle is the same for people.
func standingsTitle(s results.Standings, total int) []string {
	return []string{s.Tournament.Name, s.Tournament.Ruleset, Progress(s, total)}
}

// Progress returns how many matches of total are played. A test may end before all are.
func Progress(s results.Standings, total int) string {
	if s.Test != nil && !s.Test.Over() {
		return fmt.Sprintf("%d of at most %d matches", s.Played, total)
	}
	return fmt.Sprintf("%d of %d matches", s.Played, total)
}

// cells returns the results of each two bots, from both views, in the order of the standings.
func cells(s results.Standings) Rows {
	var pairs [][2]string
	for _, line := range s.Lines {
		for _, other := range s.Lines {
			if other.Bot != line.Bot {
				pairs = append(pairs, [2]string{line.Bot, other.Bot})
			}
		}
	}
	return RowsOf(pairs, func(bots [2]string) Row {
		cell := s.Cell(bots[0], bots[1])
		row := object("bot", bots[0], "opponent", bots[1], "matches", cell.Matches, "points", cell.Points)
		return append(row, wonDrawnLost(cell, "")...)
	})
}

// CrosstableTable returns the matrix of the bots of the standings. If all that have met have played the same number of
// matches, the title says so and a cell is the points, else "1.5 of 2". It is "-" for bots that have not met. The numbers
// of the rows are not ranks, which bots can share.
func CrosstableTable(s results.Standings) Part {
	var bots []string
	for _, line := range s.Lines {
		bots = append(bots, line.Bot)
	}
	each := make(map[int]bool) // the numbers of matches
	for i, bot := range bots {
		for _, other := range bots[:i] {
			each[s.Cell(bot, other).Matches] = true
		}
	}
	delete(each, 0)
	part := matrix("bot", bots, func(row, column int) string {
		cell := s.Cell(bots[row], bots[column])
		switch {
		case cell.Matches == 0:
			return "-"
		case len(each) > 1:
			return fmt.Sprintf("%s of %d", exact(cell.Points), cell.Matches)
		}
		return exact(cell.Points)
	})
	if len(each) == 1 {
		for matches := range each {
			count := show.Count(matches, "match", "matches")
			part.Title = []string{"crosstable", "points in " + count + " each"}
		}
	}
	return part
}

// matrix is a table with a row and a column for each name, numbered from 1. The title of a column is the number of the
// row with the same name. title is that of the names. Cells are "." on the diagonal.
func matrix(title string, names []string, cell func(row, column int) string) Part {
	var rows []Row
	var line Row
	for row, name := range names {
		line = Row{{Title: "no.", Value: row + 1}, {Title: title, Kind: Name, Value: name}}
		for column := range names {
			text := "."
			if row != column {
				text = cell(row, column)
			}
			line = append(line, Column{Title: strconv.Itoa(column + 1), Value: text})
		}
		rows = append(rows, line)
	}
	part := Part{Tight: true, Blocks: 2, Rows: RowsOf(rows, func(row Row) Row { return row })}
	part.columns = line
	return part
}

// standingRow returns how the standings write a line. Tables have a column for what some bot has, and for the tie-breaks
// that separated bots.
func standingRow(s results.Standings) func(results.Standing) Row {
	some := func(title string, has func(results.Standing) bool) string {
		return titleIf(slices.ContainsFunc(s.Lines, has), title)
	}
	void := some("void", func(l results.Standing) bool { return l.Void() > 0 })
	byes := some("byes", func(l results.Standing) bool { return l.Byes > 0 })
	reached := some("reached", func(l results.Standing) bool { return l.Reached > 0 })
	faulty := some("faults", func(l results.Standing) bool { return l.Faults > 0 || l.Disqualified })
	used := func(tieBreak, title string) string { return titleIf(slices.Contains(s.Separated, tieBreak), title) }
	return func(l results.Standing) Row {
		faults := strconv.Itoa(l.Faults)
		if l.Disqualified {
			faults += disqualifiedSign
		}
		score, scored := l.Score()
		return slices.Concat(
			Row{
				{Name: "rank", Title: "#", Value: l.Rank},
				{Name: "bot", Title: "bot", Kind: Name, Value: l.Bot},
				{Name: "points", Title: "points", Value: l.Points},
				{Name: "matches", Title: "matches", Value: l.Matches},
			},
			wonDrawnLost(l.Tally, "tally"),
			Row{
				{Title: void, Group: "void", Value: l.Void()},
				shareColumn("score", "score", "score", score, scored),
				{Name: "faults", Value: l.Faults},
				{Name: "elo", Value: l.Elo},
				{Name: "disqualified", Value: l.Disqualified},
				{Name: "cpu_ms", Value: cpuTime(l.CPU, l.CPUMatches > 0)},
			},
			ratingOf(l.Field).columns("rating", "rating", "rating"),
			Row{
				groupColumn("rating_group", "rating", l.Field, s.Field),
				{Title: "Elo", Group: wideOnly, Value: whole(l.Elo)},
				{Name: "repeats", Value: l.Repeats},
				{Name: "byes", Title: byes, Group: "void", Value: l.Byes},
				{Name: "reached", Title: reached, Group: "reached", Value: l.Reached},
				{Name: "direct_encounter", Title: used("direct-encounter", "DE"), Group: "tie-breaks", Value: l.DirectEncounter},
				{Name: "sonneborn_berger", Title: used("sonneborn-berger", "SB"), Group: "tie-breaks", Value: l.SonnebornBerger},
				{Name: "koya", Title: used("koya", "Koya"), Group: "tie-breaks", Value: l.Koya},
				{Name: "bye_points", Value: l.ByePoints},
				{Name: "void", Value: l.Void()},
				{Title: faulty, Group: "faults", Value: faults},
				{Title: "CPU", Group: "cpu", Value: cpuCell(l.CPU, l.CPUMatches > 0)}, // last, as it differs between runs
			},
		)
	}
}

// disqualifiedSign follows the number of faults of a disqualified bot.
const disqualifiedSign = "*"

// standingsNotes returns the notes below the table.
func standingsNotes(s results.Standings) notes {
	var n notes
	some := func(has func(results.Standing) bool) bool { return slices.ContainsFunc(s.Lines, has) }
	n.when(some(func(l results.Standing) bool { return l.Disqualified }), "%s disqualified after %s",
		disqualifiedSign, show.Count(s.Tournament.DisqualifyAfter, "fault", "faults in a row"))
	for _, bot := range s.Tournament.Withdrawn {
		n.add("%s has withdrawn: its %s in no table", bot, show.Count(s.Withdrawn[bot], "match counts", "matches count"))
	}
	n.when(some(func(l results.Standing) bool { return l.Void() > 0 }),
		"void: both bots were at fault, so neither gets a point")
	n.when(some(func(l results.Standing) bool { return l.Byes > 0 }),
		"a bye counts as much as winning all matches of a stage")
	n.when(some(func(l results.Standing) bool { return l.Reached > 0 }),
		"ranks depend only on the stage reached: bots that went out in the same stage share a rank")
	n.when(s.Tournament.Format == results.Gauntlet, "challengers and the other bots play different numbers "+
		"of matches: compare scores and ratings, not points")
	meanings := map[string]string{
		"direct-encounter": "DE (points among the tied)",
		"wins":             "won (matches won)",
		"sonneborn-berger": "SB (Sonneborn-Berger)",
		"koya":             "Koya (points against bots with half of theirs or more)",
	}
	var applied []string
	for _, name := range s.TieBreaks {
		if slices.Contains(s.Separated, name) {
			applied = append(applied, meanings[name])
		}
	}
	n.when(applied != nil, "bots with equal points are ordered by %s", strings.Join(applied, ", then "))
	n.when(s.Repeats > 0, "%s for points, not for ratings (%s)", show.Count(s.Repeats,
		"match repeats an earlier one and counts", "matches repeat earlier ones and count"), repeatHint)
	n.when(s.Past > 0, "%s for points, not for ratings", show.Count(s.Past,
		"match was under way when the test was decided and counts",
		"matches were under way when the test was decided and count"))
	field, prior := s.Field, "sembra standings --prior 2"
	if s.Discarded {
		prior = ""
	}
	n = append(n, fieldNotes(field, "bots", prior)...)
	if at := field.Anchor; at >= 0 && field.Groups > 0 && field.Players[at].Rating == nil {
		n.add("%s has no rating, so the mean of the rated bots is at %s", field.Names[at], exact(field.Mean))
	}
	n.when(field.Groups > 0, ratingScale)
	return n
}

// wonBy says who has won the final of a knockout, and how.
func wonBy(final results.Pairing) string {
	won, lost := final.Points[0], final.Points[1]
	if final.Winner == final.Bots[1] {
		won, lost = lost, won
	}
	text := fmt.Sprintf("won by %s, %s-%s in the final", final.Winner, exact(won), exact(lost))
	if final.BySeed {
		text += " by seeding"
	}
	return text
}

// bracketTable has the pairings of a knockout. The winner is "-" while it is not known.
func bracketTable(bracket []results.Pairing) Part {
	return Part{Groups: []string{"pairs"}, Rows: RowsOf(bracket, func(p results.Pairing) Row {
		points := exact(p.Points[0]) + "-" + exact(p.Points[1])
		pairs := strconv.Itoa(p.Pairs)
		winner := cmp.Or(p.Winner, "-")
		if p.Bots[1] == "" { // a bye
			points, pairs, winner = "", "", p.Bots[0]
		} else if p.Winner != "" && p.BySeed {
			winner += " by seeding"
		}
		return Row{
			{Title: "stage", Value: p.Stage},
			{Title: "bot", Kind: Name, Value: p.Bots[0]},
			{Title: "opponent", Kind: Name, Value: cmp.Or(p.Bots[1], "bye")},
			{Title: "points", Value: points},
			{Title: "pairs", Group: "pairs", Value: pairs},
			{Title: "winner", Kind: Name, Value: winner},
		}
	})}
}

// WorkersTable returns the workers that played a tournament; nothing if the machine of the run played all matches.
func WorkersTable(s results.Standings) Part {
	faults := slices.ContainsFunc(s.Workers, func(w results.WorkerMatches) bool { return w.Faults > 0 })
	late := slices.ContainsFunc(s.Workers, func(w results.WorkerMatches) bool { return w.Late > 0 })
	return Part{Rows: RowsOf(s.Workers, func(w results.WorkerMatches) Row {
		return Row{
			{Title: "worker", Kind: Name, Value: cmp.Or(safe.Line(w.Worker), "the machine of the run")},
			{Title: "matches", Value: w.Matches},
			{Title: titleIf(faults, "faults"), Value: w.Faults},
			{Title: titleIf(late, "late"), Value: w.Late},
		}
	})}
}
