package results

import (
	"fmt"
	"strings"
)

// Worker is who played a match on another machine. The zero value stands for the machine of the run.
type Worker struct {
	Name    string
	Machine string

	// South and North name the files of each bot that the worker got, by the hash of their content: SHA-256, in
	// hexadecimal digits. They are "" for a bot without files, such as a built-in one.
	South, North string
}

// String names the worker and its machine, as in "alpha on host"; "" for the machine of the run.
func (w Worker) String() string {
	if w == (Worker{}) {
		return ""
	}
	if w.Machine == "" {
		return w.Name
	}
	return w.Name + " on " + w.Machine
}

// ParseWorker reads what [Worker.String] wrote. The name of a machine has no " on " in it.
func ParseWorker(text string) Worker {
	at := strings.LastIndex(text, " on ")
	if at < 0 {
		return Worker{Name: text}
	}
	return Worker{Name: text[:at], Machine: text[at+len(" on "):]}
}

// WorkerMatches counts the matches of a worker.
type WorkerMatches struct {
	Worker string `json:"worker"` // with its machine, as [Worker.String] writes it
	WorkerCounts
	Odd []string `json:"odd"` // see [WorkerCounts.Odd]; never nil
}

// WorkerCounts is what is counted for a worker.
type WorkerCounts struct {
	Matches int `json:"matches"`
	Faults  int `json:"faults"` // matches in which a bot was at fault; also counts Late
	Late    int `json:"late"`   // matches that a bot lost on time
}

// Add counts a match.
func (c *WorkerCounts) Add(s Summary) {
	c.Matches++
	if s.Fault != NoFault {
		c.Faults++
	}
	if s.Ending == EndTime {
		c.Late++
	}
}

// Odd returns sentences that say how the matches of a worker differ from those of all others; nil: they do not differ. all counts
// the matches of all workers, this one too. A worker stands out if bots lose on time there at least three times as
// often as elsewhere, and at least five times in all. The same holds for all other faults together.
func (c WorkerCounts) Odd(all WorkerCounts) (odd []string) {
	for _, kind := range []struct {
		what      string
		here, all int
	}{
		{"bots lose on time", c.Late, all.Late},
		{"bots crash or break the rules", c.Faults - c.Late, all.Faults - all.Late},
	} {
		const (
			least = 5
			ratio = 3
		)
		elsewhere, matches := kind.all-kind.here, all.Matches-c.Matches
		if kind.here < least || matches <= 0 || kind.here*matches < ratio*max(1, elsewhere)*c.Matches {
			continue
		}
		odd = append(odd, fmt.Sprintf("%s far more often there (%d of %d matches) than on the other machines (%d of %d)",
			kind.what, kind.here, c.Matches, elsewhere, matches))
	}
	return odd
}

// CompareWorkers fills in what is odd, by comparing each worker with all others. The machine of the run also records the
// matches that absent bots forfeit, so of its faults only those on time are compared.
func CompareWorkers(workers []WorkerMatches) {
	compared := func(w WorkerMatches) WorkerCounts {
		if w.Worker == "" {
			w.Faults = w.Late
		}
		return w.WorkerCounts
	}
	var all WorkerCounts
	for _, w := range workers {
		c := compared(w)
		all.Matches, all.Faults, all.Late = all.Matches+c.Matches, all.Faults+c.Faults, all.Late+c.Late
	}
	for i, w := range workers {
		workers[i].Odd = append([]string{}, compared(w).Odd(all)...)
	}
}
