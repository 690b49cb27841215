package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sembra/engine/show"
	"sembra/results"
	"sembra/results/stats"
)

// standingsObject is the standings in JSON.
type standingsObject struct {
	Tournament      string           `json:"tournament"`
	Ruleset         string           `json:"ruleset"`
	Format          string           `json:"format"`
	MatchesPlayed   int              `json:"matches_played"`
	MatchesTotal    int              `json:"matches_total"`
	DisqualifyAfter int              `json:"disqualify_after"`
	Isolation       []string         `json:"isolation"`
	Repeats         int              `json:"repeats"`
	TieBreaks       []string         `json:"tie_breaks"`
	FirstMover      stats.FirstMover `json:"first_mover"`
	RatingGroups    int              `json:"rating_groups"`
	Bots            []standing       `json:"bots"`
	Crosstable      []cell           `json:"crosstable"`
	Ties            []results.Tie    `json:"ties"`
	Past            int              `json:"past"`
	Test            *sequentialRow   `json:"sprt"` // null of other formats

	Workers []results.WorkerMatches `json:"workers,omitempty"` // left out if the runner played all matches
}

// standing is a line of the standings in CSV and JSON.
type standing struct {
	Rank            int          `json:"rank"`
	Bot             string       `json:"bot"`
	Points          float64      `json:"points"`
	Matches         int          `json:"matches"`
	Wins            int          `json:"wins"`
	Draws           int          `json:"draws"`
	Losses          int          `json:"losses"`
	Score           *float64     `json:"score"` // nil without a match
	Faults          int          `json:"faults"`
	Elo             float64      `json:"elo"`
	Disqualified    bool         `json:"withdrawn"`
	CPUMS           *json.Number `json:"cpu_ms"` // nil if it is not known for any match
	Rating          *float64     `json:"rating"` // nil if it is unbounded or not known, like the next three
	RatingError     *float64     `json:"rating_error"`
	RatingLow       *float64     `json:"rating_low"`
	RatingHigh      *float64     `json:"rating_high"`
	RatingGroup     int          `json:"rating_group"`
	Repeats         int          `json:"repeats"`
	Byes            int          `json:"byes"`
	ByePoints       float64      `json:"bye_points" csv:"-"`
	Reached         int          `json:"reached"`
	DirectEncounter float64      `json:"direct_encounter"`
	SonnebornBerger float64      `json:"sonneborn_berger"`
	Koya            float64      `json:"koya"`
	CSVByePoints    float64      `json:"-" csv:"bye_points"` // the ByePoints, which have another place in JSON
	Burnt           int          `json:"burnt"`
	Void            int          `json:"void"`
}

// cell is the results of a bot against an opponent, in CSV and JSON.
type cell struct {
	Bot      string `json:"bot"`
	Opponent string `json:"opponent"`
	results.Tally
}

// crosstableObject is the crosstable in JSON.
type crosstableObject struct {
	Tournament    string `json:"tournament"`
	Ruleset       string `json:"ruleset"`
	MatchesPlayed int    `json:"matches_played"`
	MatchesTotal  int    `json:"matches_total"`
	Crosstable    []cell `json:"crosstable"`
}

// Standings reports the standings of a tournament with total matches in its schedule. ties are the ties of a knockout,
// by stage. isolation says what the machine isolated; only JSON has it. The report has all formats but JSONL. CSV has
// the standings alone.
func Standings(s results.Standings, total int, ties []results.Tie, isolation []string) Report {
	t := s.Tournament
	object := standingsObject{
		Tournament: t.Name, Ruleset: t.Ruleset, Format: t.Format, MatchesPlayed: s.Played, MatchesTotal: total,
		DisqualifyAfter: t.DisqualifyAfter, Isolation: append([]string{}, isolation...), // never null, as all lists
		Repeats: s.Repeats, TieBreaks: append([]string{}, s.TieBreaks...),
		FirstMover: s.Field.FirstMover, RatingGroups: s.Field.Groups,
		Bots: make([]standing, len(s.Lines)), Crosstable: cells(s), Ties: append([]results.Tie{}, ties...), Past: s.Past,
		Workers: s.Workers,
	}
	for i, line := range s.Lines {
		object.Bots[i] = newStanding(line)
	}
	if s.Test != nil {
		object.Test = new(sequentialTest{t, s.Played, s.Test}.row())
	}
	tables := NewStandingsTables(s, total, ties)
	parts := []Part{tables.Standings}
	for _, part := range []*Part{tables.Test, tables.Ties} {
		if part != nil {
			parts = append(parts, *part)
		}
	}
	return Report{
		Parts: append(parts, tables.Crosstable),
		CSV:   linesOf(each(object.Bots)),
		JSON:  object,
	}
}

