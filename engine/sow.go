package engine

// sowing is what a sowing adds to the board, as the mover sees it.
type sowing struct {
	own, opp row   // the seeds that fall in the mover's row and in the other
	last     uint8 // the hole of the last seed: 0 … n-1 in the mover's row, n … 2n-1 in the other
}

// sowings holds the counter-clockwise sowings of awale by hole and number of seeds.
// They pass over the hole of departure on every lap. Only six holes and 48 seeds
// are used. The sizes are powers of two, so that at needs no check of bounds.
type sowings [8][64]sowing

// at returns the sowing of a hole with so many seeds.
func (t *sowings) at(hole, seeds uint8) *sowing { return &t[hole&7][seeds&63] }

// newSowings makes the table by dropping every seed of every sowing.
func newSowings() *sowings {
	const holes = awaleHoles
	table := new(sowings)
	for from := range holes {
		for seeds := 1; seeds <= 2*int(awaleHalf); seeds++ {
			s := &table[from][seeds]
			at := from
			for range seeds {
				at = (at + 1) % (2 * holes)
				if at == from {
					at = (at + 1) % (2 * holes)
				}
				if at < holes {
					s.own += 1 << (8 * at)
				} else {
					s.opp += 1 << (8 * (at - holes))
				}
			}
			s.last = uint8(at)
		}
	}
	return table
}
