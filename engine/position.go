package engine

// Phase is what a position waits for.
type Phase uint8

// The phases of a match.
const (
	PhaseSow  Phase = iota // the side to move sows
	PhaseOver              // the match is over, nothing is played any more
)

// String returns the phase's word in a position text.
func (p Phase) String() string {
	switch p {
	case PhaseSow:
		return "sow"
	case PhaseOver:
		return "over"
	}
	return "unknown"
}

// QuietLimit is the number of sowings in a row without a capture that ends a
// round as a cycle.
const QuietLimit = 100

// Position is the board at one moment: a small comparable value, copied
// freely. Positions come from a [Ruleset] or from [ParsePosition]; the zero
// value is of no ruleset.
//
// It is at most four words, which the compiler keeps in registers on their way
// through a Ruleset: with arrays and byte fields counting moves took twice as
// long.
type Position struct {
	own, opp row   // the row of the side to move, and the row across
	tally    tally // everything that is counted or chosen besides the rows
}

// tally holds small numbers, one byte each, at the offsets below.
type tally uint64

const (
	southStoreAt = 8 * iota
	northStoreAt
	quietAt
	roundAt
	sideAt
	phaseAt
)

func (t tally) at(offset uint8) uint8 { return uint8(t >> offset) }

func (t tally) with(offset, n uint8) tally {
	return t&^(0xff<<offset) | tally(n)<<offset
}

// add adds to a number; the sum must fit in its byte.
func (t tally) add(offset, n uint8) tally { return t + tally(n)<<offset }

// storeAt returns the offset of the seat's store.
func storeAt(s Seat) uint8 { return southStoreAt + 8*uint8(s) }

// row returns the seat's row.
func (p Position) row(s Seat) row {
	if s == p.Side() {
		return p.own
	}
	return p.opp
}

// Seeds returns the number of seeds in a hole of the seat's row, counted from
// 0 at the owner's left.
func (p Position) Seeds(s Seat, hole int) int { return int(p.row(s).at(uint8(hole))) }

// Store returns the number of seeds that the seat has captured.
func (p Position) Store(s Seat) int { return int(p.tally.at(storeAt(s))) }

// Side returns the seat to move; when the match is over, the seat that would
// have been.
func (p Position) Side() Seat { return Seat(p.tally.at(sideAt)) }

// Phase returns what the position waits for.
func (p Position) Phase() Phase { return Phase(p.tally.at(phaseAt)) }

// Round returns the number of the round, from 1.
func (p Position) Round() int { return int(p.tally.at(roundAt)) }

// Quiet returns the number of sowings since the last capture of the round, 0
// to [QuietLimit].
func (p Position) Quiet() int { return int(p.tally.at(quietAt)) }

// unquiet returns the position without its quiet count: two positions of a
// round are the same when these are equal.
func (p Position) unquiet() Position {
	p.tally = p.tally.with(quietAt, 0)
	return p
}

// over returns the position with the match over and the seeds where they are.
func (p Position) over() Position {
	p.tally = p.tally.with(phaseAt, uint8(PhaseOver))
	return p
}

// swept returns the position with each player's row taken into the own store.
func (p Position) swept() Position {
	side := p.Side()
	p.tally = p.tally.add(storeAt(side), p.own.seeds()).add(storeAt(side.Other()), p.opp.seeds())
	p.own, p.opp = 0, 0
	return p
}