// StandingsTables is the parts of a report of the standings.
type StandingsTables struct {
	Standings  Part  // a row for each line of the standings
	Test       *Part // nil without a sequential test
	Ties       *Part // nil without ties of a knockout
	Workers    *Part // nil if the machine of the run played all matches
	Crosstable Part  // a row for each line of the standings, with a cell for each line after the rank and the name
}

// NewStandingsTables returns the parts of the report of [Standings].
func NewStandingsTables(s results.Standings, total int, ties []results.Tie) StandingsTables {
	title := standingsTitle(s, total)
	tables := StandingsTables{Standings: standingsTable(s, title), Crosstable: crosstable(s, nil)}
	if s.Test != nil {
		tables.Test = new(sequentialTest{s.Tournament, s.Played, s.Test}.table(nil))
	}
	if len(ties) > 0 {
		tables.Ties = new(tieTable(ties))
	}
	if len(s.Workers) > 0 {
		tables.Workers = new(workersPlayed(s.Workers))
	}
	return tables
}

// Crosstable reports the results of each bot against each other bot, in a tournament with total matches in its
// schedule. It has the formats Table, Markdown, CSV and JSON.
func Crosstable(s results.Standings, total int) Report {
	object := crosstableObject{s.Tournament.Name, s.Tournament.Ruleset, s.Played, total, cells(s)}
	return Report{
		Parts: []Part{crosstable(s, standingsTitle(s, total))},
		CSV:   linesOf(each(object.Crosstable)),
		JSON:  object,
	}
}

func newStanding(line results.Standing) standing {
	s := standing{
		Rank: line.Rank, Bot: line.Bot, Points: line.Points, Matches: line.Matches,
		Wins: line.Wins, Draws: line.Draws, Losses: line.Losses, Faults: line.Faults, Elo: line.Elo,
		Disqualified: line.Disqualified, CPUMS: knownMillis(line.CPU, line.CPUMatches > 0),
		Rating: line.Field.Rating, RatingError: line.Field.Error,
		RatingLow: line.Field.Low, RatingHigh: line.Field.High, RatingGroup: line.Field.Group,
		Burnt: line.Burnt, Repeats: line.Repeats, Byes: line.Byes, Reached: line.Reached,
		DirectEncounter: line.DirectEncounter, SonnebornBerger: line.SonnebornBerger, Koya: line.Koya,
		ByePoints: line.ByePoints, CSVByePoints: line.ByePoints, Void: line.Void(),
	}
	if score, ok := line.Score(); ok {
		s.Score = &score
	}
	return s
}

