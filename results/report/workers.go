package report

import (
	"cmp"
	"strconv"

	"sembra/results"
)

// workersPlayed is the table of the workers that played a tournament.
func workersPlayed(all []results.WorkerMatches) Part {
	total := 0
	part := Part{
		Columns: []Column{
			name("worker"), right("matches"), right("share"), rare(right("faults")), rare(right("late")),
		},
	}
	for _, w := range all {
		total += w.Matches
	}
	part.Rows = rowsOf(all, func(w results.WorkerMatches) []string {
		return []string{
			cmp.Or(shown(w.Worker), "the machine of the run"), strconv.Itoa(w.Matches), strconv.Itoa((200*w.Matches+total)/(2*total)) + " %",
			strconv.Itoa(w.Faults), strconv.Itoa(w.Late),
		}
	})
	return part
}
