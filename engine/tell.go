package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Ply is one move of a match: the positions before and after it as the match
// has them, the one after with the next round set up if the move ended one.
type Ply struct {
	Before Position
	Move   Move
	After  Position
}

// ended returns the last position of the round that the ply ended, and how it
// ended; Going if it ended none.
func (ply Ply) ended(r Ruleset) (last Position, end End) {
	last, end = r.Play(ply.Before, ply.Move)
	if end == Going && last != ply.After {
		return r.Sweep(last), Cycle
	}
	return last, end
}

// Tell says what a ply did, in whole sentences of plain ASCII: a line about the
// move, with the seeds that it sowed and took, and if a round ended with it a
// line that says why and what was swept, and one about the next round.
func Tell(r Ruleset, ply Ply) string {
	told, moved := tellMove(r, ply.Before, ply.Move)
	lines := []string{told}
	last, end := ply.ended(r)
	if end != Going {
		lines = append(lines, tellEnd(r, moved, last, end))
	}
	switch {
	case end != Going && ply.After.Phase() != PhaseOver:
		lines = append(lines, fmt.Sprintf("Round %d is set up, %s begins.", ply.After.Round(), player(ply.After.First())))
	case end == Going && ply.Before.Phase() == PhaseSow && ply.After.Phase() == PhaseStart:
		lines = append(lines, "Neither start hole holds a seed: both are given up.")
	}
	return strings.Join(lines, "\n")
}

// tellMove says what a move did by itself, and returns the position after it,
// before anything that ended with it, as far as the seeds go.
func tellMove(r Ruleset, p Position, m Move) (told string, moved Position) {
	side, n := p.Side(), uint8(r.Info().Holes)
	who := player(side)
	switch m.kind() {
	case kindPass:
		return who + " could not sow and passed.", p
	case kindFill:
		return fmt.Sprintf("%s filled its row: %s.", who, seedsTo(filled(m), side, n)), p
	case kindStart:
		return fmt.Sprintf("%s chose %s as its start hole.", who, holeName(side, m.hole())), p
	case kindTake:
		hole, wholeTurn, _ := p.Takable()
		told = fmt.Sprintf("%s took the seed in %s", who, holeName(side, uint8(hole)))
		if wholeTurn {
			told += " as its whole turn"
		}
		return told + ".", p.taken()
	case kindClaim:
		moved = p.claimed(m.hole())
		missed := holeName(side.Other(), m.hole())
		return fmt.Sprintf("%s claimed the capture missed from %s: took %d from %s %s.",
			who, missed, moved.Store(side)-p.Store(side), missed, holeName(side, n-1-m.hole())), moved
	}
	return tellSowing(r, p, m)
}

// filled returns what is in the holes that a move fills.
func filled(m Move) []drop {
	f := filling(m.detail())
	var to []drop
	for hole := range f.holes() {
		if seeds := f.seeds(hole, fullHole); seeds > 0 {
			to = append(to, drop{hole, seeds})
		}
	}
	return to
}

// tellSowing is tellMove of a sowing.
func tellSowing(r Ruleset, p Position, m Move) (told string, moved Position) {
	side, n := p.Side(), uint8(r.Info().Holes)
	s := r.sown(p, m)
	from := holeName(side, m.hole())
	if m.kind() == kindSow && m.detail()&withNext != 0 {
		from += " and " + holeName(side, m.hole()+1)
	}
	fell := s.fell()
	told = fmt.Sprintf("%s sowed %s: %s%s", player(side), from, plural(total(fell), "seed", "seeds"), fellTo(fell, side, n))
	own, opp := s.taken(n)
	if len(own) > 0 {
		told += fmt.Sprintf("; took %d from %s", total(own), holeNames(own, side, n))
	}
	if len(opp) > 0 {
		told += fmt.Sprintf("; %s took %d from %s", player(side.Other()), total(opp), holeNames(opp, side, n))
	}
	return told + ".", s.shared
}

// tellEnd says how a round ended: the position moved went into the last one.
func tellEnd(r Ruleset, moved, last Position, end End) string {
	name := "The round"
	if !r.Info().Single {
		name = fmt.Sprintf("Round %d", last.Round())
	}
	sentences := []string{fmt.Sprintf("%s is over: %s.", name, endReason(r, moved, last, end))}

	var swept []string
	for _, s := range []Seat{South, North} {
		switch seeds := last.Store(s) - moved.Store(s); {
		case seeds > 0 && len(swept) == 0:
			swept = append(swept, fmt.Sprintf("%s swept %d from its row", player(s), seeds))
		case seeds > 0:
			swept = append(swept, fmt.Sprintf("%s %d", player(s), seeds))
		}
	}
	if len(swept) > 0 {
		sentences = append(sentences, strings.Join(swept, ", ")+".")
	}

	for _, s := range []Seat{South, North} {
		if owed := last.Donkeys(s) - moved.Donkeys(s); owed > 0 {
			sentences = append(sentences, fmt.Sprintf("%s owes %s %s more.", player(s.Other()), player(s), plural(owed, "donkey", "donkeys")))
		}
	}
	return strings.Join(sentences, " ")
}

