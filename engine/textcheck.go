package engine

import "slices"

// check refuses a position text whose parts do not fit together.
func (t *positionText) check(p Position) {
	switch p.Phase() {
	case PhaseSow:
		if t.has(PhaseStart) && p.extras.at(southStartAt)|p.extras.at(northStartAt) == 0 {
			t.fail(t.at.keys["start"], "neither player has a start hole to sow from")
		}
	case PhaseFill:
		t.checkFill(p)
	case PhaseStart:
		t.checkStart(p)
	case PhaseOver:
		t.checkOver(p)
	}
	if t.has(PhaseStart) {
		t.checkErased(p)
	}
}

// has reports whether the ruleset knows the phase.
func (t *positionText) has(phase Phase) bool {
	return slices.Contains(t.layout.phases, phase)
}

// checkFill checks a position in which the side to move fills its row: the other row
// is full, and nothing has been played on the board.
func (t *positionText) checkFill(p Position) {
	side, other := p.Side(), p.Side().Other()
	filled := setup{holes: t.info.Holes}.whole()
	whole := int(filled.seeds())
	if p.own != 0 {
		t.fail(t.at.rows[side], "%s is to fill its row, but the row is not empty; every hole must be 0", side)
	}
	if p.opp != filled {
		t.fail(t.at.rows[other], "%s is to fill its row, so the row of %s must be full; every hole must be %d",
			side, other, fullHole)
	}
	if store := p.Store(side); store < t.layout.fillers || store >= whole {
		t.fail(t.at.stores[side], "%s is to fill its row, but with %d seeds there is no choice; it must have %d to %d",
			side, store, t.layout.fillers, whole-1)
	}
	if p.Quiet() != 0 {
		t.fail(t.at.quiet, "the quiet count is %d before the first sowing; it must be 0", p.Quiet())
	}
	if p.extras.at(openedAt) != 0 {
		t.fail(t.at.keys["opened"], "nobody has sown before the rows are filled; opened must be -")
	}
	if p.extras.at(southStartAt)|p.extras.at(northStartAt) != 0 {
		t.fail(t.at.keys["start"], "nobody has a start hole before the rows are filled; start must be -,-")
	}
}

// checkStart checks a position in which the side to move chooses its start hole.
func (t *positionText) checkStart(p Position) {
	side := p.Side()
	if hole, chosen := p.StartHole(side); chosen {
		t.fail(t.at.keys["start"], "%s is to choose a start hole, but has %s already", side, side.HoleName(hole))
	}
	if p.own.seeds() == 0 {
		t.fail(t.at.rows[side], "%s is to choose a start hole, but has no seed in its row", side)
	}
}

// checkOver checks the position of a match that is over.
func (t *positionText) checkOver(p Position) {
	seeds := int(p.own.seeds()) + int(p.opp.seeds())
	half := t.info.Total() / 2
	switch {
	case seeds == 0:
	case !t.info.Single:
		t.fail(t.at.phase, "the match is over with %s left in the holes", plural(seeds, "seed"))
	case max(p.Store(South), p.Store(North)) <= half:
		t.fail(t.at.phase, "the match is over with %s left in the holes, but no store holds more than %d",
			plural(seeds, "seed"), half)
	}
	if p.extras.at(takeAt) != 0 {
		t.fail(t.at.keys["take"], "nothing can be taken when the match is over; take must be -")
	}
	if p.extras.at(missedAt) != 0 {
		t.fail(t.at.keys["missed"], "nothing can be claimed when the match is over; missed must be -")
	}
}

// checkErased checks the erased holes: none is a start hole, and each player has
// other holes.
func (t *positionText) checkErased(p Position) {
	for _, seat := range []Seat{South, North} {
		open := t.info.Holes
		for hole := range t.info.Holes {
			if p.Closed(seat, hole) {
				open--
			}
		}
		if open == 0 {
			t.fail(t.at.rows[seat], "every hole of %s is erased, so %[1]s would be out", seat)
		}
		if hole, ok := p.StartHole(seat); ok && p.Closed(seat, hole) {
			t.fail(t.at.keys["start"], "the start hole %s of %s is erased", seat.HoleName(hole), seat)
		}
	}
}
