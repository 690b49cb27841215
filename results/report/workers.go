package report

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"sembra/results"
)

// Worker is one line of the list of workers.
type Worker struct {
	Name, Machine string
	Slots         int           // matches at once
	Plays         []string      // the matches in play
	Silent        time.Duration // since it was heard of
	Longest       time.Duration // what its machine adds to a move at most; 0: not measured
	Total         int           // matches of all workers in this run
	Dropped       int           // records that did not hold
	Odd           []string      // in what its matches differ from those of the others
	Notes         []string      // what it cannot play, or why it refuses

	results.WorkerCounts // of the records that were taken in this run
}

// workersRow is a worker in JSON.
type workersRow struct {
	Worker  string       `json:"worker"`
	Machine string       `json:"machine"`
	Slots   int          `json:"slots"`
	Plays   []string     `json:"plays"`
	Silent  float64      `json:"silent_s"`
	Longest *json.Number `json:"max_ms"`
	results.WorkerCounts
	Share   *float64 `json:"share"`
	Dropped int      `json:"dropped"`
	Odd     []string `json:"odd"`
	Notes   []string `json:"notes"`
}

// Workers reports who is at a server. tournament is the one in play; "": none. It has the formats Table, Markdown and
// JSON, which is an array.
func Workers(tournament string, all []Worker) Report {
	rows := make([]workersRow, len(all))
	part := Part{
		Title: []string{cmp.Or(shown(tournament), "no tournament"), counted(len(all), "worker", "workers")},
		Columns: []Column{
			name("worker"), name("machine"), right("plays"), right("of"), right("heard of"), drop(2, right("move +max")),
			right("matches"), right("share"), drop(1, right("faults")), drop(1, right("late")), rare(right("dropped")),
		},
	}
	var plays [][]string // worker and match
	for i, w := range all {
		rows[i] = workersRow{
			Worker: w.Name, Machine: w.Machine, Slots: w.Slots, Plays: append([]string{}, w.Plays...), Silent: w.Silent.Seconds(),
			Longest: knownMillis(w.Longest, w.Longest > 0), WorkerCounts: w.WorkerCounts, Dropped: w.Dropped,
			Odd: append([]string{}, w.Odd...), Notes: append([]string{}, w.Notes...),
		}
		if w.Total > 0 {
			rows[i].Share = new(float64(w.Matches) / float64(w.Total))
		}
		for _, note := range slices.Concat(w.Notes, w.Odd) {
			part.Notes = append(part.Notes, shown(w.Name)+": "+shown(note))
		}
		for _, match := range w.Plays {
			plays = append(plays, []string{shown(w.Name), shown(match)})
		}
	}
	part.Rows = rowsOf(rows, func(r workersRow) []string {
		longest := "-"
		if r.Longest != nil {
			longest = r.Longest.String() + " ms"
		}
		return []string{
			shown(r.Worker), shown(r.Machine), strconv.Itoa(len(r.Plays)), strconv.Itoa(r.Slots), strconv.Itoa(int(r.Silent)) + " s",
			longest, strconv.Itoa(r.Matches), shareCell(r.Share), strconv.Itoa(r.Faults), strconv.Itoa(r.Late), strconv.Itoa(r.Dropped),
		}
	})
	parts := []Part{part}
	switch {
	case len(all) == 0:
		parts = []Part{{Title: part.Title, Notes: []string{"no worker is there"}}}
	case len(plays) > 0:
		parts = append(parts, Part{
			Columns: []Column{name("worker"), name("plays")},
			Rows:    rowsOf(plays, func(row []string) []string { return row }),
		})
	}
	return Report{Parts: parts, JSON: rows}
}

// workersPlayed is the table of the workers that played a tournament. The notes of the standings say what is odd.
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
			workerName(w.Worker), strconv.Itoa(w.Matches), shareCell(new(float64(w.Matches) / float64(total))),
			strconv.Itoa(w.Faults), strconv.Itoa(w.Late),
		}
	})
	return part
}

// workerName names a worker of the standings.
func workerName(worker string) string { return cmp.Or(shown(worker), "the machine of the run") }

// shareCell writes a share in percent; nil: not known.
func shareCell(share *float64) string {
	if share == nil {
		return "-"
	}
	return strconv.Itoa(int(100**share+0.5)) + " %"
}
