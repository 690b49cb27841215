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

// hole returns the byte of a hole: its seeds and its flags.
func (r row) hole(hole uint8) uint8 { return uint8(r >> (8 * hole)) }

// at returns the number of seeds in a hole.
func (r row) at(hole uint8) uint8 { return r.hole(hole) & countBits }

// with returns the row with a hole's byte replaced.
func (r row) with(hole, b uint8) row {
	return r&^(0xff<<(8*hole)) | row(b)<<(8*hole)
}

// counts returns the row without its flags.
func (r row) counts() row { return r & (lanes * row(countBits)) }

// seeds returns the number of seeds in the row.
func (r row) seeds() uint8 { return uint8((r.counts() * lanes) >> 56) }

// occupied returns a word that has the highest bit of a byte set for each hole that
// holds a seed. The row must have no flags.
func (r row) occupied() row { return (r + lanes*0x7f) & (lanes * 0x80) }

// holding returns a word that has the highest bit of a byte set for each hole that
// holds exactly n seeds. The row must have no flags.
func (r row) holding(n uint8) row { return (r ^ lanes*row(n)).occupied() ^ lanes*0x80 }

// firstHole returns the lowest hole of a word from occupied or holding.
func (r row) firstHole() uint8 { return uint8(bits.TrailingZeros64(uint64(r))) / 8 }
