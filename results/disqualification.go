package results

import (
	"slices"

	"sembra/engine"
)

// Disqualifications says which bots of a tournament forfeit a match, because they were at fault in each of their last
// matches before it, in schedule order. Tournament.DisqualifyAfter is the number of these matches. Records may come
// in any order.
type Disqualifications struct {
	after int
	bots  map[string]*faultRow
}

// faultRow is the matches of one bot, in schedule order.
type faultRow struct {
	numbers []int32
	states  []faultState
}

// faultState is the state of a bot in one match.
type faultState uint8

const (
	noRecord faultState = iota
	faultless
	atFault
)

// NewDisqualifications returns a fold without matches. A bot forfeits a match after the given number of faults in a
// row; it never does if the number is not positive.
func NewDisqualifications(after int) *Disqualifications {
	return &Disqualifications{after: after, bots: make(map[string]*faultRow)}
}

// Plan adds a match without a record, which costs least if its number is the greatest so far.
func (w *Disqualifications) Plan(number int, k Key) {
	if w.after <= 0 {
		return
	}
	for _, bot := range [2]string{k.South, k.North} {
		row := w.bots[bot]
		if row == nil {
			row = new(faultRow)
			w.bots[bot] = row
		}
		at := row.before(number)
		row.numbers, row.states = slices.Insert(row.numbers, at, int32(number)), slices.Insert(row.states, at, noRecord)
	}
}

// Add adds the record of a planned match.
func (w *Disqualifications) Add(m Numbered) {
	if w.after <= 0 {
		return
	}
	for seat, bot := range [2]string{m.South, m.North} {
		row, state := w.bots[bot], faultless
		if m.Fault.Blames(engine.Seat(seat)) {
			state = atFault
		}
		row.states[row.before(m.Number)] = state
	}
}

// before returns the number of the bot's matches before the one with a number.
func (r *faultRow) before(number int) int {
	n, _ := slices.BinarySearch(r.numbers, int32(number))
	return n
}

// Disqualified reports whether a bot forfeits a match. It is undecided while that depends on planned
// matches without a record.
func (w *Disqualifications) Disqualified(bot string, number int) (disqualified, decided bool) {
	row := w.bots[bot]
	if row == nil {
		return false, true
	}
	n := row.before(number)
	if n < w.after {
		return false, true
	}
	last := row.states[n-w.after : n]
	if slices.Contains(last, faultless) {
		return false, true
	}
	decided = !slices.Contains(last, noRecord)
	return decided, decided
}
