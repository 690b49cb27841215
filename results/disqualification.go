package results

import (
	"slices"

	"sembra/engine"
)

// Disqualifications says which bots of a tournament forfeit a match, because they were at fault in each of their last
// matches before it, in schedule order. Tournament.DisqualifyAfter is the number of these matches. A match that nobody
// played is none of them. Records may come in any order.
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
		row, blamed := w.bots[bot], m.Fault.Blames(engine.Seat(seat))
		switch at := row.before(m.Number); {
		case m.Forfeit != 0 || m.Ending == EndStart && !blamed: // the bot has shown nothing
			row.numbers, row.states = slices.Delete(row.numbers, at, at+1), slices.Delete(row.states, at, at+1)
		case blamed:
			row.states[at] = atFault
		default:
			row.states[at] = faultless
		}
	}
}

// before returns the number of the bot's matches before the one with a number.
func (r *faultRow) before(number int) int {
	n, _ := slices.BinarySearch(r.numbers, int32(number))
	return n
}

// Disqualified returns the number of the match whose fault makes a bot forfeit a match; 0: it does not forfeit it. That
// is undecided while it depends on planned matches without a record.
func (w *Disqualifications) Disqualified(bot string, number int) (cause int, decided bool) {
	row := w.bots[bot]
	if row == nil {
		return 0, true
	}
	n := row.before(number)
	if n < w.after {
		return 0, true
	}
	last := row.states[n-w.after : n]
	switch {
	case slices.Contains(last, faultless):
		return 0, true
	case slices.Contains(last, noRecord):
		return 0, false
	}
	return int(row.numbers[n-1]), true
}
