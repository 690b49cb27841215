package results

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"sembra/results/stats"
)

// Report is how a tournament stands.
type Report struct {
	Tournament Tournament
	Played     int // matches that are recorded
	Total      int // matches in the schedule
	Repeats    int // of those that are recorded, see Repeats
	Past       int // of those that are recorded and no repeats: a sequential test was decided before them
	Standings  []Standing
	Crosstable Crosstable
	Ties       []Tie             // of a knockout, by stage; the caller's to set
	Test       *SequentialReport // how the test of a tournament of the format sprt stands; else nil
	Field      stats.Field       // players by their index among the tournament's bots
	Isolation  []string          // what the machine gave for it, as Store.Isolation has it; the caller's to set. Only JSON has it
	Width      int               // columns of a chart; the caller's to set
	Wrap       int               // columns of the notes below a table or chart; 0: a line each. The caller's to set

	separated []string     // the tie-breaks that separated any
	games     []stats.Game // what the field is rated by
	mean      float64      // where the anchor or, without one, the mean of a group is, Elo
}

// NewReport makes the report of a tournament with total matches in its schedule from the summaries of
// those that are recorded, in schedule order. merits has what bots have beside their matches, and may be
// nil.
//
// Every bot is in the standings, those without a match too: who reached the higher stage of a knockout first,
// elsewhere who has most points, then by the tournament's tie-breaks; those that are still tied in configured
// order. Who is withdrawn follows from the unbroken run of slots from the first alone: a match that is still
// missing may break a row of faults.
//
// The strength of the field is rated by its decided matches but for repeats, with the two of a pair as
// one observation; the tournament's anchor or, without one, the mean of a group is at its Rating.Start.
//
// The error names a match with a bot that is not in the tournament, an anchor or a tie-break that is not
// known, or a test that is none.
func NewReport(t Tournament, total int, summaries []Slotted, merits map[string]Merit) (Report, error) {
	fold, err := newStandingsFold(t, summaries)
	if err != nil {
		return Report{}, err
	}
	anchor, err := t.anchor()
	if err != nil {
		return Report{}, err
	}
	field, err := stats.Rate(fold.games, len(t.Bots), anchor)
	if err != nil {
		return Report{}, err
	}
	for i := range fold.lines {
		fold.lines[i].Field = field.Players[i]
	}
	standings, separated, err := fold.table(merits)
	if err != nil {
		return Report{}, err
	}
	report := Report{
		Tournament: t,
		Played:     len(summaries),
		Total:      total,
		Repeats:    fold.repeated,
		Past:       fold.past,
		Standings:  standings,
		Crosstable: fold.cross,
		Field:      field,
		separated:  separated,
		games:      fold.games,
		mean:       t.Rating.Start,
	}
	if t.Format == Sequential {
		test, err := NewSequentialReport(t, summaries)
		if err != nil {
			return Report{}, err
		}
		report.Test = &test
	}
	return report, nil
}

// anchor is where the ratings of the field lie.
func (t Tournament) anchor() (stats.Anchor, error) {
	anchor := stats.Anchor{Player: -1, At: t.Rating.Start}
	if t.Anchor == "" {
		return anchor, nil
	}
	if anchor.Player = slices.Index(t.Bots, t.Anchor); anchor.Player < 0 {
		return anchor, fmt.Errorf("there is no bot %q to anchor ratings on (known: %s)", t.Anchor, strings.Join(t.Bots, ", "))
	}
	return anchor, nil
}

// SetMean moves the ratings of the field so that the anchor or, without one, the mean of a group is at the
// given Elo, and not at the start of the online rating.
func (r *Report) SetMean(elo float64) {
	by := elo - r.mean
	r.mean = elo
	r.Field.Players = slices.Clone(r.Field.Players)
	for i := range r.Field.Players {
		r.Field.Players[i] = moved(r.Field.Players[i], by)
	}
	for i := range r.Standings {
		r.Standings[i].Field = moved(r.Standings[i].Field, by)
	}
}

func moved(rating stats.Rating, by float64) stats.Rating {
	for _, number := range []**float64{&rating.Rating, &rating.Low, &rating.High} {
		if *number != nil {
			sum := **number + by
			*number = &sum
		}
	}
	return rating
}

// Write writes standings and crosstable; as CSV the standings alone, as a chart the ratings of the field.
// See StandingsFormats.
func (r Report) Write(w io.Writer, format Format) error {
	switch format {
	case FormatTable:
		return r.writeTable(w)
	case FormatMarkdown:
		return r.writeMarkdown(w)
	case FormatCSV:
		return r.writeCSV(w)
	case FormatJSON:
		return writeObject(w, r.object())
	case FormatChart:
		return r.writeChart(w)
	}
	_, err := ParseFormat(string(format), StandingsFormats())
	return err
}

// WriteCrosstable writes the crosstable alone; see CrosstableFormats.
func (r Report) WriteCrosstable(w io.Writer, format Format) error {
	switch format {
	case FormatTable:
		return r.writeTitled(w, r.crossTable().narrow)
	case FormatMarkdown:
		return r.writeTitledMarkdown(w, r.crossTable().markdown)
	case FormatCSV:
		return r.writeCrosstableCSV(w)
	case FormatJSON:
		return writeObject(w, r.crosstableObject())
	}
	_, err := ParseFormat(string(format), CrosstableFormats())
	return err
}
