package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sembra/engine/show"
	"sembra/results"
)

// Standings reports the standings of a tournament with total matches in its schedule. bracket has the pairings of a
// knockout, by stage. isolation says what the machine isolated; only JSON has it. The report has all formats but JSONL.
// CSV has the standings alone.
func Standings(s results.Standings, total int, bracket []results.Pairing, isolation []string) Report {
	tables, columns := NewStandingsTables(s, total, bracket), standingColumns(s)
	parts := []Part{tables.Standings}
	for _, part := range []*Part{tables.Test, tables.Bracket} {
		if part != nil {
			parts = append(parts, *part)
		}
	}
	var test *object // null without a sequential test
	if s.Test != nil {
		test = new(sequentialTest{s.Tournament, s.Played, s.Test}.object())
	}
	t := s.Tournament
	whole := object{
		{"tournament", t.Name},
		{"ruleset", t.Ruleset},
		{"format", t.Format},
		{"matches_played", s.Played},
		{"matches_total", total},
		{"disqualify_after", t.DisqualifyAfter},
		{"isolation", append([]string{}, isolation...)}, // never null, as all lists
		{"repeats", s.Repeats},
		{"tie_breaks", append([]string{}, s.TieBreaks...)},
		{"first_mover", s.Field.FirstMover},
		{"rating_groups", s.Field.Groups},
		{"bots", objectsOf(s.Lines, columns)},
		{"crosstable", objectsOf(cells(s), cellColumns())},
		{"ties", append([]results.Pairing{}, bracket...)},
		{"past", s.Past},
		{"sprt", test},
	}
	if len(s.Workers) > 0 {
		whole = append(whole, field{"workers", s.Workers})
	}
	if len(s.Withdrawn) > 0 {
		whole = append(whole, field{"withdrawn_bots", s.Withdrawn})
	}
	return Report{Parts: append(parts, tables.Crosstable), CSV: csvOf(each(s.Lines), columns), JSON: whole}
}

// StandingsTables is the parts of a report of the standings.
type StandingsTables struct {
	Standings  Part  // a row for each line of the standings
	Test       *Part // nil without a sequential test
	Bracket    *Part // nil unless it is a knockout
	Workers    *Part // nil if the machine of the run played all matches
	Crosstable Part  // a row for each line of the standings, with a cell for each line after the rank and the name
}

// NewStandingsTables returns the parts of the report of [Standings].
func NewStandingsTables(s results.Standings, total int, bracket []results.Pairing) StandingsTables {
	tables := StandingsTables{Standings: tableOf(each(s.Lines), standingColumns(s)), Crosstable: crosstable(s, nil)}
	tables.Standings.Title, tables.Standings.Notes = standingsTitle(s, total), standingsNotes(s)
	tables.Standings.Tight = true
	if s.Test != nil {
		tables.Test = new(sequentialTest{s.Tournament, s.Played, s.Test}.table())
	}
	if len(bracket) > 0 {
		tables.Bracket = new(bracketTable(bracket))
	}
	if len(s.Workers) > 0 {
		tables.Workers = new(workersPlayed(s.Workers))
	}
	return tables
}

// Crosstable reports the results of each bot against each other bot, in a tournament with total matches in its
// schedule. It has the formats Table, Markdown, CSV and JSON.
func Crosstable(s results.Standings, total int) Report {
	all := cells(s)
	return Report{
		Parts: []Part{crosstable(s, standingsTitle(s, total))},
		CSV:   csvOf(each(all), cellColumns()),
		JSON: object{
			{"tournament", s.Tournament.Name},
			{"ruleset", s.Tournament.Ruleset},
			{"matches_played", s.Played},
			{"matches_total", total},
			{"crosstable", objectsOf(all, cellColumns())},
		},
	}
}

// cell is the results of a bot against an opponent.
type cell struct {
	bot, opponent string
	results.Tally
}

// cells returns the results of each two bots, from both views, in the order of the standings.
func cells(s results.Standings) (all []cell) {
	for _, line := range s.Lines {
		for _, other := range s.Lines {
			if other.Bot != line.Bot {
				all = append(all, cell{line.Bot, other.Bot, s.Cell(line.Bot, other.Bot)})
			}
		}
	}
	return all
}

