package report

import (
	"slices"

	"sembra/engine/show"
)

// Check is what a check found of one bot.
type Check struct {
	Bot                                  string
	Result                               string // ok or failed
	OK, Failed, Warnings, Skipped, Notes int    // numbers of tests, and of notes
	Reason                               string // why the first test failed
	Findings                             []CheckFinding
}

// CheckFinding is a test that failed or ended with a warning, or a note.
type CheckFinding struct {
	Kind string `json:"kind"` // failed, warning or note
	Test string `json:"test"`
	What string `json:"what"`
}

// Checks reports the check of all bots of a tournament file. It has the formats Table, Markdown, CSV and JSON.
// Isolation says what the bots were isolated from; "": nothing.
func Checks(checks []Check, isolation string) Report {
	skipped := slices.ContainsFunc(checks, func(c Check) bool { return c.Skipped > 0 })
	rows := rowsOf(checks, func(c Check) Row {
		return Row{
			{Name: "bot", Title: "bot", Kind: Name, Value: c.Bot},
			{Name: "result", Title: "result", Kind: Text, Value: c.Result},
			{Name: "ok", Title: "ok", Group: "ok", Value: c.OK},
			{Name: "failed", Title: "failed", Value: c.Failed},
			{Name: "warnings", Title: "warnings", Value: c.Warnings},
			{Name: "skipped", Title: titleIf(skipped, "skipped"), Group: "skipped", Value: c.Skipped},
			{Name: "notes", Title: "notes", Group: "notes", Value: c.Notes},
			{Name: "reason", Value: c.Reason},
			{Name: "findings", Value: nested{c.Findings, nil}},
		}
	})
	part := Part{Rows: rows, Groups: []string{"ok", "notes", "skipped"}}
	for _, c := range checks {
		c.addNotes(&part.Notes)
	}
	part.Notes.when(isolation != "", "isolation: %s", isolation)
	return Report{Parts: []Part{part}, CSV: rows, JSON: rows}
}

// addNotes adds what was wrong: the first few failures and warnings.
func (c Check) addNotes(n *notes) {
	const most = 3
	wrong := slices.DeleteFunc(slices.Clone(c.Findings), func(f CheckFinding) bool { return f.Kind == "note" })
	for _, f := range wrong[:min(most, len(wrong))] {
		n.add("%s: %s: %s: %s", c.Bot, f.Kind, f.Test, f.What)
	}
	n.when(len(wrong) > most, "%s: %s failed or warned", c.Bot, show.Count(len(wrong)-most, "more test", "more tests"))
}
