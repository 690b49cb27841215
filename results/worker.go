package results

import "strings"

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