func cellColumns() []Column[cell] {
	return []Column[cell]{
		{Name: "bot", Value: func(c cell) any { return c.bot }},
		{Name: "opponent", Value: func(c cell) any { return c.opponent }},
		{Name: "matches", Value: func(c cell) any { return c.Matches }},
		{Name: "points", Value: func(c cell) any { return c.Points }},
		{Name: "wins", Value: func(c cell) any { return c.Wins }},
		{Name: "draws", Value: func(c cell) any { return c.Draws }},
		{Name: "losses", Value: func(c cell) any { return c.Losses }},
	}
}

// standingsTitle returns the name of the tournament and how many matches are played.
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

// standingColumns returns the columns of the standings. The last one for people can differ between runs.
func standingColumns(s results.Standings) []Column[results.Standing] {
	longest := time.Duration(0)
	for _, line := range s.Lines {
		longest = max(longest, line.CPU)
	}
	cpuCell, f := cpuWriter(longest), s.Field
	type line = results.Standing
	void := func(l line) any { return l.Void() }
	byePoints := func(l line) any { return l.ByePoints }
	columns := []Column[line]{
		{Name: "rank", Title: "#", Value: func(l line) any { return l.Rank }},
		{Name: "bot", Title: "bot", Kind: Name, Value: func(l line) any { return l.Bot }},
		{Name: "points", Title: "points", Value: func(l line) any { return l.Points }},
		{Name: "matches", Title: "matches", Value: func(l line) any { return l.Matches }},
		{Name: "wins", Title: "won", Drop: 6, Value: func(l line) any { return l.Wins }},
		{Name: "draws", Title: "drawn", Drop: 6, Value: func(l line) any { return l.Draws }},
		{Name: "losses", Title: "lost", Drop: 6, Value: func(l line) any { return l.Losses }},
		{Title: "void", Rare: true, Drop: 5, Value: void},
		{Name: "score", Title: "score", Drop: 4, Value: func(l line) any { return shareCell(l.Score()) }},
		{Name: "faults", Value: func(l line) any { return l.Faults }},
		{Name: "elo", Value: func(l line) any { return l.Elo }},
		{Name: "withdrawn", Value: func(l line) any { return l.Disqualified }},
		{Name: "cpu_ms", Value: func(l line) any { return knownMillis(l.CPU, l.CPUMatches > 0) }},
		{Name: "rating", Title: "rating", Drop: 8, Value: func(l line) any { return rating(l.Field) }},
		{Name: "rating_error", Title: intervalTitle, Drop: 7, Value: func(l line) any { return ratingInterval(l.Field) }},
		{Name: "rating_low", Value: func(l line) any { return l.Field.Low }},
		{Name: "rating_high", Value: func(l line) any { return l.Field.High }},
		{Name: "rating_group", Title: "group", Rare: true, Drop: 7, Value: func(l line) any { return group(l.Field, f) }},
		{Title: "Elo", Extra: true, Value: func(l line) any { return whole(l.Elo) }},
		{Name: "repeats", Value: func(l line) any { return l.Repeats }},
		{Name: "byes", Title: "byes", Rare: true, Drop: 5, Value: func(l line) any { return l.Byes }},
		{Name: "bye_points:", Value: byePoints}, // CSV has it later
		{Name: "reached", Title: "reached", Rare: true, Drop: 9, Value: func(l line) any { return l.Reached }},
		{Name: "direct_encounter", Value: func(l line) any { return l.DirectEncounter }},
		{Name: "sonneborn_berger", Value: func(l line) any { return l.SonnebornBerger }},
		{Name: "koya", Value: func(l line) any { return l.Koya }},
		{Name: ":bye_points", Value: byePoints},
		{Name: "burnt", Value: func(l line) any { return l.Pondered }},
		{Name: "void", Value: void},
	}
	for _, used := range separating(s) {
		if used.value != nil {
			columns = append(columns, Column[line]{
				Title: used.title, Drop: 3, Value: func(l line) any { return exact(used.value(l)) },
			})
		}
	}
	return append(columns, Column[line]{
		Title: "faults", Rare: true, Drop: 9,
		Value: func(l line) any {
			if l.Disqualified {
				return strconv.Itoa(l.Faults) + disqualifiedSign
			}
			return strconv.Itoa(l.Faults)
		},
	}, Column[line]{
		Title: "CPU", Drop: 1, Value: func(l line) any { return cpuCell(l.CPU, l.CPUMatches > 0) },
	})
}

