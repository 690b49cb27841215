package engine

// Phase is what a position waits for.
type Phase uint8

// The phases of a match.
const (
	PhaseSow   Phase = iota // the side to move sows, or makes another move of its turn first
	PhaseFill               // the side to move chooses how to fill its row for a new round
	PhaseStart              // the side to move chooses the hole that its sowings leave from
	PhaseOver               // the match is over, nothing is played any more
)

// String returns the phase's word in a position text.
func (p Phase) String() string { return word(p, "sow", "fill", "start", "over") }

// QuietLimit is the number of sowings in a row without a capture that ends a
// round as a cycle.
const QuietLimit = 100

// Position is the board at one moment: a small comparable value, which can be
// copied freely. Positions come from a [Ruleset] or from [ParsePosition]. The zero
// value belongs to no ruleset.
//
// It has four words, the most that the compiler passes through a Ruleset in
// registers. With arrays and byte fields, counting moves took twice as long.
type Position struct {
	own, opp row   // the row of the side to move, and the row across
	tally    tally // what every ruleset counts
	extras   tally // what only some rulesets know; on a wide board, its far holes
}

// tally holds small numbers, one byte each.
type tally uint64

// The offsets of a position's tally.
const (
	southStoreAt = 8 * iota
	northStoreAt
	quietAt
	roundAt
	sideAt
	phaseAt
	wideAt // 1 on a wide board
	swapAt // 1 while North may swap sides
)

// storeAbove reports whether a store holds more than n seeds, n up to 127.
func (t tally) storeAbove(n uint8) bool {
	const stores = 1<<southStoreAt | 1<<northStoreAt
	return (t&(0xff*stores)+stores*tally(0x7f-n))&(0x80*stores) != 0
}

// The offsets of a position's extras. Where there may be no hole, the number is the
// hole's number plus one, or 0.
const (
	firstAt        = 8 * iota // the seat that began the round
	openedAt                  // who has sown in the round: 1 South, 2 North
	southStartAt              // South's start hole
	northStartAt              // and North's
	takeAt                    // the hole of the side to move whose seed may be taken, and takesTurn
	missedAt                  // the captures missed in the other row: a bit a hole
	southDonkeysAt            // donkeys owed to South
	northDonkeysAt            // and to North
)

// takesTurn is set beside a hole whose seed may be taken if that is the whole turn.
const takesTurn uint8 = 0x80

func (t tally) at(offset uint8) uint8 { return uint8(t >> (offset & 63)) }

func (t tally) with(offset, n uint8) tally {
	return t&^(0xff<<(offset&63)) | tally(n)<<(offset&63)
}

// add adds n to a number. The sum must fit in its byte.
func (t tally) add(offset, n uint8) tally { return t + tally(n)<<(offset&63) }

// storeAt returns the offset of the seat's store.
func storeAt(s Seat) uint8 { return southStoreAt + 8*uint8(s) }

// startAt returns the offset of the seat's start hole in the extras.
func startAt(s Seat) uint8 { return southStartAt + 8*uint8(s) }

// donkeysAt returns the offset of the donkeys owed to the seat in the extras.
func donkeysAt(s Seat) uint8 { return southDonkeysAt + 8*uint8(s) }

// row returns the seat's row.
func (p Position) row(s Seat) row {
	if s == p.Side() {
		return p.own
	}
	return p.opp
}

// Seeds returns the number of seeds in a hole of the seat's row, counted from
// 0 at the owner's left.
func (p Position) Seeds(s Seat, hole int) int {
	if p.wide() {
		return int(p.hole(s, hole))
	}
	return int(p.row(s).at(uint8(hole)))
}

// inRow returns the number of seeds in the seat's row.
func (p Position) inRow(s Seat) int {
	if p.wide() {
		return int(p.row(s).sum() + p.far(s).sum())
	}
	return int(p.row(s).seeds())
}

// Marked reports whether a hole was sown from in this round. Only bechi and
// bechi-2x3 keep that.
func (p Position) Marked(s Seat, hole int) bool { return !p.wide() && p.hole(s, hole)&marked != 0 }

// Closed reports whether a hole is out of play for this round.
func (p Position) Closed(s Seat, hole int) bool { return !p.wide() && p.hole(s, hole)&closed != 0 }

// Store returns the number of seeds that the seat has captured.
func (p Position) Store(s Seat) int { return int(p.tally.at(storeAt(s))) }

// Side returns the seat to move. When the match is over, it returns the seat that
// would have been to move.
func (p Position) Side() Seat { return Seat(p.tally.at(sideAt)) }

// Phase returns what the position waits for.
func (p Position) Phase() Phase { return Phase(p.tally.at(phaseAt)) }

// Round returns the number of the round, from 1.
func (p Position) Round() int { return int(p.tally.at(roundAt)) }

// Quiet returns the number of sowings since the last capture of the round, 0
// to [QuietLimit].
func (p Position) Quiet() int { return int(p.tally.at(quietAt)) }

