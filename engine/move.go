package engine

// Move is what a player decides in one ply: a small comparable value, without
// meaning apart from the position that it is legal in.
type Move struct {
	Hole uint8 // the hole that is sown, from 0 at the mover's left
}

// The names of the holes, from the owner's left.
const (
	southHoles = "ABCDEFGH"
	northHoles = "abcdefgh"
)

// Token returns the move's text as the seat writes it: "C" for South's third
// hole from the left, "c" for North's. It does not allocate.
func (m Move) Token(s Seat) string {
	if s == South {
		return southHoles[m.Hole : m.Hole+1]
	}
	return northHoles[m.Hole : m.Hole+1]
}
