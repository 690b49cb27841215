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
	slots  []int32
	states []faultState
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

// Plan adds a match without a record. Slots must ascend.
func (w *Disqualifications) Plan(slot int, k Key) {
	if w.after <= 0 {
		return
	}
	for _, bot := range [2]string{k.South, k.North} {
		row := w.bots[bot]
		if row == nil {
			row = new(faultRow)
			w.bots[bot] = row
		}
		row.slots, row.states = append(row.slots, int32(slot)), append(row.states, noRecord)
	}
}

// Add adds the record of a planned match.
func (w *Disqualifications) Add(m Slotted) {
	if w.after <= 0 {
		return
	}
	for seat, bot := range [2]string{m.South, m.North} {
		row, state := w.bots[bot], faultless
		if m.Fault.Blames(engine.Seat(seat)) {
			state = atFault
		}
		row.states[row.before(m.Slot)] = state
	}
}

// before returns the number of the bot's matches before a slot.
func (r *faultRow) before(slot int) int {
	n, _ := slices.BinarySearch(r.slots, int32(slot))
	return n
}

// Disqualified reports whether a bot forfeits the match in a slot. It is undecided while that depends on planned
// matches without a record.
func (w *Disqualifications) Disqualified(bot string, slot int) (disqualified, decided bool) {
	row := w.bots[bot]
	if row == nil {
		return false, true
	}
	n := row.before(slot)
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
