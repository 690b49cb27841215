package engine

// sowing is what a sowing adds to the board, as the mover sees it.
type sowing struct {
	own, opp row // what to add to the mover's row, with its hole emptied, and to the other
	reached  row // the bytes of the other row up to the last seed; 0 if that falls in the mover's row
}

// sowings holds the counter-clockwise sowings of awale by hole and number of seeds.
// They pass over the hole of departure on every lap. Only six holes and 48 seeds
// are used. The sizes are powers of two, so that at needs no check of bounds.
type sowings [8][64]sowing

// at returns the sowing of a hole with so many seeds.
func (t *sowings) at(hole, seeds uint8) *sowing { return &t[hole&7][seeds&63] }

// newSowings makes the table by dropping one seed after the other.
func newSowings() *sowings {
	const holes = awaleHoles
	table := new(sowings)
	for from := range holes {
		var s sowing
		at := from
		for seeds := 1; seeds <= 2*holes*4; seeds++ {
			s.own -= 1 << (8 * from)
			if at = (at + 1) % (2 * holes); at == from {
				at = (at + 1) % (2 * holes)
			}
			s.reached = 0
			if at < holes {
				s.own += 1 << (8 * at)
			} else {
				s.opp += 1 << (8 * (at - holes))
				s.reached = 1<<(8*(at-holes+1)) - 1
			}
			table[from][seeds] = s
		}
	}
	return table
}
