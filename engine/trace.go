package engine

import "slices"

// TransferKind says where the seeds of a [Transfer] come from and where they go.
type TransferKind uint8

// The kinds of a transfer.
const (
	Lift  TransferKind = iota // from a hole to the mover's hand
	Drop                      // from the mover's hand to a hole, or in kalah to the mover's store
	Take                      // from a hole to the mover's store
	Give                      // from a hole to the other player's store
	Sweep                     // from a hole to its owner's store, when a round ends
	Fill                      // from the store of the hole's owner to the hole, before a round
)

// Transfer is some seeds that move together to or from a hole.
type Transfer struct {
	Kind TransferKind
	Pile
}

// Trace returns how the seeds move in a ply, one transfer after the other: the sowing,
// the captures and, if the ply ended a round, the sweep and the setup of the next
// round. A swap of sides moves no seed: the board turns. It is made for pictures, as [EffectOf] is.
func Trace(r Ruleset, ply Ply) []Transfer {
	all, moved := traceMove(r, ply.Before, ply.Move)
	if last, end := ply.RoundEnd(r); end != Going {
		all = append(all, transfers(Sweep, piles(South, moved, last, wholeRing(r)))...)
		all = append(all, transfers(Fill, piles(South, ply.After, last, wholeRing(r)))...)
	}
	return all
}

// RoundEnd returns the last position of the round that the ply ended, after the sweep, and
// how the round ended. If the ply ended none, end is Going.
func (ply Ply) RoundEnd(r Ruleset) (last Position, end End) {
	last, end = r.Play(ply.Before, ply.Move)
	if end == Going && last != ply.After {
		return r.Sweep(last), Cycle // only repetition depends on the history
	}
	return last, end
}

// sown is a sowing step by step.
type sown struct {
	order    []uint8  // the holes of the ring, in the order in which seeds fall
	ahead    bool     // a chain of captures continues in that order; false: it goes back
	lifted   Position // the mover holds the seeds in the hand
	fallen   Position // the seeds have fallen
	captured Position // the mover has captured
	shared   Position // both players have taken what else is theirs
}

// traceMove returns the transfers of a move, and the position that they lead to, before a round ends with it.
func traceMove(r Ruleset, p Position, m Move) ([]Transfer, Position) {
	side, ring := p.Side(), wholeRing(r)
	switch m.kind() {
	case kindSow, kindLaps:
		s := r.sown(p, m)
		return s.trace(p, m), s.shared
	case kindFill:
		moved := p
		moved.own = row(m.detail())
		return transfers(Fill, piles(side, moved, p, ring)), moved
	case kindTake:
		moved := p.taken()
		return transfers(Take, piles(side, p, moved, ring)), moved
	case kindClaim:
		moved := p.claimed(m.hole())
		gone := piles(side, p, moved, ring) // the mover's hole, and the one across
		facing, missed := gone[0], gone[1]
		crossed := Pile{facing.Seat, facing.Hole, missed.Seeds}
		facing.Seeds += missed.Seeds
		return []Transfer{{Lift, missed}, {Drop, crossed}, {Take, facing}}, moved
	case kindSwap:
		return nil, p.swapped() // the board turns: no seed moves on it
	}
	return nil, p
}

// transfers returns a transfer of that kind for each pile.
func transfers(kind TransferKind, piles []Pile) []Transfer {
	var all []Transfer
	for _, pile := range piles {
		all = append(all, Transfer{kind, pile})
	}
	return all
}

// piles returns the seeds that the holes of one position hold more than those of another, in that order of the holes
// of the ring, which begins with the row of a seat.
func piles(seat Seat, more, less Position, order []uint8) []Pile {
	var all []Pile
	for _, ring := range order {
		pile := pileAt(seat, ring, len(order)/2)
		pile.Seeds = more.seedsAt(pile) - less.seedsAt(pile)
		if pile.Seeds > 0 {
			all = append(all, pile)
		}
	}
	return all
}

// pileAt returns the pile, without seeds, of a hole of the ring that begins with the row of a seat. A row has that
// many holes. The seat's store is behind both rows.
func pileAt(seat Seat, ring uint8, holes int) Pile {
	switch {
	case int(ring) < holes:
		return Pile{Seat: seat, Hole: int(ring)}
	case int(ring) == 2*holes:
		return Pile{Seat: seat, Hole: InStore}
	}
	return Pile{Seat: seat.Other(), Hole: int(ring) - holes}
}