// disqualifiedSign follows the number of faults of a disqualified bot.
const disqualifiedSign = "*"

// tieBreak is a tie-break as tables show it.
type tieBreak struct {
	title, what string
	value       func(results.Standing) float64 // nil: the table always has its column
}

// separating returns the tie-breaks that separated any bots, in the order in which they are applied.
func separating(s results.Standings) []tieBreak {
	encounters := func(l results.Standing) float64 { return l.DirectEncounter }
	sonneborn := func(l results.Standing) float64 { return l.SonnebornBerger }
	koya := func(l results.Standing) float64 { return l.Koya }
	known := map[string]tieBreak{
		"direct-encounter": {"DE", "points among the tied", encounters},
		"wins":             {"won", "matches won", nil},
		"sonneborn-berger": {"SB", "Sonneborn-Berger", sonneborn},
		"koya":             {"Koya", "points against bots with half of theirs or more", koya},
	}
	var used []tieBreak
	for _, name := range s.TieBreaks {
		if slices.Contains(s.Separated, name) {
			used = append(used, known[name])
		}
	}
	return used
}

// standingsNotes returns the notes below the table.
func standingsNotes(s results.Standings) []string {
	var notes []string
	some := func(has func(results.Standing) bool) bool { return slices.ContainsFunc(s.Lines, has) }
	if some(func(l results.Standing) bool { return l.Disqualified }) {
		note := disqualifiedSign + " disqualified after " + show.Count(s.Tournament.DisqualifyAfter, "fault", "faults")
		if s.Tournament.DisqualifyAfter > 1 {
			note += " in a row"
		}
		notes = append(notes, note)
	}
	for _, bot := range s.Tournament.Withdrawn {
		counts := show.Count(s.Withdrawn[bot], "match counts", "matches count")
		notes = append(notes, bot+" has withdrawn: its "+counts+" in no table")
	}
	if some(func(l results.Standing) bool { return l.Void() > 0 }) {
		notes = append(notes, "void: both bots were at fault, so neither gets a point")
	}
	if i := slices.IndexFunc(s.Lines, func(l results.Standing) bool { return l.Byes > 0 }); i >= 0 {
		worth := s.Lines[i].ByePoints / float64(s.Lines[i].Byes)
		notes = append(notes, fmt.Sprintf("a bye counts %s points, as much as winning all matches of a stage", exact(worth)))
	}
	if some(func(l results.Standing) bool { return l.Reached > 0 }) {
		notes = append(notes, "ranks depend only on the stage reached: bots that went out in the same stage share a rank")
	}
	uneven := some(func(l results.Standing) bool { return l.Matches != s.Lines[0].Matches })
	if s.Tournament.Format == results.Gauntlet && uneven {
		notes = append(notes, "challengers and the other bots play different numbers of matches: "+
			"compare scores and ratings, not points")
	}
	if used := separating(s); len(used) > 0 {
		texts := make([]string, len(used))
		for i, tieBreak := range used {
			texts[i] = fmt.Sprintf("%s (%s)", tieBreak.title, tieBreak.what)
		}
		notes = append(notes, "bots with equal points are ordered by "+strings.Join(texts, ", then "))
	}
	if s.Repeats > 0 {
		repeats := show.Count(s.Repeats, "match repeats an earlier one and counts", "matches repeat earlier ones and count")
		notes = append(notes, repeats+" for points, not for ratings ("+repeatHint+")")
	}
	if s.Past > 0 {
		const when = " under way when the test was decided and "
		past := show.Count(s.Past, "match was"+when+"counts", "matches were"+when+"count")
		notes = append(notes, past+" for points, not for ratings")
	}
	for _, line := range s.Lines {
		if line.Pondered > 0 {
			const burnt = " used processor time while its opponents thought, so Sembra stops it then " +
				"(runtimes that tidy up do so too)"
			notes = append(notes, line.Bot+burnt)
		}
	}
	return append(notes, ratingNotes(s)...)
}

