package engine

// buqruru is the rules of buqruru as they are described today. South sows
// counter-clockwise and North clockwise, and a sowing captures holes of two, four,
// six or eight seeds in both rows.
type buqruru struct {
	game
	donkeys
}

func newBuqruru() *buqruru {
	return &buqruru{
		game: game{
			info: Info{
				Name: "buqruru", Holes: 4, Seeds: int(fullHole), Rounds: 8, Donkeys: true,
				Summary: "twos, fours, sixes and eights are captured in both rows; North sows clockwise",
				Intro: "Two, four, six or eight seeds are captured, in both rows, and you sow in opposite directions. " +
					"What you capture fills your row for the next round.",
				Source: "«Buqruru», rules in Catalan, after Bellin; web page, unsigned and undated",
			},
			text: layout{
				phases: []Phase{PhaseSow, PhaseFill, PhaseOver}, fillers: 1,
				keys: []key{firstKey(), openedKey(), donkeysKey()},
			},
		},
		donkeys: donkeys{setup{holes: 4, rest: true}},
	}
}

func (r *buqruru) Start() Position { return r.setup.start() }

func (r *buqruru) Legal(p Position, moves []Move) []Move {
	switch p.Phase() {
	case PhaseFill:
		return r.setup.moves(p, moves)
	case PhaseSow:
	default:
		return moves
	}
	if p.own == 0 {
		return append(moves, newMove(kindPass, 0, 0))
	}
	for holes := p.own.occupied(); holes != 0; holes &= holes - 1 {
		moves = append(moves, sow(holes.firstHole()))
	}
	return moves
}

func (r *buqruru) count(p Position) int {
	switch {
	case p.Phase() != PhaseSow:
		return r.setup.count(p)
	case p.own == 0:
		return 1
	}
	return p.own.occupied().holes()
}

func (r *buqruru) Play(p Position, m Move) (Position, End) {
	switch m.kind() {
	case kindFill:
		return r.setup.fill(p, m), Going
	case kindSow:
		p = r.sow(p, m)
	}
	p = p.turned()
	switch {
	case p.own|p.opp == 0:
		return r.Sweep(p), Normal
	case p.Quiet() >= QuietLimit:
		return r.Sweep(p), Cycle
	}
	return p, Going
}

// sow sows a hole and captures. The player's first sowing of the round captures
// nothing.
func (r *buqruru) sow(p Position, m Move) Position {
	c := p.next(m, p.Side() == North)
	c = c.sow(p.own.hole(m.hole())).back()
	var taken uint8
	if p.Opened(p.Side()) {
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
	return sown{
		order:  nextOrder(m, p.Side() == North),
		lifted: p.lift(m.hole()), fallen: r.sow(p.unopened(), m), captured: after, shared: after,
	}
}

// unopened returns the position with the note that nobody has sown in the round. A
// sowing from it captures nothing.
func (p Position) unopened() Position {
	p.extras = p.extras.with(openedAt, 0)
	return p
}

func (r *buqruru) limited(rounds int) Ruleset {
	limited := *r
	limited.info.Rounds = rounds
	return &limited
}
