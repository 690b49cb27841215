package engine

import "slices"

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
		to := [...]*[]Heap{Lift: &e.Lifted, Drop: &e.Dropped, Fill: &e.Dropped, Take: &e.Took, Give: &e.OtherTook}[s.Kind]
		same := func(h Heap) bool { return h.Seat == s.Seat && h.Hole == s.Hole }
		if i := slices.IndexFunc(*to, same); i >= 0 {
			(*to)[i].Seeds += s.Seeds
		} else {
			*to = append(*to, s.Heap)
		}
	}
	ring := func(h Heap) int { return mostHoles*int(h.Seat^p.Side()) + h.Hole } // the mover's own row comes first
	for _, heaps := range [][]Heap{e.Lifted, e.Took, e.OtherTook} {
		slices.SortFunc(heaps, func(a, b Heap) int { return ring(a) - ring(b) })
	}
	return e
}
