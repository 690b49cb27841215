package engine

import "math/bits"

// A wide board has up to mostHoles holes in a row and up to mostSeeds seeds. Its positions
// have the four words of all others, and no operation of the others pays for it. Each
// hole has a whole byte for its seeds and no flags. The far holes, which a row has no
// byte for, are in the extras; so a wide board keeps none of the notes that are
// there on other boards.

const (
	mostHoles = 12  // in a row
	mostSeeds = 254 // in the game; see storeAbove
	nearHoles = 8   // of a row, in a word of a position
)

// wide reports whether the board is a wide one.
func (p Position) wide() bool { return p.tally.at(wideAt) != 0 }

// notes returns the extras of a board that is not wide. A wide one has no notes.
func (p Position) notes() tally {
	if p.wide() {
		return 0
	}
	return p.extras
}

// farAt returns the offset of the far holes of a seat in the extras.
func farAt(s Seat) uint8 { return 32 * uint8(s) }

// far returns the far holes of a seat.
func (p Position) far(s Seat) row { return row(p.extras >> farAt(s) & (1<<32 - 1)) }

// hole returns the byte of a hole on any board.
func (p Position) hole(s Seat, hole int) uint8 {
	if hole < nearHoles {
		return p.row(s).hole(uint8(hole))
	}
	return p.extras.at(farAt(s) + 8*uint8(hole-nearHoles))
}

// withHole returns the position with the byte of a hole replaced, on any board.
func (p Position) withHole(s Seat, hole int, b uint8) Position {
	switch {
	case hole >= nearHoles:
		p.extras = p.extras.with(farAt(s)+8*uint8(hole-nearHoles), b)
	case s == p.Side():
		p.own = p.own.with(uint8(hole), b)
	default:
		p.opp = p.opp.with(uint8(hole), b)
	}
	return p
}

// wideRows is the bytes of the holes of a wide board as the mover sees them: eight of the mover,
// the far ones of both players, and eight of the other. The byte of a mover's hole is its number.
type wideRows [3]row

// otherHole returns the byte of a hole of the other player.
func otherHole(hole uint8) uint8 {
	if hole < nearHoles {
		return 2*nearHoles + hole
	}
	return nearHoles/2 + hole
}

// wideRows returns the holes of a wide board.
func (p Position) wideRows() wideRows {
	return wideRows{p.own, row(bits.RotateLeft64(uint64(p.extras), int(farAt(p.Side())))), p.opp}
}

// withWideRows undoes wideRows.
func (p Position) withWideRows(w wideRows) Position {
	p.own, p.opp = w[0], w[2]
	p.extras = tally(bits.RotateLeft64(uint64(w[1]), int(farAt(p.Side()))))
	return p
}

func (w *wideRows) at(b uint8) uint8 { return w[b/nearHoles].hole(b % nearHoles) }

func (w *wideRows) add(b, seeds uint8) { w[b/nearHoles] += row(seeds) << (8 * (b % nearHoles)) }

// lift empties a hole and returns the seeds that it held.
func (w *wideRows) lift(b uint8) uint8 {
	seeds := w.at(b)
	w[b/nearHoles] -= row(seeds) << (8 * (b % nearHoles))
	return seeds
}

// anyEmpty reports whether one of the rows holds no seed.
func (w *wideRows) anyEmpty() bool {
	return w[0]|w[1]<<32 == 0 || w[2]|w[1]>>32 == 0
}

// filled returns the set of holes that hold a seed, each of which has a whole byte for its seeds.
func (r row) filled() row { return (r&^everyHole + lanes*0x7f | r) & everyHole }
