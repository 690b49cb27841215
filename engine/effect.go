package engine

// Heap is some seeds of one hole.
type Heap struct {
	Seat  Seat // the owner of the hole
	Hole  int  // from 0 at its owner's left
	Seeds int
}

// Effect is what one move does to the seeds, before the end of a round moves
// any. A filling only has seeds that fell; a pass and the choice of a start
// hole have no effect.
type Effect struct {
	Lifted []Heap // the holes that the mover emptied to sow them
	Fell   []Heap // the seeds that each hole received, in the order of the sowing
	Took   []Heap // what the mover took into its store
	Gave   []Heap // what the other player took into its store
}

// EffectOf returns the effect of a legal move. It is made for pictures and
// words; [Ruleset.Play] is the fast way to the next position.
func EffectOf(r Ruleset, p Position, m Move) Effect {
	side, n := p.Side(), uint8(r.Info().Holes)
	switch m.kind() {
	case kindFill:
		var fell []Heap
		f := filling(m.detail())
		for hole := range f.holes() {
			if seeds := f.seeds(hole, fullHole); seeds > 0 {
				fell = append(fell, Heap{side, int(hole), int(seeds)})
			}
		}
		return Effect{Fell: fell}
	case kindTake:
		hole, _, _ := p.Takable()
		return Effect{Took: []Heap{{side, hole, p.Seeds(side, hole)}}}
	case kindClaim:
		missed, facing := int(m.hole()), int(n-1-m.hole())
		return Effect{Took: []Heap{
			{side.Other(), missed, p.Seeds(side.Other(), missed)}, {side, facing, p.Seeds(side, facing)},
		}}
	case kindSow, kindLaps:
		s := r.sown(p, m)
		holes := ringOrder(2*n, 0, 1)
		shared := s.captured
		shared.own = s.shared.own // what the mover takes there, captured or not, is its own
		return Effect{
			Lifted: heaps(p, s.lifted, holes),
			Fell:   heaps(s.fallen, s.lifted, s.order),
			Took:   heaps(s.fallen, shared, holes),
			Gave:   heaps(shared, s.shared, holes),
		}
	}
	return Effect{}
}

// heaps returns the seeds that the holes of one position hold more than those
// of another, in that order of the holes. Both positions have the mover to move.
func heaps(more, less Position, order []uint8) []Heap {
	var all []Heap
	for _, ring := range order {
		heap := more.heapAt(ring, len(order)/2)
		heap.Seeds = more.Seeds(heap.Seat, heap.Hole) - less.Seeds(heap.Seat, heap.Hole)
		if heap.Seeds > 0 {
			all = append(all, heap)
		}
	}
	return all
}

// heapAt returns the heap, without seeds, of a hole of the ring that begins with the row
// of the side to move. A row has that many holes.
func (p Position) heapAt(ring uint8, holes int) Heap {
	if int(ring) < holes {
		return Heap{Seat: p.Side(), Hole: int(ring)}
	}
	return Heap{Seat: p.Side().Other(), Hole: int(ring) - holes}
}

// sown is a sowing step by step. In each of its positions the mover is to move.
type sown struct {
	order    []uint8  // the holes of the ring, in the order in which seeds fall
	ahead    bool     // a chain of captures goes on in that order; false: it goes back
	lifted   Position // the mover holds the seeds in the hand
	fallen   Position // the seeds have fallen
	captured Position // the mover has captured
	shared   Position // both players have taken what else is theirs
}

// ringOrder returns the holes of a ring, in steps of that size from one hole on.
func ringOrder(size, from, step uint8) []uint8 {
	order := make([]uint8, size)
	for i := range order {
		order[i] = from % size
		from += step
	}
	return order
}

// lift returns the position with a hole of the mover's row empty.
func (p Position) lift(hole uint8) Position {
	p.own = p.own.with(hole, 0)
	return p
}
