package results

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/olekukonko/tablewriter/tw"

	"sembra/results/stats"
)

func (r Report) writeTable(w io.Writer) error {
	if err := r.writeTitled(w, r.standingsTable().fitting); err != nil {
		return err
	}
	if err := writeLines(w, wrapped(r.notes(), r.Wrap), ""); err != nil {
		return err
	}
	if r.Test != nil {
		if err := writeBelow(w, func(w io.Writer) error { return r.Test.writeUntitled(w, r.Wrap) }); err != nil {
			return err
		}
	}
	if len(r.Ties) > 0 {
		if err := writeBelow(w, tieTable(r.Ties).text); err != nil {
			return err
		}
	}
	return writeBelow(w, r.crossTable().narrow)
}

// writeBelow writes a table below an empty line.
func writeBelow(w io.Writer, table func(io.Writer) error) error {
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return table(w)
}

// writeTitled writes a table below a line that says what it is of.
func (r Report) writeTitled(w io.Writer, table func(io.Writer) error) error {
	t := r.Tournament
	if _, err := fmt.Fprintf(w, "%s  %s  %s\n\n", t.Name, t.Ruleset, r.progress()); err != nil {
		return err
	}
	return table(w)
}

func (r Report) writeMarkdown(w io.Writer) error {
	if err := r.writeTitledMarkdown(w, r.standingsTable().markdown); err != nil {
		return err
	}
	notes := r.notes()
	for i := range notes { // else a sign or a name is taken for emphasis
		notes[i] = strings.NewReplacer(`*`, `\*`, `_`, `\_`).Replace(strings.TrimSpace(notes[i]))
	}
	if err := writeLines(w, notes, "- "); err != nil {
		return err
	}
	if r.Test != nil {
		if err := writeBelow(w, r.Test.writeUntitledMarkdown); err != nil {
			return err
		}
	}
	if len(r.Ties) > 0 {
		if err := writeBelow(w, tieTable(r.Ties).markdown); err != nil {
			return err
		}
	}
	return writeBelow(w, r.crossTable().markdown)
}

// progress says how many matches are played; a test may end before all are.
func (r Report) progress() string {
	if r.Test != nil && !r.Test.test.Over() {
		return fmt.Sprintf("%d of at most %d matches", r.Played, r.Total)
	}
	return fmt.Sprintf("%d of %d matches", r.Played, r.Total)
}

func (r Report) writeTitledMarkdown(w io.Writer, table func(io.Writer) error) error {
	t := r.Tournament
	title := strings.NewReplacer("|", `\|`).Replace(t.Name)
	if _, err := fmt.Fprintf(w, "**%s** · %s · %s\n\n", title, t.Ruleset, r.progress()); err != nil {
		return err
	}
	return table(w)
}

// standingsColumn is a column of the standings.
type standingsColumn struct {
	title string
	cell  func(Standing) string
}

// standingsTable has the rarer columns only where they say something. The last column is the one that may
// differ from run to run.
func (r Report) standingsTable() *table {
	columns := []standingsColumn{
		{"points", func(s Standing) string { return points(s.Points) }},
		{"matches", func(s Standing) string { return strconv.Itoa(s.Matches) }},
		{"won", func(s Standing) string { return strconv.Itoa(s.Wins) }},
		{"drawn", func(s Standing) string { return strconv.Itoa(s.Draws) }},
		{"lost", func(s Standing) string { return strconv.Itoa(s.Losses) }},
		{"score", percent},
		{"rating", func(s Standing) string { return ratingCell(s.Field) }},
		{"±", func(s Standing) string { return marginCell(s.Field.Error) }},
	}
	if r.Field.Groups > 1 {
		columns = append(columns, standingsColumn{"group", func(s Standing) string { return groupCell(s.Field) }})
	}
	columns = append(columns, standingsColumn{"Elo", func(s Standing) string { return whole(s.Elo) }})
	rarely := func(title string, has func(Standing) bool, cell func(Standing) string) {
		if slices.ContainsFunc(r.Standings, has) {
			columns = append(columns, standingsColumn{title, cell})
		}
	}
	rarely("byes", func(s Standing) bool { return s.Byes > 0 }, func(s Standing) string { return strconv.Itoa(s.Byes) })
	rarely("reached", func(s Standing) bool { return s.Reached > 0 }, func(s Standing) string { return strconv.Itoa(s.Reached) })
	for _, tieBreak := range r.separating() {
		if tieBreak.cell != nil {
			columns = append(columns, standingsColumn{tieBreak.title, tieBreak.cell})
		}
	}
	rarely("faults", func(s Standing) bool { return s.Faults > 0 }, faultsCell)
	columns = append(columns, standingsColumn{"CPU", cpuCell})

	t := new(table)
	t.column("#", tw.AlignRight)
	t.column("bot", tw.AlignLeft)
	for _, column := range columns {
		t.column(column.title, tw.AlignRight)
	}
	for _, line := range r.Standings {
		cells := []string{strconv.Itoa(line.Rank), line.Bot}
		for _, column := range columns {
			cells = append(cells, column.cell(line))
		}
		t.row(cells...)
	}
	return t
}

