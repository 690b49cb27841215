package engine

// donkeys is what the games of the buqruru family share: the stores fill the rows
// for later rounds, and a player who cannot fill the row owes the other donkeys.
type donkeys struct{ setup setup }

// next lifts the seeds of the move's hole and returns the ring from the next hole on.
func (p Position) next(m Move, clockwise bool) circuit {
	return p.lift(m.hole()).ring().from(m.hole(), clockwise).ahead(1)
}

// takeSmallEvens takes the holes with small even numbers of seeds from the lowest
// byte to the first hole with any other number, and returns the number of seeds.
func (c circuit) takeSmallEvens() (after circuit, seeds uint8) {
	small := c.view.counts().smallEven()
	return c.take(small & (c.view.open() &^ small).before())
}

// nextOrder returns the holes of the ring in the order in which next has them.
func nextOrder(m Move, clockwise bool) []uint8 {
	const size = 2 * 4
	if clockwise {
		return ringOrder(size, m.hole()+size-1, size-1)
	}
	return ringOrder(size, m.hole()+1, 1)
}

// Sweep returns the last position of a round: each player took the seeds in their
// own row, and owes donkeys for the holes that their store leaves empty.
func (r donkeys) Sweep(p Position) Position {
	p = p.swept()
	for _, seat := range []Seat{South, North} {
		p.extras = p.extras.add(donkeysAt(seat.Other()), r.owed(p.Store(seat)))
	}
	return p
}

// owed returns the donkeys that a player with so many seeds in the store owes: one
// for two or three empty holes, two for an empty row.
func (r donkeys) owed(store int) uint8 {
	full := int(fullHole)
	switch empty := r.setup.holes - (store+full-1)/full; {
	case empty >= r.setup.holes:
		return 2
	case empty >= 2:
		return 1
	}
	return 0
}

// out reports whether the seat has no seed to fill a hole with.
func (r donkeys) out(p Position, s Seat) bool { return p.Store(s) == 0 }

// Next sets up the next round. The player with more seeds begins it; if both have
// the same number, the player who did not begin the last round does. A player
// without a seed is out.
func (r donkeys) Next(p Position) (Position, bool) {
	if r.out(p, South) || r.out(p, North) {
		return Position{}, false
	}
	first := p.First().Other()
	switch largerStore(p) {
	case SouthWins:
		first = South
	case NorthWins:
		first = North
	}
	return r.setup.next(p, first), true
}

// Winner returns the player who is not out if the other is, else the player to whom
// more donkeys are owed, else the player with the larger store.
func (r donkeys) Winner(p Position) Result {
	switch {
	case r.out(p, South):
		return NorthWins
	case r.out(p, North):
		return SouthWins
	}
	if owed := more(p.Donkeys(South), p.Donkeys(North)); owed != Draw {
		return owed
	}
	return largerStore(p)
}