// First returns the seat that began the round, or is about to begin it. In a match
// of a single round it is always South.
func (p Position) First() Seat { return Seat(p.notes().at(firstAt)) }

// HasSown reports whether the seat has sown in this round. Only the buqruru family
// keeps that.
func (p Position) HasSown(s Seat) bool { return p.notes().at(openedAt)&(1+uint8(s)) != 0 }

// StartHole returns the hole that the seat's sowings leave from. If the seat has
// none, ok is false.
func (p Position) StartHole(s Seat) (hole int, ok bool) {
	start := p.notes().at(startAt(s))
	return int(start) - 1, start != 0
}

// Donkeys returns the number of donkeys owed to the seat.
func (p Position) Donkeys(s Seat) int { return int(p.notes().at(donkeysAt(s))) }

// OpenSeed returns the hole whose seed the side to move may take, which is in its own
// row, and whether taking it is the whole turn. If there is none, ok is false.
func (p Position) OpenSeed() (hole int, wholeTurn, ok bool) {
	take := p.notes().at(takeAt)
	return int(take&^takesTurn) - 1, take&takesTurn != 0, take != 0
}

// MissedCapture reports whether the side to move may claim the capture that the other
// player missed from this hole of the other row.
func (p Position) MissedCapture(hole int) bool { return p.notes().at(missedAt)>>hole&1 != 0 }

// Swap reports whether North may swap sides in its first move, which is still to come.
func (p Position) Swap() bool { return p.tally.at(swapAt) != 0 }

// swapped returns the position of a wide board after North swapped sides: the rows and the stores are exchanged, so that
// South has what North had, and is to move.
func (p Position) swapped() Position {
	rows := p.wideRows() // the mover's come first, whoever it is
	south, north := p.tally.at(southStoreAt), p.tally.at(northStoreAt)
	p.tally = p.tally.with(southStoreAt, north).with(northStoreAt, south).with(sideAt, uint8(South)).with(swapAt, 0)
	return p.withWideRows(rows)
}

// unquiet returns the position without its quiet count. A position of a round comes
// back when these are equal.
func (p Position) unquiet() Position {
	p.tally = p.tally.with(quietAt, 0)
	return p
}

// turned returns the position with the other seat to move.
func (p Position) turned() Position {
	p.own, p.opp = p.opp, p.own
	p.tally ^= tally(North) << sideAt
	return p
}

// lift returns the position with a hole of the mover's row empty.
func (p Position) lift(hole uint8) Position {
	p.own = p.own.with(hole, 0)
	return p
}

// stored returns the position after a sowing that took so many seeds for the side
// to move and for the other: in the stores, or in the quiet count if it took none.
func (p Position) stored(own, opp uint8) Position {
	// Both tallies are computed, because captures are too irregular for the processor
	// to predict.
	side := p.Side()
	quiet := p.tally.add(quietAt, 1)
	p.tally = p.tally.add(storeAt(side), own).add(storeAt(side.Other()), opp).with(quietAt, 0)
	if own|opp == 0 {
		p.tally = quiet
	}
	return p
}

// over returns the position with the match over. The seeds stay where they are.
func (p Position) over() Position {
	p.tally = p.tally.with(phaseAt, uint8(PhaseOver))
	return p
}

// lapsed returns the position with nothing to take, nothing to claim and no swap to come.
func (p Position) lapsed() Position {
	if p.wide() {
		p.tally = p.tally.with(swapAt, 0)
		return p
	}
	p.extras &^= 0xff<<takeAt | 0xff<<missedAt
	return p
}

// swept returns the position after each player has taken the seeds in their own row
// into their store. Marks and closed holes stay.
func (p Position) swept() Position {
	side := p.Side()
	p.tally = p.tally.add(storeAt(side), uint8(p.inRow(side))).add(storeAt(side.Other()), uint8(p.inRow(side.Other())))
	if p.wide() {
		p.own, p.opp, p.extras = 0, 0, 0
		return p
	}
	p.own -= p.own.counts()
	p.opp -= p.opp.counts()
	return p
}

// Seat is one of the two places at the board.
type Seat uint8

// The seats. South owns the lower row and moves first in round 1.
const (
	South Seat = iota
	North
)

// Other returns the seat across the board.
func (s Seat) Other() Seat { return s ^ 1 }

// String returns "south" or "north".
func (s Seat) String() string { return word(s, "south", "north") }

// word returns one of the words, by a number from 0.
func word[T ~uint8](n T, words ...string) string {
	if int(n) < len(words) {
		return words[n]
	}
	return "unknown"
}

// HoleName returns the name of a hole of the seat's row: A to L for South, a to
// l for North. Holes are counted from 0 at the owner's left, to 11.
func (s Seat) HoleName(hole int) string {
	if s == South {
		return "ABCDEFGHIJKL"[hole : hole+1]
	}
	return "abcdefghijkl"[hole : hole+1]
}