// tieBreakColumn is how people are shown a tie-break.
type tieBreakColumn struct {
	name, what string
	title      string
	cell       func(Standing) string // nil: the column is there in any case
}

// separating has the tie-breaks that separated any bots, in the order in which they are applied.
func (r Report) separating() []tieBreakColumn {
	known := []tieBreakColumn{
		{DirectEncounter, "points against those who are tied", "DE", func(s Standing) string { return points(s.DirectEncounter) }},
		{MostWins, "matches won", "won", nil},
		{SonnebornBerger, "Sonneborn-Berger", "SB", func(s Standing) string { return points(s.SonnebornBerger) }},
		{Koya, "points against bots with half of theirs or more", "Koya", func(s Standing) string { return points(s.Koya) }},
	}
	var columns []tieBreakColumn
	for _, name := range r.Tournament.tieBreaks() {
		if slices.Contains(r.separated, name) {
			columns = append(columns, known[slices.IndexFunc(known, func(c tieBreakColumn) bool { return c.name == name })])
		}
	}
	return columns
}

// notes says what the table cannot.
func (r Report) notes() []string {
	var notes []string
	if slices.ContainsFunc(r.Standings, func(s Standing) bool { return s.Withdrawn }) {
		notes = append(notes, r.withdrawnNote())
	}
	if i := slices.IndexFunc(r.Standings, func(s Standing) bool { return s.Byes > 0 }); i >= 0 {
		worth := r.Standings[i].ByePoints / float64(r.Standings[i].Byes)
		notes = append(notes, fmt.Sprintf("a bye counts %s points, as many as the matches of a stage", points(worth)))
	}
	if slices.ContainsFunc(r.Standings, func(s Standing) bool { return s.Reached > 0 }) {
		notes = append(notes, "ranks go by the stage that was reached alone: bots that went out in one stage share theirs")
	}
	if r.Tournament.Format == Gauntlet && slices.ContainsFunc(r.Standings, func(s Standing) bool { return s.Matches != r.Standings[0].Matches }) {
		notes = append(notes, "challengers play other numbers of matches than the others: compare scores and ratings, not points")
	}
	if columns := r.separating(); len(columns) > 0 {
		texts := make([]string, len(columns))
		for i, column := range columns {
			texts[i] = fmt.Sprintf("%s (%s)", column.title, column.what)
		}
		notes = append(notes, "equal points are put in order by "+strings.Join(texts, ", then "))
	}
	if r.Repeats > 0 {
		which := "1 match equals"
		if r.Repeats > 1 {
			which = fmt.Sprintf("%d matches equal", r.Repeats)
		}
		notes = append(notes, which+" an earlier one: points count all, ratings the first (bots without chance repeat themselves; [openings] plies helps)")
	}
	if r.Past > 0 {
		notes = append(notes, fmt.Sprintf("%s under way when the test was decided: points count all, ratings none of these",
			counted(r.Past, "match was", "matches were")))
	}
	return append(notes, r.fieldNotes()...)
}

// fieldNotes says what the ratings of the field are and could not be.
func (r Report) fieldNotes() []string {
	anchor := r.anchor()
	notes := ratedField{r.Field, r.Tournament.Bots, r.games, anchor}.words()
	if anchor >= 0 && r.Field.Players[anchor].Rating == nil && r.Field.Groups > 0 {
		notes = append(notes, fmt.Sprintf("%s cannot be rated, so the mean of the rated is at %s", r.Tournament.Anchor, exact(r.mean)))
	}
	if slices.ContainsFunc(r.Standings, func(s Standing) bool { return s.Field.Error != nil }) {
		notes = append(notes, "± is half of the 95 % interval")
	}
	return notes
}

