package engine

import "math/bits"

// game is what the rulesets share: how a board is set up, how rounds and matches end, and how position texts are
// written. In a match of many rounds, the stores fill the rows again.
type game struct {
	info  Info
	ready Phase // the phase once the rows are filled
	marks bool  // holes can be marked
	rest  bool  // seeds that do not fill a hole go in a hole of their own, if the row has one left
	wide  bool  // the board is a wide one
	keys  []key // the keys of a position text, in their order
}

func (g *game) Info() Info { return g.info }

func (g *game) shared() *game { return g }

// phases returns the phases of the ruleset, in the order in which errors list them.
func (g *game) phases() []Phase {
	phases := []Phase{PhaseSow}
	if !g.info.Single {
		phases = append(phases, PhaseFill)
	}
	if g.ready != PhaseSow {
		phases = append(phases, g.ready)
	}
	return append(phases, PhaseOver)
}

// whole returns a row with every hole full.
func (g *game) whole() row { return (1<<(8*g.info.Holes) - 1) & (lanes * row(g.info.Seeds)) }

// fewest returns the fewest seeds with which a player can fill a hole.
func (g *game) fewest() int {
	if g.rest {
		return 1
	}
	return g.info.Seeds
}

func (g *game) Start() Position {
	p := Position{tally: tally(1)<<roundAt | tally(g.ready)<<phaseAt | g.breadth()}
	for hole := range g.info.Holes {
		p = p.withHole(South, hole, uint8(g.info.Seeds)).withHole(North, hole, uint8(g.info.Seeds))
	}
	return p
}

// breadth returns what the tally of the ruleset's positions says about the board.
func (g *game) breadth() tally {
	if g.wide {
		return 1 << wideAt
	}
	return 0
}

// stops reports whether a round stops at a position that a ply led to, although the ruleset would continue.
func (g *game) stops(p Position) bool {
	half := uint8(g.info.Holes * g.info.Seeds) // Decided says the same, but copies the info
	return p.Quiet() >= QuietLimit || g.info.Single && !g.info.Full && p.tally.storeAbove(half)
}

// ended returns what Play returns of a position at which a round stops, or which the ruleset ends as normal.
func (g *game) ended(p Position, normal bool) (Position, End) {
	switch {
	case g.info.DecidedEarly(p):
		return p.lapsed(), Early
	case normal:
		return g.Sweep(p), Normal
	}
	return g.Sweep(p), Cycle
}

// Sweep returns the position after each player took the seeds in their own row, and owes donkeys for the holes that
// their store leaves empty.
func (g *game) Sweep(p Position) Position {
	p = p.swept().lapsed()
	if g.info.Donkeys {
		for _, seat := range []Seat{South, North} {
			p.extras = p.extras.add(donkeysAt(seat.Other()), g.owed(p.Store(seat)))
		}
	}
	return p
}

// owed returns the donkeys that a player with so many seeds in the store owes for the holes that they leave empty: one
// for two or three empty holes, two for an empty row.
func (g *game) owed(store int) uint8 {
	empty := g.info.Holes - (store+g.info.Seeds-1)/g.info.Seeds
	if empty >= g.info.Holes {
		return 2
	}
	if empty >= 2 {
		return 1
	}
	return 0
}

// out reports whether the seat has too few seeds for another round.
func (g *game) out(p Position, s Seat) bool { return !g.info.Single && p.Store(s) < g.fewest() }

// Winner returns the player who is not out if the other is, else the player to whom more donkeys are owed, else the
// player with the larger store.
func (g *game) Winner(p Position) Result {
	switch {
	case g.out(p, South):
		return NorthWins
	case g.out(p, North):
		return SouthWins
	}
	if owed := more(p.Donkeys(South), p.Donkeys(North)); owed != Draw {
		return owed
	}
	return largerStore(p)
}

// Next sets up the next round. Where donkeys are owed, the player with more seeds begins it; if both have the same
// number, and elsewhere, the player who did not begin the last round does.
func (g *game) Next(last Position) (next Position, ok bool) {
	if g.info.Single || g.out(last, South) || g.out(last, North) {
		return Position{}, false
	}
	first := last.First().Other()
	if g.info.Donkeys {
		switch largerStore(last) {
		case SouthWins:
			first = South
		case NorthWins:
			first = North
		}
	}
	side, phase := first, g.ready
	var rows [2]row
	next.tally = last.tally.with(roundAt, uint8(last.Round()+1)).with(quietAt, 0)
	for seat := range rows {
		if seeds := g.whole().seeds(); last.Store(Seat(seat)) >= int(seeds) {
			rows[seat] = g.whole()
			next.tally -= tally(seeds) << storeAt(Seat(seat))
		} else { // the other player has more than half of all seeds, and so a full row
			side, phase = Seat(seat), PhaseFill
		}
	}
	next.own, next.opp = rows[side], rows[side.Other()]
	next.tally = next.tally.with(sideAt, uint8(side)).with(phaseAt, uint8(phase))
	next.extras = (last.extras & (0xff<<southDonkeysAt | 0xff<<northDonkeysAt)).with(firstAt, uint8(first))
	return next, true
}

// fillings appends the fillings among which the side to move can choose; none in another phase. As many holes as
// possible are full.
func (g *game) fillings(p Position, moves []Move) []Move {
	if p.Phase() != PhaseFill {
		return moves
	}
	store, holes := p.Store(p.Side()), uint8(g.info.Holes)
	full, rest := store/g.info.Seeds, uint8(store%g.info.Seeds)
	for mask := range uint8(1) << holes {
		if bits.OnesCount8(mask) != full {
			continue
		}
		var filled row
		for hole := range holes {
			filled = filled.with(hole, mask>>hole&1*uint8(g.info.Seeds))
		}
		if rest == 0 || !g.rest {
			moves = append(moves, newMove(kindFill, holes, uint64(filled)))
			continue
		}
		for hole := range holes {
			if filled.at(hole) == 0 {
				moves = append(moves, newMove(kindFill, holes, uint64(filled.with(hole, rest))))
			}
		}
	}
	return moves
}

// fill plays a filling. Where the ruleset closes holes, those are closed that stay empty.
func (g *game) fill(p Position, m Move) (Position, End) {
	p.own = row(m.detail())
	p.tally = (p.tally - tally(p.own.seeds())<<storeAt(p.Side())).with(phaseAt, uint8(g.ready))
	if g.info.Closed != "" {
		p.own |= g.whole().occupied() &^ p.own.occupied() // the flag is the bit of a set
	}
	if p.Side() != p.First() {
		p = p.turned()
	}
	return p, Going
}
