package engine

import "math/bits"

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
