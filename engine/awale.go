package engine

import "math/bits"

// awale is the rules of awale and of oware: two rows of six holes,
// counter-clockwise sowing that passes over the hole of departure, and capture of
// twos and threes in the opponent's row. The two differ in the grand slam, a move
// that would take every seed of the opponent's row.
type awale struct {
	game
	slamIllegal bool // in awale; in oware it is legal and captures nothing
	sowings     *sowings
}

func newAwale() *awale {
	return &awale{
		game: game{
			info: Info{
				Name: "awale", Holes: awaleHoles, Seeds: 4, Rounds: 1, Single: true,
				Summary: "captures twos and threes; a player must feed an empty row; a grand slam is illegal",
				Intro: "Sow the seeds of a hole one by one. If your last seed makes two or three in a hole of the other player, " +
					"you capture them. A good game to begin with.",
				Source: "«Siembra bien tus semillas para tener la mejor cosecha», " +
					"rules sheet in Spanish, unsigned and undated",
			},
		},
		slamIllegal: true,
		sowings:     newSowings(),
	}
}

func newOware() *awale {
	r := newAwale()
	r.slamIllegal = false
	r.info.Name = "oware"
	r.info.Summary = "the international rules: like awale, but a grand slam is legal and captures nothing"
	r.info.Intro = "The game as it is played in international tournaments. It differs from awale in one thing only: " +
		"a move that would capture the whole row of the other player is allowed, but captures nothing."
	r.info.Source = "Oware Society, “Abapa Rules”; Joan Sala, «Com es juga a l'aualé?», auale.joansala.com"
	return r
}

// awaleHoles is the number of holes in a row.
const awaleHoles = 6

func (r *awale) Legal(p Position, moves []Move) []Move {
	if p.Phase() != PhaseSow {
		return moves
	}
	for holes := r.legal(p); holes != 0; holes &= holes - 1 {
		moves = append(moves, sow(holes.firstHole()))
	}
	return moves
}

func (r *awale) count(p Position) int { return r.legal(p).holes() }

// legal returns the set of holes that may be sown.
func (r *awale) legal(p Position) row {
	holes := p.own.occupied()
	if r.mustCheck(p) {
		for rest := holes; rest != 0; rest &= rest - 1 {
			if !r.allowed(p, rest.firstHole()) {
				holes &^= rest & -rest
			}
		}
	}
	return holes
}

// above3 is the bits that are set only in holes of more than three seeds. No move
// can take all of a row that has such a hole.
const above3 = lanes * 0x3c

// mustCheck reports whether sowing an occupied hole may be illegal: the other row
// is empty, or a move could take all of it where that is illegal.
func (r *awale) mustCheck(p Position) bool {
	return p.opp == 0 || r.slamIllegal && p.opp&above3 == 0
}

// allowed reports whether an occupied hole may be sown: the sowing feeds the other
// row if that is empty, and in awale it does not take all of it.
func (r *awale) allowed(p Position, hole uint8) bool {
	s := r.sowings.at(hole, p.own.hole(hole))
	opp := p.opp + s.opp
	return opp != 0 && !(r.slamIllegal && s.captured(opp) == opp)
}

func (r *awale) Play(p Position, m Move) (Position, End) {
	hole := m.hole()
	s := r.sowings.at(hole, p.own.hole(hole))
	own := p.own + s.own
	opp := p.opp + s.opp
	taken := s.captured(opp)
	if taken == opp {
		taken = 0 // a grand slam, which only oware allows
	}
	p.own, p.opp = own, opp-taken
	p = p.stored(taken.seeds(), 0).turned()
	if normal := r.legal(p) == 0; normal || r.stops(p) {
		return r.ended(p, normal)
	}
	return p, Going
}

func (r *awale) sown(p Position, m Move) sown {
	s := r.sowings.at(m.hole(), p.own.hole(m.hole()))
	lifted := p.lift(m.hole())
	fallen := p
	fallen.own += s.own
	fallen.opp += s.opp
	after := fallen
	if taken := s.captured(fallen.opp); taken != fallen.opp {
		after.opp -= taken
		after = after.stored(taken.seeds(), 0)
	}
	return sown{
		order:  ringOrder(2*awaleHoles, m.hole()+1, 1),
		lifted: lifted, fallen: fallen, captured: after, shared: after,
	}
}

// captured returns the part of the opponent's row that a sowing takes. If the last
// seed fell there and made a two or a three, that is its hole and, going backwards,
// every directly preceding hole of the row with two or three seeds.
func (s *sowing) captured(opp row) row {
	// The chain ends at the highest hole up to the last seed that holds another
	// number. A byte of other is zero where the hole holds two or three.
	other := (opp ^ lanes*2) &^ lanes
	stop := other.occupied() & s.reached
	kept := row(1)<<(bits.Len64(uint64(stop))&63) - 1
	return opp & s.reached &^ kept
}

// sowing is what a sowing adds to the board, as the mover sees it.
type sowing struct {
	own, opp row // what to add to the mover's row, with its hole emptied, and to the other
	reached  row // the bytes of the other row up to the last seed; 0 if that falls in the mover's row
}

// sowings holds the counter-clockwise sowings of awale by hole and number of seeds.
// They pass over the hole of departure on every lap. Only six holes and 48 seeds
// are used. The sizes are powers of two, so that at needs no check of bounds.
type sowings [8][64]sowing

// at returns the sowing of a hole with so many seeds.
func (t *sowings) at(hole, seeds uint8) *sowing { return &t[hole&7][seeds&63] }

// newSowings makes the table by dropping one seed after the other.
func newSowings() *sowings {
	const holes = awaleHoles
	table := new(sowings)
	for from := range holes {
		var s sowing
		at := from
		for seeds := 1; seeds <= 2*holes*4; seeds++ {
			s.own -= 1 << (8 * from)
			at = (at + 1) % (2 * holes)
			if at == from {
				at = (at + 1) % (2 * holes)
			}
			s.reached = 0
			if at < holes {
				s.own += 1 << (8 * at)
			} else {
				s.opp += 1 << (8 * (at - holes))
				s.reached = 1<<(8*(at-holes+1)) - 1
			}
			table[from][seeds] = s
		}
	}
	return table
}
