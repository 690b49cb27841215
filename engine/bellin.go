package engine

// bellin is the rules of buqruru after Bellin's account of 1963, and after Ludii's
// summary of it. Every sowing of a player leaves from the start hole that the
// player chose, with as many seeds a hole as the player chooses.
type bellin struct {
	game
	ludii bool // the rules of Ludii's summary
}

func newBellin() *bellin {
	return &bellin{
		game: game{
			info: Info{
				Name: "buqruru-bellin", Holes: 4, Seeds: 6, Rounds: 8, Closed: "erased", Donkeys: true,
				Summary: "every sowing leaves from a chosen start hole, one to four seeds a hole, lap by lap",
				Intro: "You choose one start hole for each round and sow only from it, with one to four seeds a hole. " +
					"A game for people who like to count.",
				Source: "Paul Bellin, «L'enfant saharien à travers ses jeux», " +
					"Journal de la Société des africanistes 33 (1), 1963, pp. 77-78",
			},
			ready: PhaseStart, rest: true, keys: []key{firstKey(), openedKey(), startKey(4), donkeysKey()},
		},
	}
}

func newLudii() *bellin {
	r := newBellin()
	r.ludii = true
	r.info.Name = "buqruru-ludii"
	r.info.Summary = "like buqruru-bellin, but both players sow counter-clockwise, the same number of seeds in every hole"
	r.info.Intro = "You choose one start hole for each round and sow only from it. Both players sow in the same " +
		"direction, with the same number of seeds in every hole."
	r.info.Source = "Ludii Portal, “Evidence in Haggar-Tidikelt”, DLP.Evidence.2127, after Bellin"
	return r
}

func (r *bellin) Legal(p Position, moves []Move) []Move {
	switch p.Phase() {
	case PhaseStart:
		for holes := p.own.counts().occupied(); holes != 0; holes &= holes - 1 {
			moves = append(moves, newMove(kindStart, holes.firstHole(), 0))
		}
		return moves
	case PhaseSow:
	default:
		return r.fillings(p, moves)
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
	return appendLaps(moves, uint8(hole), 0, seeds, uint8(p.ring().open().holes()), most)
}

// A player drops at most mostEach seeds in each hole, and more than one only of more
// than manySeeds.
const (
	mostEach  uint8 = 4
	manySeeds uint8 = 6
)

// appendLaps appends the sowings of a hole that begin with the laps so far, when
// so many seeds are left in the hand.
func appendLaps(moves []Move, hole uint8, so laps, hand, open, most uint8) []Move {
	for each := uint8(1); each <= min(most, hand); each++ {
		if hand <= each*open {
			moves = append(moves, newMove(kindLaps, hole, uint64(so.then(each))))
		} else {
			moves = appendLaps(moves, hole, so.then(each), hand-each*open, open, most)
		}
	}
	return moves
}

// startSeeds returns the number of seeds in the seat's start hole, 0 if it has
// none.
func (p Position) startSeeds(s Seat) uint8 {
	// The byte below the row is empty, for the number 0 that stands for no hole.
	return (p.row(s) << 8).at(p.extras.at(startAt(s)))
}

func (r *bellin) Play(p Position, m Move) (Position, End) {
	switch m.kind() {
	case kindFill:
		return r.fill(p, m)
	case kindStart:
		p = p.started(m.hole())
	case kindPass:
		p = p.turned()
	case kindLaps:
		p = r.sow(p, m).turned()
	}
	if normal := p.ring().seeds() <= 1; normal || r.stops(p) {
		return r.ended(p, normal)
	}
	if p.Phase() == PhaseSow && p.startSeeds(p.Side()) == 0 && p.startSeeds(p.Side().Other()) == 0 {
		p = p.restarted()
	}
	return p, Going
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

// restarted returns the position with both start holes given up. The players then choose
// new ones, the side to move first if its row has a seed.
func (p Position) restarted() Position {
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
	c := r.drop(p, m)
	if !p.HasSown(p.Side()) {
		return p.withRing(c.ring()).withOpened().stored(0, 0)
	}
	c, own := r.capture(c)
	after := c.ring()
	shared := after.counts()
	if r.ludii {
		shared &= sharedLudii(p.ring(), p.lift(m.hole()).ring(), after).bytes()
	} else {
		shared &= sharedBellin(p.ring(), after).bytes()
	}
	if own == 0 && shared == 0 { // stored alone would do, but more slowly: this is the usual case
		return p.withRing(after).withOpened().stored(0, 0)
	}
	rows := p.withRing(shared)
	return p.withRing(after-shared).withOpened().stored(own+rows.own.seeds(), rows.opp.seeds())
}

// clockwise reports whether the side to move sows clockwise.
func (r *bellin) clockwise(p Position) bool { return p.Side() == North && !r.ludii }

// drop sows a hole lap by lap. Each lap visits every hole that is not closed, from
// the next one to the hole of departure. It returns the ring as it is seen from the
// hole of the last seeds, looking back.
func (r *bellin) drop(p Position, m Move) circuit {
	c := p.next(m, r.clockwise(p))
	l := laps(m.detail())
	hand, each := p.own.at(m.hole()), l.each(0)
	open := c.view.open()
	holes := uint8(open.holes())
	for lap := 1; hand > each*holes; lap++ {
		c.view += open >> 7 * row(each)
		hand -= each * holes
		each = l.each(min(lap, l.len()-1))
	}
	n := hand
	if each > 1 {
		n = (hand + each - 1) / each
	}
	reached := open.upTo(n)
	last := reached.lastHole()
	c.view += reached>>7*row(each) - row(n*each-hand)<<(8*last)
	return c.ahead(last).back()
}

// capture takes what the mover captures, from the hole of the last seeds back, and
// returns the number of seeds.
func (r *bellin) capture(c circuit) (after circuit, seeds uint8) {
	counts := c.view.counts()
	small := counts.smallEven()
	switch {
	case r.ludii:
		return c.takeSmallEvens()
	case small&row(closed) == 0:
		return c, 0 // the hole of the last seeds
	}
	return c.take(small & counts.odd().before())
}

// sharedBellin returns the set of holes that their owners take after the mover has
// captured: the raised ones, whose even number of seeds became a higher even number.
func sharedBellin(before, after row) row {
	was, is := before.counts(), after.counts()
	more := ((is | everyHole) - was - lanes) & everyHole
	return was.occupied() &^ was.odd() &^ is.odd() & more
}

// sharedLudii returns the set of holes that their owners take after the mover has
// captured: the sown holes in which an odd number of seeds became even, and in the
// other row also those with a small even number. In lifted the hole of departure is
// empty.
func sharedLudii(before, lifted, after row) row {
	const other = everyHole &^ (1<<32 - 1)
	sown := (after ^ lifted).occupied()
	made := before.odd() &^ after.odd()
	return sown & (made | after.counts().smallEven()&other)
}

func (r *bellin) sown(p Position, m Move) sown {
	c := r.drop(p, m)
	fallen := p.withRing(c.ring())
	if p.HasSown(p.Side()) {
		c, _ = r.capture(c)
	}
	return sown{
		order:  nextOrder(m, r.clockwise(p)),
		lifted: p.lift(m.hole()), fallen: fallen, captured: p.withRing(c.ring()), shared: r.sow(p, m),
	}
}
