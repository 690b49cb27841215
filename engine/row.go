package engine

import "math/bits"

// row is the seeds of one player's holes, at most eight: one byte a hole, with the
// owner's leftmost hole in the lowest byte. So a few operations on one word can
// test whole rows. A hole never holds more than 48 seeds, which leaves the two
// highest bits of every byte for the flags below.
type row uint64

// lanes has the lowest bit of every byte set: lanes*n is n in every byte.
const lanes row = 0x0101010101010101

// A hole's flags, beside its seeds.
const (
	countBits uint8 = 0x3f
	marked    uint8 = 0x40 // it was sown from in this round
	closed    uint8 = 0x80 // it is out of play for this round
)

// hole returns the byte of a hole: its seeds and its flags. The mask says that the
// shift is less than 64, which saves the compiler a check here and elsewhere.
func (r row) hole(hole uint8) uint8 { return uint8(r >> (8 * hole & 63)) }

// at returns the number of seeds in a hole.
func (r row) at(hole uint8) uint8 { return r.hole(hole) & countBits }

// with returns the row with a hole's byte replaced.
func (r row) with(hole, b uint8) row {
	return r&^(0xff<<(8*hole&63)) | row(b)<<(8*hole&63)
}

// counts returns the row without its flags.
func (r row) counts() row { return r & (lanes * row(countBits)) }

// seeds returns the number of seeds in the row.
func (r row) seeds() uint8 { return r.counts().sum() }

// sum returns the sum of the bytes.
func (r row) sum() uint8 { return uint8((r * lanes) >> 56) }

// everyHole has the highest bit of every byte set. The methods below work with such
// sets of holes: words that have the highest bit of a byte set for each hole of the
// set, and no other bit.
const everyHole = lanes * 0x80

// occupied returns the set of holes that hold a seed. The row must have no flags.
func (r row) occupied() row { return (r + lanes*0x7f) & everyHole }

// holding returns the set of holes that hold exactly n seeds. The row must have no
// flags.
func (r row) holding(n uint8) row { return (r ^ lanes*row(n)).occupied() ^ everyHole }

// above returns the set of holes that hold more than n seeds. The row must have no
// flags.
func (r row) above(n uint8) row { return (r + lanes*row(0x7f-n)) & everyHole }

// odd returns the set of holes that hold an odd number of seeds.
func (r row) odd() row { return r << 7 & everyHole }

// smallEven returns the set of holes that hold 2, 4, 6 or 8 seeds. The row must have
// no flags.
func (r row) smallEven() row { return r.occupied() &^ r.odd() &^ r.above(8) }

// open returns the set of holes that are not closed.
func (r row) open() row { return ^r & everyHole }

// holes returns the number of holes of a set.
func (r row) holes() int { return bits.OnesCount64(uint64(r)) }

// firstHole returns the lowest hole of a set.
func (r row) firstHole() uint8 { return uint8(bits.TrailingZeros64(uint64(r))) / 8 }

// lastHole returns the highest hole of a set.
func (r row) lastHole() uint8 { return uint8(bits.Len64(uint64(r))-1) / 8 }

// bytes returns a word with all bits of the holes of a set.
func (r row) bytes() row { return r >> 7 * 0xff }

// before returns the set of all holes below the lowest hole of a set. If the set is
// empty, it is the set of all holes.
func (r row) before() row { return (r&-r>>7 - 1) & everyHole }

// upTo returns the n lowest holes of a set of at least n, with n at least 1.
func (r row) upTo(n uint8) row {
	rank := r >> 7 * lanes // in each byte, the number of holes of the set up to it
	return r &^ rank.above(n)
}

// ring returns both rows of a board of at most four holes a row as one word, one byte
// a hole, counter-clockwise: the row of the side to move in the lower half and the
// other in the upper half.
func (p Position) ring() row { return p.own | p.opp<<32 }

// withRing returns the position with its rows taken from a ring.
func (p Position) withRing(ring row) Position {
	p.own, p.opp = ring&(1<<32-1), ring>>32
	return p
}

// circuit is a ring as it is seen from one of its holes in one direction. The hole is
// in the lowest byte of view, and the bytes above it are the holes that follow. So a
// sowing or a chain of captures is a few operations on the whole word. Closed holes
// are passed over.
type circuit struct {
	view    row
	first   uint8 // the byte of the ring, or of the ring with its bytes reversed, that view begins with
	reverse bool  // clockwise
}

// from returns the ring as it is seen from a hole.
func (ring row) from(hole uint8, clockwise bool) circuit {
	if clockwise {
		ring = ring.reversed()
		hole = 7 - hole
	}
	return circuit{ring, 0, clockwise}.ahead(hole)
}

// ring undoes from.
func (c circuit) ring() row {
	ring := c.ahead(-c.first).view
	if c.reverse {
		ring = ring.reversed()
	}
	return ring
}

// ahead returns the circuit as it is seen from so many holes further on.
func (c circuit) ahead(holes uint8) circuit {
	c.view = row(bits.RotateLeft64(uint64(c.view), -8*int(holes)))
	c.first += holes
	return c
}

// back returns the circuit as it is seen from the same hole in the other direction.
func (c circuit) back() circuit {
	return circuit{c.view.reversed(), -c.first, !c.reverse}.ahead(7)
}

func (r row) reversed() row { return row(bits.ReverseBytes64(uint64(r))) }

// sow drops seeds, at least one, in the holes that are not closed, one in each, from
// the lowest byte on. It returns the circuit as it is seen from the last hole.
func (c circuit) sow(seeds uint8) circuit {
	open := c.view.open()
	for holes := uint8(open.holes()); seeds > holes; seeds -= holes {
		c.view += open >> 7
	}
	reached := open.upTo(seeds)
	c.view += reached >> 7
	return c.ahead(reached.lastHole())
}

// take empties the holes of a set and returns the number of seeds that were there.
func (c circuit) take(holes row) (after circuit, seeds uint8) {
	taken := c.view.counts() & holes.bytes()
	c.view -= taken
	return c, taken.seeds()
}

// takeSmallEvens takes the holes with small even numbers of seeds from the lowest
// byte to the first hole with any other number, and returns the number of seeds.
func (c circuit) takeSmallEvens() (after circuit, seeds uint8) {
	small := c.view.counts().smallEven()
	return c.take(small & (c.view.open() &^ small).before())
}

// next lifts the seeds of the move's hole and returns the ring from the next hole on.
func (p Position) next(m Move, clockwise bool) circuit {
	return p.lift(m.hole()).ring().from(m.hole(), clockwise).ahead(1)
}

// nextOrder returns the holes of the ring in the order in which next has them.
func nextOrder(m Move, clockwise bool) []uint8 {
	const size = 2 * 4
	if clockwise {
		return ringOrder(size, m.hole()+size-1, size-1)
	}
	return ringOrder(size, m.hole()+1, 1)
}
