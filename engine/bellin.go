package engine

// bellin is the rules of buqruru after Bellin's account of 1963, and after Ludii's
// summary of it. Every sowing of a player leaves from the start hole that the
// player chose, with as many seeds a hole as the player chooses.
type bellin struct {
	game
	donkeys
	ludii bool // the rules of Ludii's summary
}

func newBellin() *bellin {
	return &bellin{
		game: game{
			info: Info{
				Name: "buqruru-bellin", Holes: 4, Seeds: int(fullHole), Rounds: 8, Closed: "erased", Donkeys: true,
				Summary: "every sowing leaves from a chosen start hole, one to four seeds a hole, lap by lap",
				Source: "Paul Bellin, «L'enfant saharien à travers ses jeux», " +
					"Journal de la Société des africanistes 33 (1), 1963, pp. 77-78",
			},
			text: layout{
				phases: []Phase{PhaseSow, PhaseFill, PhaseStart, PhaseOver}, fillers: 1,
				keys: []key{firstKey(), openedKey(), startKey(), donkeysKey()},
			},
		},
		donkeys: donkeys{setup{holes: 4, rest: true, closes: true, ready: PhaseStart}},
	}
}

func newLudii() *bellin {
	r := newBellin()
	r.ludii = true
	r.info.Name = "buqruru-ludii"
	r.info.Summary = "as buqruru-bellin, but both sow counter-clockwise and as many seeds in every hole"
	r.info.Source = "Ludii Portal, “Evidence in Haggar-Tidikelt”, DLP.Evidence.2127, after Bellin"
	return r
}

func (r *bellin) Start() Position { return r.setup.start() }

func (r *bellin) Legal(p Position, moves []Move) []Move {
	switch p.Phase() {
	case PhaseFill:
		return r.setup.moves(p, moves)
	case PhaseStart:
		for holes := p.own.counts().occupied(); holes != 0; holes &= holes - 1 {
			moves = append(moves, newMove(kindStart, holes.firstHole(), 0))
		}
		return moves
	case PhaseSow:
	default:
		return moves
	}
	seeds := p.startSeeds(p.Side())
	if seeds == 0 {
		return append(moves, newMove(kindPass, 0, 0))
	}
	hole, _ := p.StartHole(p.Side())
	if r.ludii {
		for each := uint8(1); each <= mostEach; each++ {
			if seeds%each == 0 {
				moves = append(moves, newMove(kindLaps, uint8(hole), uint64(laps(0).then(each))))
			}
		}
		return moves
	}
	most := uint8(1)
	if seeds > manySeeds {
		most = mostEach
	}
	c := p.circuit(r.info.Holes, false)
	return appendLaps(moves, uint8(hole), 0, seeds, c.open(), most)
}

// A player drops at most mostEach seeds at once, and more than one only of more
// than manySeeds.
const (
	mostEach  uint8 = 4
	manySeeds uint8 = 6
)

// appendLaps appends the sowings of a hole that begin with the laps so far, when
// so many seeds are left in the hand.
func appendLaps(moves []Move, hole uint8, so laps, hand, open, most uint8) []Move {
	if hand == 0 {
		return append(moves, newMove(kindLaps, hole, uint64(so)))
	}
	for each := uint8(1); each <= min(most, hand); each++ {
		moves = appendLaps(moves, hole, so.then(each), hand-min(hand, each*open), open, most)
	}
	return moves
}

// startSeeds returns the number of seeds in the seat's start hole, 0 if it has
// none.
func (p Position) startSeeds(s Seat) uint8 {
	hole, ok := p.StartHole(s)
	if !ok {
		return 0
	}
	return p.row(s).at(uint8(hole))
}

func (r *bellin) Play(p Position, m Move) (Position, End) {
	switch m.kind() {
	case kindFill:
		return r.setup.fill(p, m), Going
	case kindStart:
		p = p.started(m.hole())
	case kindPass:
		p = p.turned()
	case kindLaps:
		p = r.sow(p, m).turned()
	}
	switch {
	case p.own.seeds()+p.opp.seeds() <= 1:
		return r.Sweep(p), Normal
	case p.Quiet() >= QuietLimit:
		return r.Sweep(p), Cycle
	}
	return p.restarted(), Going
}

