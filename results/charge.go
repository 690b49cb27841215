package results

import (
	"fmt"
	"slices"
	"time"
)

// Charges measures the time that bots which answer immediately are charged for a move. This is the part of a bot's
// time that the machine and the runner use. The zero value has no matches; records may come in any order.
type Charges struct {
	charged []time.Duration // for each move that a bot was asked for
}

// Put adds the times of some records. It leaves out passes, because no bot is asked for them.
func (c *Charges) Put(records []Record) error {
	for _, r := range records {
		if len(r.Moves) != len(r.Elapsed) {
			return fmt.Errorf("record of %v: %d moves, but %d times", r.Key, len(r.Moves), len(r.Elapsed))
		}
		for i, token := range r.Moves {
			if token != "pass" {
				c.charged = append(c.charged, r.Elapsed[i])
			}
		}
	}
	return nil
}

// PutVoid ignores a void match.
func (c *Charges) PutVoid(Key, string) error { return nil }

// ChargeResult is the result of the measurement.
type ChargeResult struct {
	Moves   int           // that a bot was asked for; without one, the times are 0
	Median  time.Duration // by the nearest rank
	Longest time.Duration
}

// Result returns the figures of the records so far.
func (c *Charges) Result() ChargeResult {
	moves := len(c.charged)
	if moves == 0 {
		return ChargeResult{}
	}
	sorted := slices.Sorted(slices.Values(c.charged))
	return ChargeResult{Moves: moves, Median: sorted[(moves+1)/2-1], Longest: sorted[moves-1]}
}
