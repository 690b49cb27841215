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

// workerCounts are the matches of each worker, by its name.
type workerCounts map[string]*WorkerMatches

// add counts a match. One on the machine of the run that ended before the first move, because a bot did not start or was
// disqualified, does not count: hardly any such match was played.
func (c workerCounts) add(match Numbered) {
	if match.Worker == "" && match.Ending == EndStart {
		return
	}
	w := c[match.Worker]
	if w == nil {
		w = &WorkerMatches{Worker: match.Worker}
		c[match.Worker] = w
	}
	w.Matches++
	if match.Fault != NoFault {
		w.Faults++
	}
	if match.Ending == EndTime {
		w.Late++
	}
}

// all returns the counts in the order of the names, those of the machine of the run first; nil if there was no worker.
func (c workerCounts) all() (all []WorkerMatches) {
	if len(c) == 1 && c[""] != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c)) {
		all = append(all, *c[name])
	}
	return all
}
