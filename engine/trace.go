package engine

import "slices"

// ShiftKind says where the seeds of a [Shift] come from and where they go.
type ShiftKind uint8

// The kinds of a shift.
const (
	Lift  ShiftKind = iota // from a hole to the mover's hand
	Drop                   // from the mover's hand to a hole
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
	shifts := traceMove(r, ply.Before, ply.Move)
	last, end := ply.End(r)
	if end == Going {
		return shifts
	}
	left := map[Heap]int{} // seeds by hole, a Heap without seeds
	holes := r.Info().Holes
	for _, seat := range []Seat{South, North} {
		for hole := range holes {
			left[Heap{Seat: seat, Hole: hole}] = ply.Before.Seeds(seat, hole)
		}
	}
	for _, s := range shifts {
		if s.Kind == Drop || s.Kind == Fill {
			s.Seeds = -s.Seeds
		}
		left[Heap{Seat: s.Seat, Hole: s.Hole}] -= s.Seeds
	}
	var setup []Shift
	for _, seat := range []Seat{South, North} {
		for hole := range holes {
			kept := last.Seeds(seat, hole)
			if seeds := left[Heap{Seat: seat, Hole: hole}] - kept; seeds > 0 {
				shifts = append(shifts, Shift{Sweep, Heap{seat, hole, seeds}})
			}
			if seeds := ply.After.Seeds(seat, hole) - kept; seeds > 0 {
				setup = append(setup, Shift{Fill, Heap{seat, hole, seeds}})
			}
		}
	}
	return append(shifts, setup...)
}

// End returns the last position of the round that the ply ended, after the sweep, and
// how the round ended. If the ply ended none, end is Going.
func (ply Ply) End(r Ruleset) (last Position, end End) {
	last, end = r.Play(ply.Before, ply.Move)
	if end == Going && last != ply.After {
		return r.Sweep(last), Cycle // only repetition depends on the history
	}
	return last, end
}

// traceMove is Trace without what the end of a round moves.
func traceMove(r Ruleset, p Position, m Move) []Shift {
	switch m.kind() {
	case kindSow, kindLaps:
		return r.sown(p, m).trace(p, m)
	case kindClaim:
		effect := EffectOf(r, p, m)
		missed, facing := effect.Took[0], effect.Took[1]
		crossed := Heap{facing.Seat, facing.Hole, missed.Seeds}
		facing.Seeds += missed.Seeds
		return []Shift{{Lift, missed}, {Drop, crossed}, {Take, facing}}
	}
	effect := EffectOf(r, p, m)
	return append(shifts(Fill, effect.Fell), shifts(Take, effect.Took)...)
}

// shifts returns a shift of that kind for each heap.
func shifts(kind ShiftKind, heaps []Heap) []Shift {
	var all []Shift
	for _, heap := range heaps {
		all = append(all, Shift{kind, heap})
	}
	return all
}

// trace returns the shifts of the sowing.
func (s sown) trace(p Position, m Move) []Shift {
	all := shifts(Lift, heaps(p, s.lifted, s.order))
	drops := s.drops(m)
	all = append(all, shifts(Drop, drops)...)

	// The captures are told from the hole of the last seed on.
	last := drops[len(drops)-1]
	chain := slices.Clone(s.order)
	if !s.ahead {
		slices.Reverse(chain)
	}
	for p.heapAt(chain[0], len(chain)/2) != (Heap{last.Seat, last.Hole, 0}) {
		chain = append(chain[1:], chain[0])
	}
	all = append(all, shifts(Take, heaps(s.fallen, s.captured, chain))...)
	for _, heap := range heaps(s.captured, s.shared, s.order) {
		kind := Take
		if heap.Seat != p.Side() {
			kind = Give
		}
		all = append(all, Shift{kind, heap})
	}
	return all
}

// drops returns the seeds that fall, lap by lap.
func (s sown) drops(m Move) []Heap {
	var l laps
	if m.kind() == kindLaps {
		l = laps(m.detail())
	}
	falls := heaps(s.fallen, s.lifted, s.order)
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
