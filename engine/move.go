package engine

import "strconv"

// Move is what a player decides in one ply. It is a small comparable value, which
// has a meaning only in a position where it is legal. The zero value is the sowing
// of the mover's leftmost hole.
type Move struct {
	// code has the kind in its lowest four bits, the hole in the next four, and the
	// detail of the decision above them. It is one word because counting moves
	// is mostly writing them down.
	code uint64
}

// moveKind is the kind of decision that a move makes.
type moveKind uint8

const (
	kindSow   moveKind = iota // a hole, with the letters of a sowing
	kindLaps                  // a start hole, with a number for each lap
	kindPass                  // nothing can be sown
	kindFill                  // how the row is filled: the row, and the number of its holes as hole
	kindStart                 // a start hole
	kindTake                  // the seed that may be taken
	kindClaim                 // a capture that the other player missed, by that player's hole
	kindSwap                  // North takes South's side, and South North's
)

// The letters of a sowing, in the order in which they are written.
const (
	withNext   uint64 = 1 << iota // the seed of the next hole on the right is sown together with this one
	towards                       // a direction is chosen: counter-clockwise …
	against                       // … or clockwise
	opposite                      // o: the first seed falls in the hole across
	bounce                        // b: the sowing turns back at the end of the board
	lastAcross                    // k: a last single seed falls in the other row
	exposing                      // x: the third-last seed can be taken
)

func newMove(kind moveKind, hole uint8, detail uint64) Move {
	return Move{uint64(kind) | uint64(hole)<<4 | detail<<8}
}

func (m Move) kind() moveKind { return moveKind(m.code & 15) }
func (m Move) hole() uint8    { return uint8(m.code>>4) & 15 }
func (m Move) detail() uint64 { return m.code >> 8 }

// sow returns the sowing of a hole that leaves nothing else to decide.
func sow(hole uint8) Move { return Move{uint64(hole) << 4} }

// laps is how many seeds each hole gets, 1 to 4, in each lap of a sowing. The number
// of laps is in the lowest five bits, and each lap has two bits above them, the
// first lap first.
type laps uint64

func (l laps) len() int { return int(l & 31) }

// each returns the number of seeds that each hole gets in lap i, from 0.
func (l laps) each(i int) uint8 { return uint8(l>>((5+2*i)&63)&3) + 1 }

// then returns the laps with one more lap.
func (l laps) then(each uint8) laps { return l + 1 + laps(each-1)<<(5+2*l.len()) }

// Hole returns the hole that the move names, from 0 at its owner's left: the
// mover's hole that is sown or chosen as start hole, or the other player's hole of
// a claim. If the move names no hole, ok is false.
func (m Move) Hole() (hole int, ok bool) {
	switch m.kind() {
	case kindPass, kindFill, kindTake, kindSwap:
		return 0, false
	}
	return int(m.hole()), true
}

// Pass reports whether the move is a pass: the player cannot sow, and it is the
// only legal move.
func (m Move) Pass() bool { return m.kind() == kindPass }

// Swap reports whether the move swaps sides: the rows and the stores are exchanged.
func (m Move) Swap() bool { return m.kind() == kindSwap }

// Sowing reports whether the move sows seeds.
func (m Move) Sowing() bool { return m.kind() == kindSow || m.kind() == kindLaps }

// Token returns the move's text as the seat writes it: "C" for South's third
// hole from the left, "c" for North's, "fill=6.0.6.2" for a row filled again.
func (m Move) Token(s Seat) string {
	if m.code>>8 == 0 {
		switch m.kind() {
		case kindSow:
			return s.HoleName(int(m.hole()))
		case kindPass:
			return passToken
		}
	}
	return string(m.AppendToken(nil, s))
}

const (
	passToken = "pass"
	swapToken = "swap"
)

// AppendToken appends the move's token to b.
func (m Move) AppendToken(b []byte, s Seat) []byte {
	name := s.HoleName(int(m.hole()))
	switch m.kind() {
	case kindSow:
		return appendSowing(append(b, name...), s, m.hole(), m.detail())
	case kindLaps:
		b = append(b, name...)
		l := laps(m.detail())
		for i := range l.len() {
			b = append(b, '0'+l.each(i))
		}
		return b
	case kindPass:
		return append(b, passToken...)
	case kindFill:
		b = append(b, "fill="...)
		for hole := range m.hole() {
			if hole > 0 {
				b = append(b, '.')
			}
			b = strconv.AppendUint(b, uint64(row(m.detail()).at(hole)), 10)
		}
		return b
	case kindStart:
		return append(append(b, "start="...), name...)
	case kindTake:
		return append(b, "take"...)
	case kindClaim:
		return append(append(b, "claim="...), s.Other().HoleName(int(m.hole()))...)
	case kindSwap:
		return append(b, swapToken...)
	}
	return append(b, "unknown"...)
}

// appendSowing appends what follows the letter of the hole that is sown.
func appendSowing(b []byte, s Seat, hole uint8, detail uint64) []byte {
	if detail&withNext != 0 {
		b = append(b, s.HoleName(int(hole)+1)...)
	}
	for i, letter := range "+-obkx" {
		if detail>>1>>i&1 != 0 {
			b = append(b, byte(letter))
		}
	}
	return b
}
