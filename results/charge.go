package results

import (
	"fmt"
	"slices"
	"time"
)

// Charges measures the time that bots which answer immediately are charged for a move. This is the part of a bot's
// time that the machine and the runner use. Records may come in any order.
type Charges struct {
	setup   ChargeSetup
	matches int
	charged []time.Duration // for each move that a bot was asked for
}

// ChargeSetup says what was played, and on which machine.
type ChargeSetup struct {
	Ruleset     string
	Bot         string // that played against itself
	Concurrency int    // matches at the same time
	Processors  int    // of the machine
	Isolation   string // mode of isolation
	Total       int    // number of matches that were planned
}

// NewCharges returns a measurement without matches.
func NewCharges(setup ChargeSetup) *Charges { return &Charges{setup: setup} }

// Put adds the times of some records. It leaves out passes, because no bot is asked for them.
func (c *Charges) Put(records []Record) error {
	for _, r := range records {
		if len(r.Moves) != len(r.Elapsed) {
			return fmt.Errorf("record of %v: %d moves, but %d times", r.Key, len(r.Moves), len(r.Elapsed))
		}
		c.matches++
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
	ChargeSetup
	Matches int // number of measured matches
	Moves   int // that a bot was asked for; without one, the figures below are 0

	Median  time.Duration // by the nearest rank, like High
	High    time.Duration // 99.9 % of the moves were charged at most this
	Longest time.Duration
	Slow    int           // moves that were charged SlowCharge or more
	Margin  time.Duration // the suggested margin of the clock
}

// SlowCharge is the least charge that counts as slow. Bots are told their time in milliseconds, so they notice it.
const SlowCharge = time.Millisecond

// Result returns the figures of the records so far.
func (c *Charges) Result() ChargeResult {
	r := ChargeResult{ChargeSetup: c.setup, Matches: c.matches, Moves: len(c.charged)}
	if r.Moves == 0 {
		return r
	}
	sorted := slices.Sorted(slices.Values(c.charged))
	fast, _ := slices.BinarySearch(sorted, SlowCharge)
	r.Median, r.High, r.Longest = quantile(sorted, 500), quantile(sorted, 999), sorted[len(sorted)-1]
	r.Slow, r.Margin = len(sorted)-fast, suggestedMargin(r.Longest)
	return r
}

// quantile returns the smallest time that is not exceeded by the given number of each 1000 times (the nearest rank).
func quantile(sorted []time.Duration, of1000 int) time.Duration {
	return sorted[(len(sorted)*of1000+999)/1000-1]
}

// suggestedMargin returns twice the longest charge, because later ones may be longer. It is rounded up to 1, 2 or 5
// times a power of ten, and is at least leastMargin.
func suggestedMargin(longest time.Duration) time.Duration {
	for margin := leastMargin; ; margin *= 10 {
		for _, times := range []time.Duration{1, 2, 5} {
			if times*margin >= 2*longest {
				return times * margin
			}
		}
	}
}

// leastMargin is the smallest suggested margin. Bots that think make a machine busier than bots that do not.
const leastMargin = 10 * time.Millisecond
