package engine

// Seat is one of the two places at the board.
type Seat uint8

// The seats. South owns the lower row and moves first in round 1.
const (
	South Seat = iota
	North
)

// Other returns the seat across the board.
func (s Seat) Other() Seat { return s ^ 1 }

// String returns "south" or "north".
func (s Seat) String() string { return word(s, "south", "north") }

// word returns one of the words, by a number from 0.
func word[T ~uint8](n T, words ...string) string {
	if int(n) < len(words) {
		return words[n]
	}
	return "unknown"
}

// HoleName returns the name of a hole of the seat's row: A to L for South, a to
// l for North. Holes are counted from 0 at the owner's left, to 11.
func (s Seat) HoleName(hole int) string {
	if s == South {
		return "ABCDEFGHIJKL"[hole : hole+1]
	}
	return "abcdefghijkl"[hole : hole+1]
}
