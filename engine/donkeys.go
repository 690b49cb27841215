package engine

// donkeys is what the games of the Buqruru family share: the seats sow in
// opposite directions or in the same, later rounds are filled from the stores,
// and who cannot fill the row owes the other donkeys.
type donkeys struct{ setup setup }

// Sweep returns the last position of a round: each player took the seeds in the
// own row, and donkeys are owed for the holes that the stores leave empty.
func (r donkeys) Sweep(p Position) Position {
	p = p.swept()
	for _, seat := range []Seat{South, North} {
		p.extras = p.extras.add(donkeysAt(seat.Other()), r.owed(p.Store(seat)))
	}
	return p
}

// owed returns the donkeys that a player owes whose store has so many seeds:
// one for two or three empty holes, two for a row that is empty.
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

// Next sets up the next round, which the player with more seeds begins; if both
// have as many, the one that did not begin the last. A player without a seed is
// out.
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

// Winner returns who is not out, else to whom more donkeys are owed, else who
// has the larger store.
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
