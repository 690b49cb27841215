package workers

import (
	"maps"
	"slices"
	"strings"

	"sembra/results"
)

// Tally is what a runner has counted for one worker in this run.
type Tally struct {
	Worker  string `json:"worker"`
	Machine string `json:"machine"`
	Dropped int    `json:"dropped"` // records that did not hold

	results.WorkerCounts // of the records that were taken
}

// Label names the worker and its machine.
func (t Tally) Label() string { return label(t.Worker, t.Machine) }

// Tallies returns what was counted for each worker, by their names.
func (r *Runner) Tallies() (all []Tally) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range slices.SortedFunc(maps.Keys(r.tallies), func(a, b [2]string) int {
		return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1])
	}) {
		all = append(all, *r.tallies[key])
	}
	return all
}

// mostTallies is how many workers are counted by name.
const mostTallies = 2000

// tallyOf returns the tally of the worker that answers.
func (r *Runner) tallyOf(a Answer) *Tally {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := [2]string{a.Worker, a.Machine}
	if r.tallies[key] == nil && len(r.tallies) >= mostTallies {
		key = [2]string{"others", "other machines"}
	}
	if r.tallies[key] == nil {
		r.tallies[key] = &Tally{Worker: key[0], Machine: key[1]}
	}
	return r.tallies[key]
}

// count counts a record; err is why it was dropped.
func (t *Tally) count(s results.Summary, err error) {
	if err != nil {
		t.Dropped++
		return
	}
	t.Add(s)
}
