package engine

import "math/bits"

// row is the seeds of one player's holes, at most eight, one byte a hole, the
// owner's leftmost hole in the lowest byte. A hole never holds more than 48 seeds, so
// the two highest bits of every byte are clear, and whole rows can be tested
// with a few operations on one word.
type row uint64

// lanes has the lowest bit of every byte set: lanes*n is n in every byte.
const lanes row = 0x0101010101010101

func (r row) at(hole uint8) uint8 { return uint8(r >> (8 * hole)) }

func (r row) with(hole, seeds uint8) row {
	return r&^(0xff<<(8*hole)) | row(seeds)<<(8*hole)
}

// seeds returns the number of seeds in the row.
func (r row) seeds() uint8 { return uint8((r * lanes) >> 56) }

// occupied returns a word with the highest bit of each byte set whose hole
// holds a seed.
func (r row) occupied() row { return (r + lanes*0x7f) & (lanes * 0x80) }

// firstHole returns the lowest hole that a word from occupied names.
func (r row) firstHole() uint8 { return uint8(bits.TrailingZeros64(uint64(r))) / 8 }
