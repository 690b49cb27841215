package report

import (
	"cmp"
	"encoding/json"
	"strconv"
	"time"
)

// Worker is one line of the list of workers.
type Worker struct {
	Name, Machine string
	Slots         int           // matches at once
	Plays         []string      // the matches in play
	Silent        time.Duration // since it was heard of
	Longest       time.Duration // what its machine adds to a move at most; 0: not measured
	Matches       int           // whose records were taken in this run
	Total         int           // of all workers
	Faults        int           // matches that a bot lost by a fault
	Late          int           // matches that a bot lost on time
	Dropped       int           // records that did not hold
	Odd           bool          // bots lose on time far more often there
	Notes         []string      // what it cannot play, or why it refuses
}

// workersRow is a worker in JSON.
type workersRow struct {
	Worker  string       `json:"worker"`
	Machine string       `json:"machine"`
	Slots   int          `json:"slots"`
	Plays   []string     `json:"plays"`
	Silent  float64      `json:"silent_s"`
	Longest *json.Number `json:"max_ms"`
	Matches int          `json:"matches"`
	Share   *float64     `json:"share"`
	Faults  int          `json:"faults"`
	Late    int          `json:"late"`
	Dropped int          `json:"dropped"`
	Odd     bool         `json:"odd"`
	Notes   []string     `json:"notes"`
}

// Workers reports who is at a server. tournament is the one in play; "": none. It has the formats Table, Markdown and
// JSON, which is an array.
func Workers(tournament string, all []Worker) Report {
	rows := make([]workersRow, len(all))
	part := Part{
		Title: []string{cmp.Or(shown(tournament), "no tournament"), counted(len(all), "worker", "workers")},
		Columns: []Column{
			name("worker"), name("machine"), right("slots"), right("plays"), right("heard of"), right("move +max"),
			right("matches"), right("share"), right("late"),
			{Title: "dropped", Rare: true},
		},
	}
	for i, w := range all {
		known := w.Longest > 0
		rows[i] = workersRow{
			Worker: w.Name, Machine: w.Machine, Slots: w.Slots, Plays: append([]string{}, w.Plays...), Silent: w.Silent.Seconds(),
			Longest: knownMillis(w.Longest, known), Matches: w.Matches, Faults: w.Faults, Late: w.Late, Dropped: w.Dropped, Odd: w.Odd,
			Notes: append([]string{}, w.Notes...),
		}
		if w.Total > 0 {
			rows[i].Share = new(float64(w.Matches) / float64(w.Total))
		}
		for _, note := range w.Notes {
			part.Notes = append(part.Notes, shown(w.Name)+": "+shown(note))
		}
		if w.Odd {
			part.Notes = append(part.Notes, shown(w.Name)+": bots lose on time far more often there than on the other machines")
		}
	}
	part.Rows = rowsOf(rows, func(r workersRow) []string {
		longest, share := "-", "-"
		if r.Longest != nil {
			longest = r.Longest.String() + " ms"
		}
		if r.Share != nil {
			share = strconv.Itoa(int(100**r.Share+0.5)) + " %"
		}
		return []string{
			shown(r.Worker), shown(r.Machine), strconv.Itoa(r.Slots), strconv.Itoa(len(r.Plays)),
			strconv.Itoa(int(r.Silent)) + " s", longest, strconv.Itoa(r.Matches), share, strconv.Itoa(r.Late), strconv.Itoa(r.Dropped),
		}
	})
	if len(all) == 0 {
		part = Part{Title: part.Title, Notes: []string{"no worker is there"}}
	}
	return Report{Parts: []Part{part}, JSON: rows}
}
