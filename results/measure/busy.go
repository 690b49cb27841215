package measure

import (
	"maps"
	"slices"
	"time"

	"sembra/results"
)

// Late counts the matches that bots lost on time. On a machine that is too busy, bots that keep to their clocks lose on
// time too, because they wait for a processor.
type Late struct {
	plan results.Tournament
	lost map[string]int // matches that each bot lost on time
}

// NewLate returns a fold without matches of a tournament, whose plan says which bots come with the program.
func NewLate(t results.Tournament) *Late { return &Late{plan: t, lost: make(map[string]int)} }

// Add counts a match.
func (l *Late) Add(s results.Summary) {
	if s.Ending == results.EndTime {
		l.lost[s.FaultName()]++
	}
}

// Busy returns the bots whose losses on time show that the machine was too busy, and the number of these losses. They
// are the built-in bots, which keep to their clocks, or all bots if at least half of them, and two, lost on time.
func (l *Late) Busy() (bots []string, matches int, builtin bool) {
	bots = slices.Sorted(maps.Keys(l.lost))
	foreign := func(bot string) bool { return l.plan.Programs[bot].Builtin == "" }
	if ours := slices.DeleteFunc(slices.Clone(bots), foreign); len(ours) > 0 {
		bots, builtin = ours, true
	} else if len(bots) < 2 || 2*len(bots) < len(l.plan.Bots) {
		return nil, 0, false
	}
	for _, bot := range bots {
		matches += l.lost[bot]
	}
	return bots, matches, builtin
}

// Charges measures the time that bots which answer immediately are charged for a move. This is the part of a bot's
// time that the machine and the runner use. The zero value has no matches; records may come in any order.
type Charges struct {
	charged []time.Duration // for each move that a bot was asked for
}

// Put adds the times of some records. It leaves out passes, because no bot is asked for them.
func (c *Charges) Put(records []results.Record) error {
	for _, r := range records {
		for i, token := range r.Moves {
			if token != "pass" {
				c.charged = append(c.charged, r.Elapsed[i])
			}
		}
	}
	return nil
}

// PutVoid ignores a void match.
func (c *Charges) PutVoid(results.Key, string) error { return nil }

// Result returns the median of the times so far, by the nearest rank, and the longest; both are 0 without a move.
func (c *Charges) Result() (median, longest time.Duration) {
	moves := len(c.charged)
	if moves == 0 {
		return 0, 0
	}
	sorted := slices.Sorted(slices.Values(c.charged))
	return sorted[(moves+1)/2-1], sorted[moves-1]
}
