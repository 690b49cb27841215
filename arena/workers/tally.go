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
	Matches int    `json:"matches"` // whose records were taken
	Faults  int    `json:"faults"`  // matches that a bot lost by a fault
	Late    int    `json:"late"`    // matches that a bot lost on time
	Dropped int    `json:"dropped"` // records that did not hold
}

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
	t.Matches++
	if s.Fault != results.NoFault {
		t.Faults++
	}
	if s.Ending == results.EndTime {
		t.Late++
	}
}

// Odd reports whether bots lose on time far more with one worker than with the others: at least three times as often,
// and at least five times in all.
func Odd(one Tally, all []Tally) bool {
	const (
		least = 5
		ratio = 3
	)
	late, matches := 0, 0
	for _, t := range all {
		if t.Worker != one.Worker || t.Machine != one.Machine {
			late, matches = late+t.Late, matches+t.Matches
		}
	}
	if one.Late < least || matches == 0 || one.Matches == 0 {
		return false
	}
	return float64(one.Late)/float64(one.Matches) >= ratio*float64(max(1, late))/float64(matches)
}