// endReason says why a round ended.
func endReason(r Ruleset, moved, last Position, end End) string {
	seeds := moved.own.seeds() + moved.opp.seeds()
	switch {
	case end == Early:
		return earlyReason(last)
	case end == Cycle && last.Quiet() >= QuietLimit:
		return fmt.Sprintf("%d sowings in a row captured nothing", QuietLimit)
	case end == Cycle:
		return "a position came back"
	case r.Info().Single:
		return player(last.Side()) + " cannot move"
	case seeds == 0:
		return "the board is empty"
	case seeds == 1:
		return "one seed is left"
	}
	return "nobody can sow"
}

// earlyReason says why a match was decided early.
func earlyReason(p Position) string {
	leader := South
	if p.Store(North) > p.Store(South) {
		leader = North
	}
	return player(leader) + " has more than half of the seeds"
}

// drop is seeds of one hole: 0 … n-1 in the mover's row, n … 2n-1 in the other.
type drop struct{ hole, seeds uint8 }

// drops returns what is more in the holes of one position than in those of
// another, both with the mover to move, in that order of the holes.
func drops(more, less Position, order []uint8) []drop {
	n := uint8(len(order)) / 2
	at := func(p Position, hole uint8) uint8 {
		if hole < n {
			return p.own.at(hole)
		}
		return p.opp.at(hole - n)
	}
	var all []drop
	for _, hole := range order {
		if seeds := at(more, hole) - at(less, hole); seeds > 0 {
			all = append(all, drop{hole, seeds})
		}
	}
	return all
}

func total(drops []drop) int {
	seeds := 0
	for _, d := range drops {
		seeds += int(d.seeds)
	}
	return seeds
}

// ones reports whether there is one seed in each hole.
func ones(drops []drop) bool { return total(drops) == len(drops) }

// fellTo is seedsTo after the number of all seeds was said.
func fellTo(fell []drop, side Seat, n uint8) string {
	if len(fell) == 1 || ones(fell) {
		return " to " + holeNames(fell, side, n)
	}
	return ", " + seedsTo(fell, side, n)
}

// seedsTo says how many seeds went where: "2 each to C D, 1 to E".
func seedsTo(fell []drop, side Seat, n uint8) string {
	groups := map[uint8][]drop{}
	for _, d := range fell {
		groups[d.seeds] = append(groups[d.seeds], d)
	}
	var parts []string
	for _, seeds := range slices.Backward(slices.Sorted(maps.Keys(groups))) {
		each := ""
		if len(groups[seeds]) > 1 {
			each = " each"
		}
		parts = append(parts, fmt.Sprintf("%d%s to %s", seeds, each, holeNames(groups[seeds], side, n)))
	}
	return strings.Join(parts, ", ")
}

// holeNames returns the names of the holes.
func holeNames(drops []drop, side Seat, n uint8) string {
	var names []string
	for _, d := range drops {
		if d.hole < n {
			names = append(names, holeName(side, d.hole))
		} else {
			names = append(names, holeName(side.Other(), d.hole-n))
		}
	}
	return strings.Join(names, " ")
}

// plural counts things.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// sown is one sowing, step by step. All its positions have the mover to move.
type sown struct {
	order    []uint8  // the holes in the order in which seeds fall
	lifted   Position // the seeds are in the hand,
	fallen   Position // have fallen,
	captured Position // the mover has captured,
	shared   Position // and each has what else comes of it
}

// fell returns the seeds that fell, in their order.
func (s sown) fell() []drop { return drops(s.fallen, s.lifted, s.order) }

// taken returns what the mover took and what the other did, on a board of n
// holes a row.
func (s sown) taken(n uint8) (own, opp []drop) {
	shared := s.captured
	shared.own = s.shared.own // what is taken there beside captures is the mover's too
	own = drops(s.fallen, shared, ringOrder(2*n, 0, 1))
	opp = drops(shared, s.shared, ringOrder(2*n, 0, 1))
	return own, opp
}

// ringOrder returns the holes of a ring, from one on in steps of that size.
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