// anchor is the index of the bot that ratings are anchored on; -1: none.
func (r Report) anchor() int { return slices.Index(r.Tournament.Bots, r.Tournament.Anchor) }

// withdrawnSign is behind the faults of a bot that is withdrawn.
const withdrawnSign = "*"

// withdrawnNote says what withdrawnSign means.
func (r Report) withdrawnNote() string {
	if r.Tournament.WithdrawAfter == 1 {
		return withdrawnSign + " withdrawn after 1 fault"
	}
	return fmt.Sprintf("%s withdrawn after %d faults in a row", withdrawnSign, r.Tournament.WithdrawAfter)
}

func faultsCell(line Standing) string {
	cell := strconv.Itoa(line.Faults)
	if line.Withdrawn {
		cell += withdrawnSign
	}
	return cell
}

// cpuCell is a bot's processor time, "-" where it is not known of any match.
func cpuCell(line Standing) string {
	if line.CPUMatches == 0 {
		return "-"
	}
	milli, tenth := line.CPU.Round(time.Millisecond), line.CPU.Round(time.Second/10)
	switch {
	case milli < time.Second:
		return strconv.FormatInt(milli.Milliseconds(), 10) + "ms"
	case tenth < 100*time.Second:
		return strconv.FormatFloat(tenth.Seconds(), 'f', 1, 64) + "s"
	}
	return strconv.FormatFloat(line.CPU.Round(time.Second).Seconds(), 'f', 0, 64) + "s"
}

func percent(line Standing) string {
	score, ok := line.Score()
	if !ok {
		return "-"
	}
	return strconv.FormatFloat(100*score, 'f', 1, 64) + "%"
}

// crossTable has the bots of the standings as rows and, by their line there, as columns.
func (r Report) crossTable() *table {
	t := new(table)
	t.column("#", tw.AlignRight)
	t.column("bot", tw.AlignLeft)
	for i := range r.Standings {
		t.column(strconv.Itoa(i+1), tw.AlignRight)
	}
	for i, line := range r.Standings {
		cells := []string{strconv.Itoa(i + 1), line.Bot}
		for _, other := range r.Standings {
			cells = append(cells, crossCell(r.Crosstable.Cell(line.Bot, other.Bot), line.Bot == other.Bot))
		}
		t.row(cells...)
	}
	return t
}

// crossCell is points/matches; "." on the diagonal, "-" where nothing has been played.
func crossCell(cell Cell, diagonal bool) string {
	switch {
	case diagonal:
		return "."
	case cell.Matches == 0:
		return "-"
	}
	return points(cell.Points) + "/" + strconv.Itoa(cell.Matches)
}

// compareRatings puts the better first, group after group: who won everything against a group before all
// of it, who lost everything behind it, and last those of whom nothing can be said.
func compareRatings(a, b stats.Rating) int {
	likeliest := func(r stats.Rating) (rating float64, known bool) {
		switch {
		case r.Rating != nil:
			return *r.Rating, true
		case r.Low != nil:
			return math.Inf(1), true
		}
		return math.Inf(-1), r.High != nil
	}
	ratingA, knownA := likeliest(a)
	ratingB, knownB := likeliest(b)
	switch {
	case knownA && knownB:
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(ratingB, ratingA))
	case knownA:
		return -1
	case knownB:
		return 1
	}
	return 0
}

// writeChart draws the ratings of the field, best first, below the title and above the notes on them.
func (r Report) writeChart(w io.Writer) error {
	lines := slices.Clone(r.Standings)
	slices.SortStableFunc(lines, func(a, b Standing) int { return compareRatings(a.Field, b.Field) })
	chart := Chart{Width: r.Width}
	for i, line := range lines {
		chart.Rows = append(chart.Rows, ChartRow{
			Name: printable(line.Bot), Value: line.Field.Rating, Low: line.Field.Low, High: line.Field.High,
			Given: line.Bot == r.Tournament.Anchor, Apart: i > 0 && line.Field.Group != lines[i-1].Field.Group,
		})
	}
	if err := r.writeTitled(w, chart.Write); err != nil {
		return err
	}
	return writeLines(w, wrapped(r.fieldNotes(), r.Wrap), "")
}