// seedsAt returns the number of seeds where a pile is.
func (p Position) seedsAt(h Pile) int {
	if h.Hole == InStore {
		return p.Store(h.Seat)
	}
	return p.Seeds(h.Seat, h.Hole)
}

// wholeRing returns all holes of the ring.
func wholeRing(r Ruleset) []uint8 { return ringOrder(uint8(2*r.Info().Holes), 0, 1) }

// ringOrder returns the holes of a ring, in steps of that size from one hole on.
func ringOrder(size, from, step uint8) []uint8 {
	order := make([]uint8, size)
	for i := range order {
		order[i] = from % size
		from += step
	}
	return order
}

// trace returns the transfers of the sowing.
func (s sown) trace(p Position, m Move) []Transfer {
	side := p.Side()
	all := transfers(Lift, piles(side, p, s.lifted, s.order))
	drops := s.drops(side, m)
	all = append(all, transfers(Drop, drops)...)

	// The captures are reported from the hole of the last seed on.
	last := drops[len(drops)-1]
	chain := slices.Clone(s.order)
	if !s.ahead {
		slices.Reverse(chain)
	}
	for pileAt(side, chain[0], len(chain)/2) != (Pile{last.Seat, last.Hole, 0}) {
		chain = append(chain[1:], chain[0])
	}
	all = append(all, transfers(Take, piles(side, s.fallen, s.captured, chain))...)
	for _, pile := range piles(side, s.captured, s.shared, s.order) {
		kind := Take
		if pile.Seat != side {
			kind = Give
		}
		all = append(all, Transfer{kind, pile})
	}
	return all
}

// drops returns the seeds that fall, lap by lap.
func (s sown) drops(side Seat, m Move) []Pile {
	var l laps
	if m.kind() == kindLaps {
		l = laps(m.detail())
	}
	falls := piles(side, s.fallen, s.lifted, s.order)
	var drops []Pile
	for lap := 0; len(falls) > 0; lap++ {
		each := 1
		if l.len() > 0 {
			each = int(l.each(min(lap, l.len()-1)))
		}
		var rest []Pile
		for _, pile := range falls {
			seeds := min(each, pile.Seeds)
			drops = append(drops, Pile{pile.Seat, pile.Hole, seeds})
			if pile.Seeds -= seeds; pile.Seeds > 0 {
				rest = append(rest, pile)
			}
		}
		falls = rest
	}
	return drops
}

// Pile is some seeds in one place, mostly a hole.
type Pile struct {
	Seat  Seat // the owner of the hole
	Hole  int  // from 0 at its owner's left, or InStore
	Seeds int
}

// InStore is the hole of a pile that a sowing of kalah drops in the mover's store.
const InStore = -1

// Effect is what one move does to the seeds, before the end of a round moves
// any. A filling only has seeds that fell; a pass and the choice of a start
// hole have no effect.
type Effect struct {
	Lifted    []Pile // the holes that the mover emptied to sow them, or to claim their seeds
	Dropped   []Pile // the seeds that each hole and, in kalah, the mover's store received, in the order of the sowing
	Took      []Pile // what the mover took into its store
	OtherTook []Pile // what the other player took into its store
}

// EffectOf returns the effect of a legal move. It is made for pictures and
// words; [Ruleset.Play] is the fast way to the next position.
func EffectOf(r Ruleset, p Position, m Move) Effect {
	transfers, _ := traceMove(r, p, m)
	var e Effect
	for _, s := range transfers {
		switch s.Kind {
		case Lift:
			e.Lifted = addPile(e.Lifted, s.Pile)
		case Drop, Fill:
			e.Dropped = addPile(e.Dropped, s.Pile)
		case Take:
			e.Took = addPile(e.Took, s.Pile)
		case Give:
			e.OtherTook = addPile(e.OtherTook, s.Pile)
		}
	}
	ring := func(h Pile) int { return mostHoles*int(h.Seat^p.Side()) + h.Hole } // the mover's own row comes first
	for _, piles := range [][]Pile{e.Lifted, e.Took, e.OtherTook} {
		slices.SortFunc(piles, func(a, b Pile) int { return ring(a) - ring(b) })
	}
	return e
}

// addPile adds the seeds of a pile to those of the same hole.
func addPile(piles []Pile, more Pile) []Pile {
	for i, h := range piles {
		if h.Seat == more.Seat && h.Hole == more.Hole {
			piles[i].Seeds += more.Seeds
			return piles
		}
	}
	return append(piles, more)
}
