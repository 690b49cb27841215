package results

import (
	"fmt"
	"slices"
	"time"
)

// Charges measures what bots that answer at once are charged for a move: what the machine and the
// runner take of a bot's time. It is handed the records as they come, in any order, and keeps the
// times alone.
type Charges struct {
	setup   ChargeSetup
	matches int
	charged []time.Duration // of every move that a bot was asked for
}

// ChargeSetup is what was played, and where.
type ChargeSetup struct {
	Ruleset     string
	Bot         string // that played against itself
	Concurrency int    // matches at once
	Processors  int    // of the machine
	Isolation   string // its mode
	Total       int    // matches that were asked for
}

// NewCharges returns the charges of matches of which none has been played.
func NewCharges(setup ChargeSetup) *Charges { return &Charges{setup: setup} }

// Put takes the times out of records. A pass is no move that a bot was asked for.
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

// PutVoid takes a match that came to nothing by the runner's own fault: there is nothing to measure.
func (c *Charges) PutVoid(Key, string) error { return nil }

// ChargeResult is what is known of the charges of some matches.
type ChargeResult struct {
	ChargeSetup
	Matches int // that are measured
	Moves   int // that a bot was asked for; the figures that follow are 0 without one

	Median  time.Duration // the nearest rank, as is the next
	High    time.Duration // 99.9 % of the moves were charged no more
	Longest time.Duration
	Slow    int           // moves that were charged SlowCharge or more
	Margin  time.Duration // the suggestion for the clock's margin
}

// SlowCharge is from where on a charge is counted: a bot that is told its time in milliseconds notices it.
const SlowCharge = time.Millisecond

// Result computes the figures of the records that have been put in so far.
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

// quantile returns the smallest time that at least so many of 1000 do not exceed (the nearest rank).
func quantile(sorted []time.Duration, of1000 int) time.Duration {
	return sorted[(len(sorted)*of1000+999)/1000-1]
}

// suggestedMargin is twice the longest charge, as what comes later may be longer still, rounded up to
// 1, 2 or 5 times a power of ten, and at least leastMargin.
func suggestedMargin(longest time.Duration) time.Duration {
	for margin := leastMargin; ; margin *= 10 {
		for _, times := range []time.Duration{1, 2, 5} {
			if times*margin >= 2*longest {
				return times * margin
			}
		}
	}
}

// leastMargin is the smallest margin that is suggested: bots that think make a machine busier than
// those that do not.
const leastMargin = 10 * time.Millisecond
