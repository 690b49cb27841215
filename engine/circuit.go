package engine

// circuit is both rows of a board of at most eight holes as one ring, and a
// direction around it. Its holes are numbered counter-clockwise from the mover's
// left: 0 … n-1 in the mover's row, n … 2n-1 in the other. Closed holes are passed
// over.
type circuit struct {
	ring row   // one byte a hole, like a row
	row  uint8 // holes in a row
	step uint8 // to the next hole: 1 counter-clockwise, 2n-1 clockwise
}

// circuit returns the ring of the position's rows of n holes.
func (p Position) circuit(n int, clockwise bool) circuit {
	c := circuit{ring: p.own | p.opp<<(8*n), row: uint8(n), step: 1}
	if clockwise {
		c.step = c.size() - 1
	}
	return c
}

// with returns the position with its rows taken from the ring.
func (p Position) with(c circuit) Position {
	p.own = c.ring & (1<<(8*c.row) - 1)
	p.opp = c.ring >> (8 * c.row)
	return p
}

func (c circuit) size() uint8 { return 2 * c.row }

// own reports whether the hole is in the mover's row.
func (c circuit) own(hole uint8) bool { return hole < c.row }

// next returns the next hole that is not closed.
func (c circuit) next(hole uint8) uint8 { return c.walk(hole, c.step) }

// back returns the hole before, against the direction, that is not closed.
func (c circuit) back(hole uint8) uint8 { return c.walk(hole, c.size()-c.step) }

func (c circuit) walk(hole, step uint8) uint8 {
	for {
		hole += step
		if hole >= c.size() {
			hole -= c.size()
		}
		if c.ring.hole(hole)&closed == 0 {
			return hole
		}
	}
}

func (c circuit) at(hole uint8) uint8 { return c.ring.at(hole) }

// drop adds seeds to a hole.
func (c *circuit) drop(hole, seeds uint8) { c.ring += row(seeds) << (8 * hole) }

// lift empties a hole and returns the seeds that were there.
func (c *circuit) lift(hole uint8) uint8 {
	seeds := c.ring.at(hole)
	c.ring -= row(seeds) << (8 * hole)
	return seeds
}

// open returns the number of holes that are not closed.
func (c circuit) open() uint8 {
	open := c.size()
	for hole := range c.size() {
		open -= c.ring.hole(hole) >> 7
	}
	return open
}
