package engine

// bechi is the rules of bechi on two rows of four holes or of three. The hole
// decides the direction, the first seed falls in the hole itself, and a capture
// takes only holes that were sown from in the round.
type bechi struct {
	game
	either  row // the set of the hole that can be sown either way, if there is one
	missing row // closes the holes of a ring that a smaller board does not have
}

func newBechi() *bechi {
	return &bechi{
		game: game{
			info: Info{
				Name: "bechi", Holes: 4, Seeds: 6, Rounds: 8, Closed: "closed",
				Summary: "the hole decides the direction; even holes that were sown from in the round are captured",
				Intro: "Each hole has its own direction. You capture even numbers of seeds, but only in holes from which " +
					"somebody has sown before. What you capture fills your row for the next round.",
				Source: "«Bechi», rules in Catalan, after the Kunama of Eritrea; web page, unsigned and undated",
			},
			marks: true, keys: []key{firstKey()},
		},
	}
}

func newBechi2x3() *bechi {
	r := newBechi()
	r.info.Name = "bechi-2x3"
	r.info.Holes = 3
	r.either = row(closed) << (8 * 1)
	r.missing = row(closed)<<(8*3) | row(closed)<<(8*7)
	r.info.Summary = "like bechi, but with three holes a row; the middle hole is sown either way"
	r.info.Intro = "Bechi on a small board of two rows of three holes, good for short matches. " +
		"For the hole in the middle you choose the direction."
	return r
}

func (r *bechi) Legal(p Position, moves []Move) []Move {
	if p.Phase() != PhaseSow {
		return r.fillings(p, moves)
	}
	holes := playable(p.own)
	if holes == 0 {
		return append(moves, newMove(kindPass, 0, 0))
	}
	for ; holes != 0; holes &= holes - 1 {
		hole := holes.firstHole()
		if r.either.hole(hole) != 0 {
			moves = append(moves, newMove(kindSow, hole, towards), newMove(kindSow, hole, against))
		} else {
			moves = append(moves, sow(hole))
		}
	}
	return moves
}

func (r *bechi) count(p Position) int {
	holes := playable(p.own)
	return max(1, holes.holes()+(holes&r.either).holes())
}

// clockwise reports whether the move sows clockwise, as those of the holes at the
// player's left do.
func (r *bechi) clockwise(m Move) bool {
	return int(m.hole()) < r.info.Holes/2 || m.detail()&against != 0
}

// playable returns the set of holes that can be sown from: they hold two seeds or
// more. Closed holes are empty.
func playable(r row) row { return r.counts().above(1) }

func (r *bechi) Play(p Position, m Move) (Position, End) {
	switch m.kind() {
	case kindFill:
		return r.fill(p, m)
	case kindSow:
		p = r.sow(p, m)
	}
	p = p.turned()
	if normal := playable(p.ring()) == 0; normal || r.stops(p) {
		return r.ended(p, normal)
	}
	return p, Going
}

// circuit returns the ring as the move sows it, from the hole of the move on.
func (r *bechi) circuit(p Position, m Move) circuit {
	return (p.ring() | r.missing).from(m.hole(), r.clockwise(m))
}

// sow sows and marks a hole, and captures.
func (r *bechi) sow(p Position, m Move) Position {
	c := r.circuit(p, m)
	hand := uint8(c.view) & countBits
	c.view = c.view - row(hand) | row(marked)
	c = c.sow(hand)
	counts := c.view.counts()
	even := counts.occupied() &^ counts.odd()
	takable := even & (c.view << 1) // the flag marked is the bit below that of a set
	c, seeds := c.take(takable & (c.view.open() &^ takable).before())
	return p.withRing(c.ring()^r.missing).stored(seeds, 0)
}

func (r *bechi) sown(p Position, m Move) sown {
	c := r.circuit(p, m)
	hand := uint8(c.view) & countBits
	c.view -= row(hand)
	c = c.sow(hand)
	size, step := uint8(2*r.info.Holes), uint8(1)
	if c.reverse {
		step = size - 1
	}
	after := r.sow(p, m)
	return sown{
		order: ringOrder(size, m.hole(), step), ahead: true,
		lifted: p.lift(m.hole()), fallen: p.withRing(c.ring() ^ r.missing), captured: after, shared: after,
	}
}
