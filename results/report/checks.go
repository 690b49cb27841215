package report

import (
	"fmt"
	"strconv"

	"sembra/engine/show"
)

// Check is what a check found of one bot.
type Check struct {
	Bot      string         `json:"bot"`
	Result   string         `json:"result"` // ok or failed
	OK       int            `json:"ok"`     // number of tests
	Failed   int            `json:"failed"`
	Warnings int            `json:"warnings"`
	Skipped  int            `json:"skipped"`
	Notes    int            `json:"notes"`
	Reason   string         `json:"reason"` // why the first test failed
	Findings []CheckFinding `json:"findings" csv:"-"`
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
	part := Part{
		Columns: []Column{
			name("bot"), left("result"), drop(3, right("ok")), right("failed"), right("warnings"),
			drop(1, rare(right("skipped"))), drop(2, right("notes")),
		},
		Rows: rowsOf(checks, func(c Check) []string {
			return []string{
				c.Bot, c.Result, strconv.Itoa(c.OK), strconv.Itoa(c.Failed), strconv.Itoa(c.Warnings),
				strconv.Itoa(c.Skipped), strconv.Itoa(c.Notes),
			}
		}),
	}
	for _, c := range checks {
		part.Notes = append(part.Notes, c.reasons()...)
	}
	if isolation != "" {
		part.Notes = append(part.Notes, "isolation: "+isolation)
	}
	if checks == nil {
		checks = []Check{}
	}
	return Report{Parts: []Part{part}, JSON: checks, CSV: linesOf(each(checks))}
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
