package engine

// bechi is the rules of bechi on two rows of four holes or of three. The hole
// decides the direction, the first seed falls in the hole itself, and a capture
// takes only holes that were sown from in the round.
type bechi struct {
	game
	setup setup
}

func newBechi() *bechi {
	return &bechi{
		game: game{
			info: Info{
				Name: "bechi", Holes: 4, Seeds: int(fullHole), Rounds: 8, Closed: "closed",
				Summary: "the hole decides the direction; even holes that were sown from in the round are captured",
				Source:  "«Bechi», rules in Catalan, after the Kunama of Eritrea; web page, unsigned and undated",
			},
			text: layout{
				phases: []Phase{PhaseSow, PhaseFill, PhaseOver}, marks: true, fillers: int(fullHole),
				keys: []key{firstKey()},
			},
		},
		setup: setup{holes: 4, closes: true},
	}
}

func newBechi2x3() *bechi {
	r := newBechi()
	r.info.Name = "bechi-2x3"
	r.info.Holes, r.setup.holes = 3, 3
	r.info.Summary = "as bechi, but with three holes a row; the middle hole is sown either way"
	return r
}

func (r *bechi) Start() Position { return r.setup.start() }

func (r *bechi) Legal(p Position, moves []Move) []Move {
	switch p.Phase() {
	case PhaseFill:
		return r.setup.moves(p, moves)
	case PhaseSow:
	default:
		return moves
	}
	if !playable(p.own) {
		return append(moves, newMove(kindPass, 0, 0))
	}
	for hole := range uint8(r.info.Holes) {
		switch {
		case p.own.at(hole) < 2:
		case r.middle(hole):
			moves = append(moves, newMove(kindSow, hole, towards), newMove(kindSow, hole, against))
		default:
			moves = append(moves, sow(hole))
		}
	}
	return moves
}

// middle reports whether the hole can be sown either way.
func (r *bechi) middle(hole uint8) bool { return 2*int(hole)+1 == r.info.Holes }

// clockwise reports whether the move sows clockwise, as those of the holes at the
// player's left do.
func (r *bechi) clockwise(m Move) bool {
	if r.middle(m.hole()) {
		return m.detail()&against != 0
	}
	return int(m.hole()) < r.info.Holes/2
}

// playable reports whether a hole of the row can be sown from: it holds two
// seeds or more. Closed holes are empty.
func playable(r row) bool { return r.counts()&(lanes*row(countBits&^1)) != 0 }

func (r *bechi) Play(p Position, m Move) (Position, End) {
	switch m.kind() {
	case kindFill:
		return r.setup.fill(p, m), Going
	case kindSow:
		p = r.sow(p, m)
	}
	p = p.turned()
	switch {
	case !playable(p.own) && !playable(p.opp):
		return r.Sweep(p), Normal
	case p.Quiet() >= QuietLimit:
		return r.Sweep(p), Cycle
	}
	return p, Going
}

// sow sows and marks a hole, and captures.
func (r *bechi) sow(p Position, m Move) Position {
	c := p.circuit(r.info.Holes, r.clockwise(m))
	hand := c.lift(m.hole())
	c.ring |= row(marked) << (8 * m.hole())
	last := m.hole()
	c.drop(last, 1)
	for range hand - 1 {
		last = c.next(last)
		c.drop(last, 1)
	}
	var taken uint8
	for hole := last; c.ring.hole(hole)&marked != 0; hole = c.next(hole) {
		if seeds := c.at(hole); seeds == 0 || seeds%2 != 0 {
			break
		}
		taken += c.lift(hole)
	}
	return p.with(c).stored(taken, 0)
}

func (r *bechi) Sweep(p Position) Position { return p.swept() }

// Next sets up the next round. The seat that did not begin the last round begins
// it. A player with fewer than six seeds is out.
func (r *bechi) Next(p Position) (Position, bool) {
	if min(p.Store(South), p.Store(North)) < int(fullHole) {
		return Position{}, false
	}
	return r.setup.next(p, p.First().Other()), true
}

// Winner returns the player with the larger store. A player who is out has the
// smaller one.
func (r *bechi) Winner(p Position) Result { return largerStore(p) }

func (r *bechi) sown(p Position, m Move) sown {
	c := p.circuit(r.info.Holes, r.clockwise(m))
	hole := m.hole()
	for range c.lift(hole) {
		c.drop(hole, 1)
		hole = c.next(hole)
	}
	after := r.sow(p, m)
	return sown{ringOrder(c.size(), m.hole(), c.step), p.lift(m.hole()), p.with(c), after, after}
}

func (r *bechi) limited(rounds int) Ruleset {
	limited := *r
	limited.info.Rounds = rounds
	return &limited
}
