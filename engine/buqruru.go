package engine

// buqruru is the rules of buqruru as they are described today. South sows
// counter-clockwise and North clockwise, and a sowing captures holes of two, four,
// six or eight seeds in both rows.
type buqruru struct {
	game
}

func newBuqruru() *buqruru {
	return &buqruru{
		game: game{
			info: Info{
				Name: "buqruru", Holes: 4, Seeds: 6, Rounds: 8, Donkeys: true,
				Summary: "twos, fours, sixes and eights are captured in both rows; North sows clockwise",
				Intro: "Two, four, six or eight seeds are captured, in both rows, and you sow in opposite directions. " +
					"What you capture fills your row for the next round.",
				Source: "«Buqruru», rules in Catalan, after Bellin; web page, unsigned and undated",
			},
			rest: true, keys: []key{firstKey(), openedKey(), donkeysKey()},
		},
	}
}

func (r *buqruru) Legal(p Position, moves []Move) []Move {
	if p.Phase() != PhaseSow {
		return r.fillings(p, moves)
	}
	if p.own == 0 {
		return append(moves, newMove(kindPass, 0, 0))
	}
	for holes := p.own.occupied(); holes != 0; holes &= holes - 1 {
		moves = append(moves, sow(holes.firstHole()))
	}
	return moves
}

func (r *buqruru) count(p Position) int { return max(1, p.own.occupied().holes()) }

func (r *buqruru) Play(p Position, m Move) (Position, End) {
	switch m.kind() {
	case kindFill:
		return r.fill(p, m)
	case kindSow:
		p = r.sow(p, m)
	}
	p = p.turned()
	if normal := p.own|p.opp == 0; normal || r.stops(p) {
		return r.ended(p, normal)
	}
	return p, Going
}

// sow sows a hole and captures. The player's first sowing of the round captures
// nothing.
func (r *buqruru) sow(p Position, m Move) Position {
	c := p.next(m, p.Side() == North)
	c = c.sow(p.own.hole(m.hole())).back()
	var taken uint8
	if p.HasSown(p.Side()) {
		c, taken = c.takeSmallEvens()
	}
	return p.withRing(c.ring()).withOpened().stored(taken, 0)
}

// withOpened returns the position with the note that the side to move has sown in
// this round.
func (p Position) withOpened() Position {
	p.extras |= tally(1+p.Side()) << openedAt
	return p
}

func (r *buqruru) sown(p Position, m Move) sown {
	after := r.sow(p, m)
	lifted, fresh := p.lift(m.hole()), p
	fresh.extras = fresh.extras.with(openedAt, 0) // a sowing from it captures nothing
	return sown{
		order:  nextOrder(m, p.Side() == North),
		lifted: lifted, fallen: r.sow(fresh, m), captured: after, shared: after,
	}
}
