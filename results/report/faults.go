package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sembra/results"
)

// faultsRow is the faults of a bot in CSV and JSON.
type faultsRow struct {
	Bot        string         `json:"bot"`
	Faults     int            `json:"faults"`
	Endings    map[string]int `json:"endings" csv:"-"` // by the name of the ending
	CSVEndings string         `json:"-" csv:"endings"` // "crash 2, hang 1"
	Last       string         `json:"last"`            // "" if it was not kept
	Slot       *int           `json:"slot"`            // nil if no conversation was kept
	Matches    int            `json:"matches"`
	Forfeits   int            `json:"forfeits"`
}

// Faults reports the faults of the bots of a tournament: a line for each bot that was at fault. It has the formats
// Table, Markdown, CSV and JSON, which is an array. source are the words of a command line that name the database and
// the tournament, with a space after them; "" for the default ones.
func Faults(tournament, source string, all []results.FaultReport) Report {
	rows := make([]faultsRow, len(all))
	for i, f := range all {
		rows[i] = newFaultsRow(f)
	}
	part := FaultsTable(tournament, all)
	if slices.ContainsFunc(rows, func(r faultsRow) bool { return r.Slot != nil }) {
		part.Notes = append(part.Notes, "sembra replay "+source+"MATCH --log shows the conversation of a match; the column "+
			"match has the last one of each bot that was kept")
	}
	return Report{Parts: []Part{part}, CSV: linesOf(each(rows)), JSON: rows}
}

// FaultsTable returns the table of [Faults], with a note for each bot that says what it did last.
func FaultsTable(tournament string, all []results.FaultReport) Part {
	title := []string{tournament, "matches lost by a fault"}
	if len(all) == 0 {
		return Part{Title: title, Notes: []string{"no bot was at fault"}}
	}
	part := Part{
		Title: title,
		Columns: []Column{
			name("bot"), right("matches"), right("faults"), name("how"), right("match"),
		},
		Rows: rowsOf(all, func(f results.FaultReport) []string {
			r, match := newFaultsRow(f), "-"
			if r.Slot != nil {
				match = strconv.Itoa(*r.Slot)
			}
			return []string{r.Bot, strconv.Itoa(r.Matches), strconv.Itoa(r.Faults), r.how(), match}
		}),
	}
	for _, f := range all {
		if f.Last != "" {
			part.Notes = append(part.Notes, f.Bot+": "+strings.TrimPrefix(shown(f.Last), "bot "+f.Bot+" "))
		}
	}
	return part
}

func newFaultsRow(f results.FaultReport) faultsRow {
	r := faultsRow{
		Bot: f.Bot, Faults: f.Faults, Endings: make(map[string]int, len(f.Endings)), Last: shown(f.Last),
		Matches: f.Matches, Forfeits: f.Forfeits,
	}
	for ending, n := range f.Endings {
		r.Endings[ending.String()] = n
	}
	r.CSVEndings = counts(r.Endings)
	if f.Slot > 0 {
		r.Slot = &f.Slot
	}
	return r
}

// how says how often the bot was at fault in which way: "crash 2, hang 1, disqualified 9".
func (r faultsRow) how() string {
	own := maps.Clone(r.Endings)
	start := results.EndStart.String()
	if own[start] -= r.Forfeits; own[start] <= 0 {
		delete(own, start)
	}
	if r.Forfeits == 0 {
		return counts(own)
	}
	parts := []string{counts(own), fmt.Sprintf("disqualified %d", r.Forfeits)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// counts lists numbers by name. The largest comes first; equal ones are in alphabetical order.
func counts(of map[string]int) string {
	var texts []string
	for name, n := range of {
		texts = append(texts, fmt.Sprintf("%s %d", name, n))
	}
	slices.SortFunc(texts, func(a, b string) int {
		nameA, _, _ := strings.Cut(a, " ")
		nameB, _, _ := strings.Cut(b, " ")
		if of[nameA] != of[nameB] {
			return of[nameB] - of[nameA]
		}
		return strings.Compare(nameA, nameB)
	})
	return strings.Join(texts, ", ")
}