// started returns the position after the side to move has chosen its start hole.
// The other side chooses next, unless it has chosen already or has no seed. Then
// the side that chose first sows first.
func (p Position) started(hole uint8) Position {
	side := p.Side()
	p.extras = p.extras.with(startAt(side), hole+1)
	_, chosen := p.StartHole(side.Other())
	switch {
	case chosen:
		p.tally = p.tally.with(phaseAt, uint8(PhaseSow))
		return p.turned()
	case p.opp.seeds() == 0:
		p.tally = p.tally.with(phaseAt, uint8(PhaseSow))
		return p
	}
	return p.turned()
}

// restarted returns the position with both start holes given up if neither holds a
// seed. The players then choose new ones, the side to move first if its row has a
// seed.
func (p Position) restarted() Position {
	if p.Phase() != PhaseSow || p.startSeeds(South) > 0 || p.startSeeds(North) > 0 {
		return p
	}
	p.extras = p.extras.with(southStartAt, 0).with(northStartAt, 0)
	p.tally = p.tally.with(phaseAt, uint8(PhaseStart))
	if p.own.seeds() == 0 {
		p = p.turned()
	}
	return p
}

// sow sows the start hole and takes for both players. The player's first sowing of
// the round takes nothing.
func (r *bellin) sow(p Position, m Move) Position {
	before := p.circuit(r.info.Holes, p.Side() == North && !r.ludii)
	after, last, reached := r.drop(before, m)
	var own, opp uint8
	if p.Opened(p.Side()) {
		if r.ludii {
			own, opp = takeLudii(before, &after, last, reached)
		} else {
			own, opp = takeBellin(before, &after, last)
		}
	}
	return p.with(after).withOpened().stored(own, opp)
}

// drop sows a hole lap by lap. Each lap visits every hole that is not closed, from
// the next one to the hole of departure. It returns the hole of the last seeds,
// and the holes where any fell as a bit a hole.
func (r *bellin) drop(c circuit, m Move) (after circuit, last, reached uint8) {
	l := laps(m.detail())
	last = m.hole()
	hand := c.lift(last)
	for lap := 0; hand > 0; {
		each := l.each(min(lap, l.len()-1))
		last = c.next(last)
		c.drop(last, min(each, hand))
		reached |= 1 << last
		hand -= min(each, hand)
		if last == m.hole() {
			lap++
		}
	}
	return c, last, reached
}

// takeBellin takes what the mover captures, and then the raised holes for their
// owners: those whose even number of seeds became a higher even number.
func takeBellin(before circuit, after *circuit, last uint8) (own, opp uint8) {
	if smallEven(after.at(last)) {
		hole := last
		for after.at(hole)%2 == 0 {
			if smallEven(after.at(hole)) {
				own += after.lift(hole)
			}
			if hole = after.back(hole); hole == last {
				break
			}
		}
	}
	for hole := range after.size() {
		was, is := before.at(hole), after.at(hole)
		if was == 0 || was%2 != 0 || is%2 != 0 || is <= was {
			continue // a hole that was captured is empty
		}
		if after.own(hole) {
			own += after.lift(hole)
		} else {
			opp += after.lift(hole)
		}
	}
	return own, opp
}

// takeLudii takes what the mover captures, and then for each player what the rules
// give of the sown holes of the player's row.
func takeLudii(before circuit, after *circuit, last, reached uint8) (own, opp uint8) {
	for hole := last; smallEven(after.at(hole)); hole = after.back(hole) {
		own += after.lift(hole)
		reached &^= 1 << hole
	}
	for hole := range after.size() {
		if reached>>hole&1 == 0 {
			continue
		}
		made := before.at(hole)%2 != 0 && after.at(hole)%2 == 0
		switch {
		case after.own(hole) && made:
			own += after.lift(hole)
		case !after.own(hole) && (made || smallEven(after.at(hole))):
			opp += after.lift(hole)
		}
	}
	return own, opp
}

func (r *bellin) sown(p Position, m Move) sown {
	before := p.circuit(r.info.Holes, p.Side() == North && !r.ludii)
	c, last, _ := r.drop(before, m)
	fallen := p.with(c)
	if p.Opened(p.Side()) {
		// With empty holes before, or with no hole reached, only the mover captures.
		if r.ludii {
			takeLudii(before, &c, last, 0)
		} else {
			takeBellin(circuit{row: c.row, step: c.step}, &c, last)
		}
	}
	return sown{ringOrder(c.size(), m.hole()+c.step, c.step), p.lift(m.hole()), fallen, p.with(c), r.sow(p, m)}
}

func (r *bellin) limited(rounds int) Ruleset {
	limited := *r
	limited.info.Rounds = rounds
	return &limited
}
