package report

import (
	"testing"

	"sembra/results"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	goldens(t, "faults", Faults(spring(1, "a", "b"), "--db spring.db ", []results.BotFaults{
		{
			Bot: "a", Matches: 22, Faults: 12, Forfeits: 8,
			Endings: map[results.Ending]int{results.EndCrash: 2, results.EndHang: 1, results.EndStart: 9},
			Last:    "the bot exited: exit status 1; it wrote: \x1b[31mno | seeds", Number: 14,
		},
		{
			Bot: "b", Matches: 22, Faults: 2, Endings: map[results.Ending]int{results.EndTime: 1, results.EndIllegal: 1},
		},
		{Bot: "c", Matches: 9, Faults: 1, Forfeits: 1, Endings: map[results.Ending]int{results.EndStart: 1}},
	}), Table, Markdown, CSV, JSON)
	withdrawn := spring(1, "a", "b", "c")
	withdrawn.Withdrawn = []string{"c"}
	goldens(t, "faults-none", Faults(withdrawn, "", nil), Table, JSON)
}
