package engine

import "slices"

// ShiftKind says where the seeds of a [Shift] come from and where they go.
type ShiftKind uint8

// The kinds of a shift.
const (
	Lift  ShiftKind = iota // from a hole to the mover's hand
	Drop                   // from the mover's hand to a hole, or in kalah to the mover's store
	Take                   // from a hole to the mover's store
	Give                   // from a hole to the other player's store
	Sweep                  // from a hole to its owner's store, when a round ends
	Fill                   // from the store of the hole's owner to the hole, before a round
)

// Shift is some seeds that move together to or from a hole.
type Shift struct {
	Kind ShiftKind
	Heap
}

// Trace returns how the seeds move in a ply, one shift after the other: the sowing,
// the captures and, if the ply ended a round, the sweep and the setup of the next
// round. It is made for pictures, as [EffectOf] is.
func Trace(r Ruleset, ply Ply) []Shift {
	all, moved := traceMove(r, ply.Before, ply.Move)
	if last, end := ply.RoundEnd(r); end != Going {
		all = append(all, shifts(Sweep, heaps(South, moved, last, wholeRing(r)))...)
		all = append(all, shifts(Fill, heaps(South, ply.After, last, wholeRing(r)))...)
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

// traceMove returns the shifts of a move, and the position that they lead to, before a round ends with it.
func traceMove(r Ruleset, p Position, m Move) ([]Shift, Position) {
	side, ring := p.Side(), wholeRing(r)
	switch m.kind() {
	case kindSow, kindLaps:
		s := r.sown(p, m)
		return s.trace(p, m), s.shared
	case kindFill:
		moved := p
		moved.own = row(m.detail())
		return shifts(Fill, heaps(side, moved, p, ring)), moved
	case kindTake:
		moved := p.taken()
		return shifts(Take, heaps(side, p, moved, ring)), moved
	case kindClaim:
		moved := p.claimed(m.hole())
		gone := heaps(side, p, moved, ring) // the mover's hole, and the one across
		facing, missed := gone[0], gone[1]
		crossed := Heap{facing.Seat, facing.Hole, missed.Seeds}
		facing.Seeds += missed.Seeds
		return []Shift{{Lift, missed}, {Drop, crossed}, {Take, facing}}, moved
	}
	return nil, p
}

// shifts returns a shift of that kind for each heap.
func shifts(kind ShiftKind, heaps []Heap) []Shift {
	var all []Shift
	for _, heap := range heaps {
		all = append(all, Shift{kind, heap})
	}
	return all
}

// heaps returns the seeds that the holes of one position hold more than those of another, in that order of the holes
// of the ring, which begins with the row of a seat.
func heaps(seat Seat, more, less Position, order []uint8) []Heap {
	var all []Heap
	for _, ring := range order {
		heap := heapAt(seat, ring, len(order)/2)
		heap.Seeds = more.seedsAt(heap) - less.seedsAt(heap)
		if heap.Seeds > 0 {
			all = append(all, heap)
		}
	}
	return all
}

// heapAt returns the heap, without seeds, of a hole of the ring that begins with the row of a seat. A row has that
// many holes. The seat's store is behind both rows.
func heapAt(seat Seat, ring uint8, holes int) Heap {
	switch {
	case int(ring) < holes:
		return Heap{Seat: seat, Hole: int(ring)}
	case int(ring) == 2*holes:
		return Heap{Seat: seat, Hole: InStore}
	}
	return Heap{Seat: seat.Other(), Hole: int(ring) - holes}
}

// seedsAt returns the number of seeds where a heap is.
func (p Position) seedsAt(h Heap) int {
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

// trace returns the shifts of the sowing.
func (s sown) trace(p Position, m Move) []Shift {
	side := p.Side()
	all := shifts(Lift, heaps(side, p, s.lifted, s.order))
	drops := s.drops(side, m)
	all = append(all, shifts(Drop, drops)...)

	// The captures are reported from the hole of the last seed on.
	last := drops[len(drops)-1]
	chain := slices.Clone(s.order)
	if !s.ahead {
		slices.Reverse(chain)
	}
	for heapAt(side, chain[0], len(chain)/2) != (Heap{last.Seat, last.Hole, 0}) {
		chain = append(chain[1:], chain[0])
	}
	all = append(all, shifts(Take, heaps(side, s.fallen, s.captured, chain))...)
	for _, heap := range heaps(side, s.captured, s.shared, s.order) {
		kind := Take
		if heap.Seat != side {
			kind = Give
		}
		all = append(all, Shift{kind, heap})
	}
	return all
}

// drops returns the seeds that fall, lap by lap.
func (s sown) drops(side Seat, m Move) []Heap {
	var l laps
	if m.kind() == kindLaps {
		l = laps(m.detail())
	}
	falls := heaps(side, s.fallen, s.lifted, s.order)
	var drops []Heap
	for lap := 0; len(falls) > 0; lap++ {
		each := 1
		if l.len() > 0 {
			each = int(l.each(min(lap, l.len()-1)))
		}
		var rest []Heap
		for _, heap := range falls {
			seeds := min(each, heap.Seeds)
			drops = append(drops, Heap{heap.Seat, heap.Hole, seeds})
			if heap.Seeds -= seeds; heap.Seeds > 0 {
				rest = append(rest, heap)
			}
		}
		falls = rest
	}
	return drops
}

// Heap is some seeds of one hole.
type Heap struct {
	Seat  Seat // the owner of the hole
	Hole  int  // from 0 at its owner's left, or InStore
	Seeds int
}

// InStore is the hole of a heap that a sowing of kalah drops in the mover's store.
const InStore = -1

// Effect is what one move does to the seeds, before the end of a round moves
// any. A filling only has seeds that fell; a pass and the choice of a start
// hole have no effect.
type Effect struct {
	Lifted    []Heap // the holes that the mover emptied to sow them, or to claim their seeds
	Dropped   []Heap // the seeds that each hole and, in kalah, the mover's store received, in the order of the sowing
	Took      []Heap // what the mover took into its store
	OtherTook []Heap // what the other player took into its store
}

// EffectOf returns the effect of a legal move. It is made for pictures and
// words; [Ruleset.Play] is the fast way to the next position.
func EffectOf(r Ruleset, p Position, m Move) Effect {
	shifts, _ := traceMove(r, p, m)
	var e Effect
	for _, s := range shifts {
		switch s.Kind {
		case Lift:
			e.Lifted = addHeap(e.Lifted, s.Heap)
		case Drop, Fill:
			e.Dropped = addHeap(e.Dropped, s.Heap)
		case Take:
			e.Took = addHeap(e.Took, s.Heap)
		case Give:
			e.OtherTook = addHeap(e.OtherTook, s.Heap)
		}
	}
	ring := func(h Heap) int { return mostHoles*int(h.Seat^p.Side()) + h.Hole } // the mover's own row comes first
	for _, heaps := range [][]Heap{e.Lifted, e.Took, e.OtherTook} {
		slices.SortFunc(heaps, func(a, b Heap) int { return ring(a) - ring(b) })
	}
	return e
}

// addHeap adds the seeds of a heap to those of the same hole.
func addHeap(heaps []Heap, more Heap) []Heap {
	for i, h := range heaps {
		if h.Seat == more.Seat && h.Hole == more.Hole {
			heaps[i].Seeds += more.Seeds
			return heaps
		}
	}
	return append(heaps, more)
}
