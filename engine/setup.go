package engine

import "math/bits"

// fullHole is the number of seeds that a hole is filled with.
const fullHole uint8 = 6

// setup is how the board is set up for a later round. Each player fills as many
// holes of their own row as possible, with six seeds each from their own store, and
// keeps what a full row leaves over. A player who cannot fill the whole row chooses
// the holes with one move.
type setup struct {
	holes  int
	rest   bool  // if the row is not full, one more hole takes what is left
	closes bool  // holes that stay empty are closed
	ready  Phase // the phase after the setup
}

// start returns the position that a match begins with.
func (s setup) start() Position {
	return Position{
		own: s.whole(), opp: s.whole(),
		tally: tally(1)<<roundAt | tally(s.ready)<<phaseAt,
	}
}

// whole returns a row with every hole full.
func (s setup) whole() row { return (1<<(8*s.holes) - 1) & (lanes * row(fullHole)) }

// next returns the first position of the round after the one that ended at last.
// The first seat will begin the round. The rows are filled, or a player has to
// choose a filling.
func (s setup) next(last Position, first Seat) Position {
	p := Position{
		tally: last.tally.with(roundAt, uint8(last.Round()+1)).with(quietAt, 0).
			with(sideAt, uint8(South)).with(phaseAt, uint8(s.ready)),
		extras: last.extras & (0xff<<southDonkeysAt | 0xff<<northDonkeysAt),
	}
	p.extras = p.extras.with(firstAt, uint8(first))
	side := first
	for _, seat := range []Seat{South, North} {
		if r, ok := s.filled(last.Store(seat)); ok {
			p.tally -= tally(r.seeds()) << storeAt(seat)
			if seat == South {
				p.own = r
			} else {
				p.opp = r
			}
			continue
		}
		// The other player has more than half of all seeds, and so a full row.
		p.tally = p.tally.with(phaseAt, uint8(PhaseFill))
		side = seat
	}
	if side == North {
		p = p.turned()
	}
	return p
}

// filled returns the row that a store fills. If there is a choice, ok is false.
func (s setup) filled(store int) (r row, ok bool) {
	if store < int(s.whole().seeds()) {
		return 0, false
	}
	return s.whole(), true
}

// moves appends the fillings among which the side to move can choose.
func (s setup) moves(p Position, moves []Move) []Move {
	store := p.Store(p.Side())
	full, rest := store/int(fullHole), uint8(store)%fullHole
	if !s.rest {
		rest = 0
	}
	for mask := range uint8(1) << s.holes {
		if bits.OnesCount8(mask) != full {
			continue
		}
		if rest == 0 {
			moves = append(moves, newMove(kindFill, 0, uint64(newFilling(s.holes, mask, 15, 0))))
			continue
		}
		for hole := range uint8(s.holes) {
			if mask>>hole&1 == 0 {
				moves = append(moves, newMove(kindFill, 0, uint64(newFilling(s.holes, mask, hole, rest))))
			}
		}
	}
	return moves
}

// count returns the number of fillings that moves appends, and 0 in a match that is
// over.
func (s setup) count(p Position) int {
	if p.Phase() != PhaseFill {
		return 0
	}
	return len(s.moves(p, make([]Move, 0, 12)))
}

// fill plays a filling.
func (s setup) fill(p Position, m Move) Position {
	f := filling(m.detail())
	for hole := range f.holes() {
		seeds := f.seeds(hole, fullHole)
		if seeds == 0 && s.closes {
			seeds = closed
		}
		p.own = p.own.with(hole, seeds)
	}
	p.tally -= tally(p.own.seeds()) << storeAt(p.Side())
	p.tally = p.tally.with(phaseAt, uint8(s.ready))
	if p.Side() != p.First() {
		p = p.turned()
	}
	return p
}