// ratingNotes returns the notes about the ratings of the field.
func ratingNotes(s results.Standings) []string {
	field := s.Field
	prior := "sembra standings --prior 2"
	if s.Discarded {
		prior = ""
	}
	notes := fieldNotes(field, "bots", prior)
	if field.Anchor >= 0 && field.Players[field.Anchor].Rating == nil && field.Groups > 0 {
		notes = append(notes, fmt.Sprintf("%s has no rating, so the mean of the rated bots is at %s",
			field.Names[field.Anchor], exact(field.Mean)))
	}
	return append(notes, ratingScaleNotes(field.Players)...)
}

// crosstable is the matrix of the bots of the standings. A cell is points/matches, and "-" for bots that have not met.
// The shorter cell is the points alone.
func crosstable(s results.Standings, title []string) Part {
	bots := make([]string, len(s.Lines))
	for i, line := range s.Lines {
		bots[i] = line.Bot
	}
	part := matrix("bot", bots, func(row, column int) string {
		cell := s.Cell(bots[row], bots[column])
		if cell.Matches == 0 {
			return "-"
		}
		return points(cell).text
	})
	part.Title, part.Spared = title, "the numbers of matches"
	return part
}

// matrix is a table with a row and a column for each name; title is that of the names. The title of a column is the
// number of a row. Cells are "." on the diagonal.
func matrix(title string, names []string, cell func(row, column int) string) Part {
	rows := make([]int, len(names))
	columns := []Column[int]{
		{Title: "#", Value: func(row int) any { return row + 1 }},
		{Title: title, Kind: Name, Value: func(row int) any { return names[row] }},
	}
	for column := range names {
		rows[column] = column
		columns = append(columns, Column[int]{
			Title: strconv.Itoa(column + 1),
			Value: func(row int) any {
				if row == column {
					return "."
				}
				return cell(row, column)
			},
		})
	}
	part := tableOf(each(rows), columns)
	part.Tight, part.Blocks = true, 2
	return part
}

// bracketTable has the pairings of a knockout. The winner is "-" while it is not known.
func bracketTable(bracket []results.Pairing) Part {
	type pairing = results.Pairing
	unlessBye := func(p pairing, text string) string {
		if p.Bots[1] == "" {
			return ""
		}
		return text
	}
	return tableOf(each(bracket), []Column[pairing]{
		{Title: "stage", Value: func(p pairing) any { return p.Stage }},
		{Title: "bot", Kind: Name, Value: func(p pairing) any { return p.Bots[0] }},
		{Title: "opponent", Kind: Name, Value: func(p pairing) any { return cmp.Or(p.Bots[1], "bye") }},
		{Title: "points", Value: func(p pairing) any { return unlessBye(p, exact(p.Points[0])+"-"+exact(p.Points[1])) }},
		{Title: "pairs", Drop: 1, Value: func(p pairing) any { return unlessBye(p, strconv.Itoa(p.Pairs)) }},
		{Title: "winner", Kind: Name, Value: func(p pairing) any {
			if p.Winner != "" && p.BySeed {
				return p.Winner + " by seeding"
			}
			return cmp.Or(p.Winner, unlessBye(p, "-"), p.Bots[0])
		}},
	})
}

// workersPlayed is the table of the workers that played a tournament.
func workersPlayed(all []results.WorkerMatches) Part {
	total := 0
	for _, w := range all {
		total += w.Matches
	}
	const runsMachine = "the machine of the run"
	type worker = results.WorkerMatches
	return tableOf(each(all), []Column[worker]{
		{Title: "worker", Kind: Name, Value: func(w worker) any { return cmp.Or(shown(w.Worker), runsMachine) }},
		{Title: "matches", Value: func(w worker) any { return w.Matches }},
		{Title: "share", Value: func(w worker) any { return strconv.Itoa((200*w.Matches+total)/(2*total)) + " %" }},
		{Title: "faults", Rare: true, Value: func(w worker) any { return w.Faults }},
		{Title: "late", Rare: true, Value: func(w worker) any { return w.Late }},
	})
}