// cells returns the results of each two bots, from both views, in the order of the standings.
func cells(s results.Standings) []cell {
	all := []cell{} // never null
	for _, line := range s.Lines {
		for _, other := range s.Lines {
			if other.Bot != line.Bot {
				all = append(all, cell{line.Bot, other.Bot, s.Crosstable.Cell(line.Bot, other.Bot)})
			}
		}
	}
	return all
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

// standingsTable returns the table of the standings. The last column is the one that can differ between runs.
func standingsTable(s results.Standings, title []string) Part {
	longest := time.Duration(0)
	for _, line := range s.Lines {
		longest = max(longest, line.CPU)
	}
	cpuCell := cpuWriter(longest)
	type line = results.Standing
	columns := []column[line]{
		{right("#"), number(func(l line) int { return l.Rank })},
		{name("bot"), func(l line) string { return l.Bot }},
		{right("points"), func(l line) string { return exact(l.Points) }},
		{right("matches"), number(func(l line) int { return l.Matches })},
		{drop(6, right("won")), number(func(l line) int { return l.Wins })},
		{drop(6, right("drawn")), number(func(l line) int { return l.Draws })},
		{drop(6, right("lost")), number(func(l line) int { return l.Losses })},
		{drop(5, rare(right("void"))), number(line.Void)},
		{drop(4, right("score")), func(l line) string {
			if share, ok := l.Score(); ok {
				return scoreCell(share)
			}
			return "-"
		}},
		{drop(8, right("rating")), func(l line) string { return ratingCell(l.Field) }},
		{drop(7, right(intervalTitle)), func(l line) string { return ratingIntervalCell(l.Field) }},
		{drop(7, rare(right("group"))), func(l line) string { return groupCell(l.Field, s.Field.Groups) }},
		{extra(right("Elo")), func(l line) string { return whole(l.Elo) }},
		{drop(5, rare(right("byes"))), number(func(l line) int { return l.Byes })},
		{drop(9, rare(right("reached"))), number(func(l line) int { return l.Reached })},
	}
	for _, used := range separating(s) {
		if used.value != nil {
			columns = append(columns, column[line]{
				drop(3, right(used.title)), func(l line) string { return exact(used.value(l)) },
			})
		}
	}
	part := tableOf(each(s.Lines), append(
		columns,
		column[line]{drop(9, rare(right("faults"))), func(l line) string {
			if l.Disqualified {
				return strconv.Itoa(l.Faults) + disqualifiedSign
			}
			return strconv.Itoa(l.Faults)
		}},
		column[line]{drop(1, right("CPU")), func(l line) string { return cpuCell(l.CPU, l.CPUMatches > 0) }},
	))
	part.Title, part.Tight, part.Notes = title, true, standingsNotes(s)
	return part
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
		results.DirectEncounter: {"DE", "points among the tied", encounters},
		results.MostWins:        {"won", "matches won", nil},
		results.SonnebornBerger: {"SB", "Sonneborn-Berger", sonneborn},
		results.Koya:            {"Koya", "points against bots with half of theirs or more", koya},
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
		if line.Burnt > 0 {
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
		cell := s.Crosstable.Cell(bots[row], bots[column])
		if cell.Matches == 0 {
			return "-"
		}
		return exact(cell.Points) + "/" + strconv.Itoa(cell.Matches)
	})
	part.Title, part.Spared = title, "the numbers of matches"
	part.Short = func(cell string) string {
		points, _, _ := strings.Cut(cell, "/")
		return points
	}
	return part
}

// matrix is a table with a row and a column for each name; title is that of the names. The title of a column is the
// number of a row. Cells are "." on the diagonal.
func matrix(title string, names []string, cell func(row, column int) string) Part {
	part := Part{Columns: []Column{right("#"), name(title)}, Tight: true, Blocks: 2}
	for i := range names {
		part.Columns = append(part.Columns, right(strconv.Itoa(i+1)))
	}
	part.Rows = func(yield func([]string, error) bool) {
		for row, name := range names {
			cells := []string{strconv.Itoa(row + 1), name}
			for column := range names {
				if column == row {
					cells = append(cells, ".")
				} else {
					cells = append(cells, cell(row, column))
				}
			}
			if !yield(cells, nil) {
				return
			}
		}
	}
	return part
}

// tieTable has the ties of a knockout. The winner is "-" while it is not known.
func tieTable(ties []results.Tie) Part {
	return Part{
		Columns: []Column{right("stage"), name("bot"), name("opponent"), right("points"), drop(1, right("pairs")), name("winner")},
		Rows: rowsOf(ties, func(t results.Tie) []string {
			stage, winner := strconv.Itoa(t.Stage), t.Winner
			switch {
			case t.Bots[1] == "":
				return []string{stage, t.Bots[0], "bye", "", "", t.Bots[0]}
			case winner == "":
				winner = "-"
			case t.BySeed:
				winner += " by seeding"
			}
			points := exact(t.Points[0]) + "-" + exact(t.Points[1])
			return []string{stage, t.Bots[0], t.Bots[1], points, strconv.Itoa(t.Pairs), winner}
		}),
	}
}
