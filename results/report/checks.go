package report

import (
	"fmt"

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
	columns := []Column[Check]{
		{Name: "bot", Title: "bot", Kind: Name, Value: func(c Check) any { return c.Bot }},
		{Name: "result", Title: "result", Kind: Text, Value: func(c Check) any { return c.Result }},
		{Name: "ok", Title: "ok", Drop: 3, Value: func(c Check) any { return c.OK }},
		{Name: "failed", Title: "failed", Value: func(c Check) any { return c.Failed }},
		{Name: "warnings", Title: "warnings", Value: func(c Check) any { return c.Warnings }},
		{Name: "skipped", Title: "skipped", Rare: true, Drop: 1, Value: func(c Check) any { return c.Skipped }},
		{Name: "notes", Title: "notes", Drop: 2, Value: func(c Check) any { return c.Notes }},
		{Name: "reason", Value: func(c Check) any { return c.Reason }},
		{Name: "findings:", Value: func(c Check) any { return c.Findings }},
	}
	part := tableOf(each(checks), columns)
	for _, c := range checks {
		part.Notes = append(part.Notes, c.reasons()...)
	}
	if isolation != "" {
		part.Notes = append(part.Notes, "isolation: "+isolation)
	}
	return Report{Parts: []Part{part}, JSON: objectsOf(checks, columns), CSV: csvOf(each(checks), columns)}
}

// reasons returns sentences that say what was wrong: the first few failures and warnings.
func (c Check) reasons() []string {
	const most = 3
	var lines []string
	more := 0
	for _, f := range c.Findings {
		switch {
		case f.Kind == "note":
		case len(lines) == most:
			more++
		default:
			lines = append(lines, fmt.Sprintf("%s: %s: %s: %s", c.Bot, f.Kind, f.Test, f.What))
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("%s: %s failed or warned", c.Bot, show.Count(more, "more test", "more tests")))
	}
	return lines
}
