package results

import (
	"maps"
	"slices"
)

// WorkerMatches counts the matches of a worker.
type WorkerMatches struct {
	Worker  string `json:"worker"` // with its machine, as in [Summary]; "": the machine of the run
	Matches int    `json:"matches"`
	Faults  int    `json:"faults"` // matches in which a bot was at fault; also counts Late
	Late    int    `json:"late"`   // matches that a bot lost on time
}

// countWorkers counts the matches of each worker, by their names, and those of the machine of the run first. Matches
// there that ended before the first move, because a bot did not start or was disqualified, do not count: hardly any of
// them was played. It returns nil if there was no worker.
func countWorkers(matches []Numbered) (all []WorkerMatches) {
	counts := make(map[string]*WorkerMatches)
	for _, match := range matches {
		if match.Worker == "" && match.Ending == EndStart {
			continue
		}
		w := counts[match.Worker]
		if w == nil {
			w = &WorkerMatches{Worker: match.Worker}
			counts[match.Worker] = w
		}
		w.Matches++
		if match.Fault != NoFault {
			w.Faults++
		}
		if match.Ending == EndTime {
			w.Late++
		}
	}
	if len(counts) == 0 || len(counts) == 1 && counts[""] != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, *counts[name])
	}
	return all
}
