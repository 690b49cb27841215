package engine

import "slices"

// check refuses a position text whose parts do not fit together.
func (t *positionText) check(p Position) {
	switch p.Phase() {
	case PhaseSow:
		t.refuse(t.has(PhaseStart) && p.extras.at(southStartAt)|p.extras.at(northStartAt) == 0,
			"start", "neither player has a start hole to sow from")
	case PhaseFill:
		t.checkFill(p)
	case PhaseStart:
		side := p.Side()
		_, chosen := p.StartHole(side)
		t.refuse(chosen, "start", "%s is to choose a start hole, but has one already", side)
		t.refuse(p.own.seeds() == 0, partRow(side), "%s is to choose a start hole, but has no seed in its row", side)
	case PhaseOver:
		t.checkOver(p)
	}
	t.checkExtras(p)
	if t.has(PhaseStart) {
		t.checkErased(p)
	}
}

// refuse fails at a part of the text if a condition holds.
func (t *positionText) refuse(wrong bool, part, format string, args ...any) {
	if wrong {
		t.fail(t.at[part], format, args...)
	}
}

// has reports whether the ruleset knows the phase.
func (t *positionText) has(phase Phase) bool {
	return slices.Contains(t.phases(), phase)
}

// checkFill checks a position in which the side to move fills its row: the other row
// is full, and nothing has been played on the board.
func (t *positionText) checkFill(p Position) {
	side, other := p.Side(), p.Side().Other()
	whole, least, store := int(t.whole().seeds()), t.fewest(), p.Store(side)
	storePart := partStores
	if side == North {
		storePart = partNorthStore
	}
	t.refuse(p.own != 0, partRow(side), "%s is to fill its row, but the row is not empty; every hole must be 0", side)
	t.refuse(p.opp != t.whole(), partRow(other),
		"%s is to fill its row, so the row of %s must be full; every hole must be %d", side, other, t.info.Seeds)
	t.refuse(store < least || store >= whole, storePart,
		"%s is to fill its row, but with %d seeds there is no choice; it must have %d to %d", side, store, least, whole-1)
	t.refuse(p.Quiet() != 0, partQuiet, "the quiet count is %d before the first sowing; it must be 0", p.Quiet())
	t.refuse(p.extras.at(openedAt) != 0, "opened", "nobody has sown before the rows are filled; opened must be -")
	t.refuse(p.extras.at(southStartAt)|p.extras.at(northStartAt) != 0,
		"start", "nobody has a start hole before the rows are filled; start must be -,-")
}

// checkOver checks the position of a match that is over.
func (t *positionText) checkOver(p Position) {
	seeds := p.inRow(South) + p.inRow(North)
	t.refuse(seeds > 0 && !t.info.Decided(p),
		partPhase, "the match is over with %s left in the holes, and no store decides it", plural(seeds, "seed"))
	t.refuse(p.notes().at(takeAt) != 0, "take", "nothing can be taken when the match is over; take must be -")
	t.refuse(p.notes().at(missedAt) != 0, "missed", "nothing can be claimed when the match is over; missed must be -")
}

// checkExtras checks what may be taken, claimed and owed.
func (t *positionText) checkExtras(p Position) {
	if hole, _, ok := p.Takable(); ok {
		t.refuse(p.own.at(uint8(hole)) != 1, "take", "only a single seed can be taken")
	}
	for hole := range t.info.Holes {
		facing := p.own.at(uint8(t.info.Holes - 1 - hole))
		t.refuse(p.Missed(hole) && (p.opp.at(uint8(hole)) != 1 || facing < 1 || facing > 2),
			"missed", "only a hole of 1 that faces 1 or 2 can be missed, not %s", p.Side().Other().HoleName(hole))
	}
	// Play never leads to more donkeys, and a byte can still hold what all later rounds can add.
	most := 50 + 2*p.Round()
	if p.Phase() == PhaseOver {
		most += 2
	}
	t.refuse(max(p.Donkeys(South), p.Donkeys(North)) > most, "donkeys", "nobody is owed more than %d donkeys", most)
}

// checkErased checks the erased holes: none is a start hole, and each player has
// other holes.
func (t *positionText) checkErased(p Position) {
	for _, seat := range []Seat{South, North} {
		open := 0
		for hole := range t.info.Holes {
			if !p.Closed(seat, hole) {
				open++
			}
		}
		t.refuse(open == 0, partRow(seat), "every hole of %s is erased, so %[1]s would be out", seat)
		hole, ok := p.StartHole(seat)
		t.refuse(ok && p.Closed(seat, hole), "start", "the start hole of %s is erased", seat)
	}
}
