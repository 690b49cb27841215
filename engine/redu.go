package engine

import "math/bits"

// redu is the rules of redu. The mover counts columns from its own left. A column is
// a hole of the mover and the hole of the other row across from it. Sowings go in
// zigzag through both holes of each column.
type redu struct {
	game
	paths *reduPaths
}

// reduHoles is the number of columns.
const reduHoles = 6

// reduPaths holds the path of every sowing, by the column of departure, by the
// direction (counter-clockwise, clockwise), and by going round or bouncing.
type reduPaths [reduHoles][2][2]reduPath

// reduPath is the columns of a path. The column of departure is not one of them.
type reduPath struct {
	columns [reduHoles - 1]uint8
	leg     uint8          // how many columns come before the end of the board
	first   [reduHoles]row // by a number of columns, one seed in each of that many first columns
}

func newReduPaths() *reduPaths {
	paths := new(reduPaths)
	for from := range reduHoles {
		for turn := range 2 {
			paths[from][0][turn] = newReduPath(from, 1, turn == 1)
			paths[from][1][turn] = newReduPath(from, -1, turn == 1)
		}
	}
	return paths
}

// newReduPath walks from the column of departure to the end of the board. From there
// it continues from the other end, or it turns back and continues beyond the column of
// departure.
func newReduPath(from, step int, bounces bool) reduPath {
	var path reduPath
	n := 0
	walk := func(at, step int) {
		for ; 0 <= at && at < reduHoles && at != from; at += step {
			path.columns[n] = uint8(at)
			n++
			path.first[n] = path.first[n-1] | 1<<(8*at)
		}
	}
	walk(from+step, step)
	path.leg = uint8(n)
	switch {
	case bounces:
		walk(from-step, -step)
	case step > 0:
		walk(0, step)
	default:
		walk(reduHoles-1, step)
	}
	return path
}

func newRedu() *redu {
	return &redu{
		game: game{
			info: Info{
				Name: "redu", Holes: reduHoles, Seeds: 4, Rounds: 1, Single: true,
				Summary: "zigzag sowing through both rows; the other player may take a seed left open and claim a missed capture",
				Intro: "You sow in zigzag through both rows and choose the way. The other player may take a seed that you leave " +
					"open, and claim a capture that you miss. The richest of these games.",
				Source: "«Redu», rules in Catalan, after the Yoruba of Ile-Ife and Ila-Orangun in Nigeria; " +
					"web page, unsigned and undated",
			},
			keys: []key{takeKey(reduHoles), missedKey(reduHoles)},
		},
		paths: newReduPaths(),
	}
}

// across turns the other player's row into one by the mover's columns, or back.
func across(r row) row {
	return row(bits.ReverseBytes64(uint64(r)) >> (64 - 8*reduHoles))
}

func (r *redu) Legal(p Position, moves []Move) []Move {
	if p.Phase() != PhaseSow || p.own == 0 {
		return moves
	}
	for missed := p.extras.at(missedAt); missed != 0; missed &= missed - 1 {
		moves = append(moves, newMove(kindClaim, uint8(bits.TrailingZeros8(missed)), 0))
	}
	if p.extras.at(takeAt) != 0 {
		moves = append(moves, newMove(kindTake, 0, 0))
	}
	opp := across(p.opp)
	for holes := p.own.occupied(); holes != 0; holes &= holes - 1 {
		from := holes.firstHole()
		switch p.own.at(from) {
		case 1:
			moves = append(moves, sow(from))
			if from+1 < reduHoles && p.own.at(from+1) == 1 {
				moves = append(moves,
					newMove(kindSow, from, withNext|towards), newMove(kindSow, from, withNext|against))
			}
		case 2:
			moves = append(moves, newMove(kindSow, from, towards), newMove(kindSow, from, against))
		default:
			moves = r.appendZigzags(moves, p.own, opp, from, towards)
			moves = r.appendZigzags(moves, p.own, opp, from, against)
		}
	}
	return moves
}

// appendZigzags appends the sowings of more than two seeds in one direction. It uses
// a letter only where that makes a difference.
func (r *redu) appendZigzags(moves []Move, own, opp row, from uint8, direction uint64) []Move {
	moves = r.appendTurns(moves, own, opp, from, direction)
	first := r.paths.of(from, direction).columns[0]
	if own.at(first)|opp.at(first) == 0 {
		moves = r.appendTurns(moves, own, opp, from, direction|opposite)
	}
	return moves
}

// appendTurns appends the sowings with that direction and opening.
func (r *redu) appendTurns(moves []Move, own, opp row, from uint8, letters uint64) []Move {
	seeds := own.at(from)
	if letters&opposite != 0 {
		seeds--
	}
	moves = r.appendEndings(moves, opp, from, seeds, letters)
	leg := r.paths.of(from, letters).leg
	if leg > 0 && seeds > 2*leg && reduHoles-1-leg >= 2 {
		moves = r.appendEndings(moves, opp, from, seeds, letters|bounce)
	}
	return moves
}

// appendEndings appends the sowings of so many seeds along the path of the letters.
func (r *redu) appendEndings(moves []Move, opp row, from, seeds uint8, letters uint64) []Move {
	exposes := r.paths.of(from, letters).exposes(seeds, opp)
	moves = append(moves, newMove(kindSow, from, letters))
	if exposes {
		moves = append(moves, newMove(kindSow, from, letters|exposing))
	}
	if seeds%2 == 0 {
		return moves
	}
	moves = append(moves, newMove(kindSow, from, letters|lastAcross))
	if exposes {
		moves = append(moves, newMove(kindSow, from, letters|lastAcross|exposing))
	}
	return moves
}

// of returns the path of a sowing with these letters.
func (paths *reduPaths) of(from uint8, letters uint64) *reduPath {
	way, turn := 0, 0
	if letters&against != 0 {
		way = 1
	}
	if letters&bounce != 0 {
		turn = 1
	}
	return &paths[from][way][turn]
}

// beforeLast returns the number, from 0, of the second-last column that two or more
// seeds reach along the path; -1 if they reach only one column.
func beforeLast(seeds uint8) int { return int(seeds+1)/2 - 2 }

// exposes reports whether two or more seeds can leave the third-last one open. That
// is so if it may fall in the other row, in a hole that was empty before and that
// this sowing has not reached yet.
func (path *reduPath) exposes(seeds uint8, opp row) bool {
	column := beforeLast(seeds)
	return 0 <= column && column < len(path.columns) && opp.at(path.columns[column]) == 0
}

func (r *redu) Play(p Position, m Move) (Position, End) {
	switch m.kind() {
	case kindClaim:
		p = p.claimed(m.hole())
	case kindTake:
		p = p.taken()
	default:
		p = r.sow(p, m).turned()
	}
	if normal := p.own == 0; normal || r.stops(p) {
		return r.ended(p, normal)
	}
	return p, Going
}

// claimed returns the position after the side to move has claimed the capture that
// the other player missed from a hole of the other row. The turn continues.
func (p Position) claimed(hole uint8) Position {
	facing := reduHoles - 1 - hole
	seeds := p.opp.at(hole) + p.own.at(facing)
	p.opp = p.opp.with(hole, 0)
	p.own = p.own.with(facing, 0)
	p.extras = p.extras.with(missedAt, 0)
	if p.extras.at(takeAt)&^takesTurn == facing+1 {
		p.extras = p.extras.with(takeAt, 0) // only a position that was set up by hand has both
	}
	return p.captured(seeds)
}

// taken returns the position after the side to move has taken the seed that it may
// take. That is either the whole turn, or the turn continues.
func (p Position) taken() Position {
	take := p.extras.at(takeAt)
	hole := take&^takesTurn - 1
	seeds := p.own.at(hole)
	p.own = p.own.with(hole, 0)
	p.extras = p.extras.with(takeAt, 0)
	p = p.captured(seeds)
	if take&takesTurn != 0 {
		return p.lapsed().turned()
	}
	facing := reduHoles - 1 - hole
	p.extras &^= tally(1) << facing << missedAt // again, only a position that was set up by hand has both
	return p
}

// captured returns the position with seeds added to the store of the side to
// move.
func (p Position) captured(seeds uint8) Position {
	p.tally = p.tally.add(storeAt(p.Side()), seeds).with(quietAt, 0)
	return p
}

// sow plays a sowing, without ending the turn. It notes the seed that the other
// player may take, and what the sower missed.
func (r *redu) sow(p Position, m Move) Position {
	own, opp := p.own, across(p.opp)
	facing := facingFew(own, opp)
	empty := opp
	var taken uint8
	var vulnerable row // one seed, in the hole of the seed that may be taken
	var turn uint8
	from := m.hole()
	letters := m.detail()
	seeds := own.at(from)
	own = own.with(from, 0)
	switch {
	case letters&withNext != 0 || seeds == 2:
		if letters&withNext != 0 {
			own = own.with(from+1, 0)
		}
		from = departure(m)
		column := r.paths.of(from, letters).first[1]
		own += column
		opp, taken, vulnerable = dropped(opp, column)
		turn = takesTurn
	case seeds == 1:
		opp, taken, vulnerable = dropped(opp, 1<<(8*from))
	default:
		if letters&opposite != 0 {
			opp += 1 << (8 * from)
			seeds--
		}
		path := r.paths.of(from, letters)
		own, opp = path.sow(own, opp, seeds, letters&lastAcross != 0)
		switch {
		case letters&exposing != 0:
			vulnerable = 1 << (8 * path.columns[beforeLast(seeds)])
		case seeds == 2 && empty.at(from) == 0:
			vulnerable = 1 << (8 * from)
		}
		turn = takesTurn
	}

	p.own, p.opp = own, across(opp)
	p.extras = 0
	if vulnerable != 0 {
		hole := across(vulnerable).occupied().firstHole()
		p.extras = p.extras.with(takeAt, hole+1|turn)
	}
	if taken == 0 {
		p.extras = p.extras.with(missedAt, holesOf(facing&facingFew(own, opp)))
	}
	return p.stored(taken, 0)
}

// dropped returns the other row after a sowing of one or two seeds dropped a seed in
// one of its holes, and the seeds that this takes. If the hole was empty, so that
// the other player may take the seed, it returns the column again as vulnerable.
func dropped(opp, column row) (after row, taken uint8, vulnerable row) {
	hole := column.occupied().firstHole()
	switch seeds := opp.at(hole); seeds {
	case 0:
		return opp + column, 0, column
	case 1, 2:
		return opp.with(hole, 0), seeds + 1, 0
	}
	return opp + column, 0, 0
}

// sow returns the rows after so many seeds were sown along the path, two in each
// column. A single last seed falls in the mover's row or across.
func (path *reduPath) sow(own, opp row, seeds uint8, across bool) (row, row) {
	const lap = 2 * uint8(len(reduPath{}.columns))
	laps, rest := row(seeds/lap), seeds%lap
	whole := path.first[len(path.columns)]
	own += laps*whole + path.first[rest/2]
	opp += laps*whole + path.first[rest/2]
	if rest%2 != 0 {
		last := row(1) << (8 * path.columns[rest/2])
		if across {
			opp += last
		} else {
			own += last
		}
	}
	return own, opp
}

// facingFew returns the set of columns in which the mover's hole holds one seed and
// the other hole one or two: the captures of single seeds.
func facingFew(own, opp row) row {
	return own.holding(1) & (opp.holding(1) | opp.holding(2))
}

// holesOf returns a set of holes with a bit a hole.
func holesOf(word row) uint8 {
	var holes uint8
	for ; word != 0; word &= word - 1 {
		holes |= 1 << word.firstHole()
	}
	return holes
}

func (r *redu) sown(p Position, m Move) sown {
	lifted := p.lift(m.hole())
	if m.detail()&withNext != 0 {
		lifted = lifted.lift(m.hole() + 1)
	}
	after := r.sow(p, m)
	fallen := after
	for hole := range uint8(reduHoles) {
		if seeds := p.opp.at(hole); seeds > after.opp.at(hole) {
			fallen.opp = fallen.opp.with(hole, seeds+1) // captured, with the seed that fell there
		}
	}
	return sown{
		order:  r.order(p, m),
		lifted: lifted, fallen: fallen, captured: after, shared: after,
	}
}

// departure returns the column that a sowing leaves from. Of two holes that are sown together, it is the one ahead.
func departure(m Move) uint8 {
	if m.detail()&withNext != 0 && m.detail()&towards != 0 {
		return m.hole() + 1
	}
	return m.hole()
}

// order returns the holes of the ring in the order in which a sowing comes to them. In each column the mover's own hole comes first, except where the
// rules or the letters ask for the other order.
func (r *redu) order(p Position, m Move) []uint8 {
	from, letters := departure(m), m.detail()
	path := r.paths.of(from, letters)
	held := p.own.at(m.hole())
	seeds := held
	if letters&opposite != 0 {
		seeds--
	}
	acrossFirst := -1
	exposed := letters&exposing != 0
	switch {
	case letters&withNext != 0 || held == 2:
		acrossFirst = 0
	case path.exposes(seeds, across(p.opp)) && exposed == (seeds%2 != 0):
		// The third-last seed is the first one of its column if the number is odd.
		acrossFirst = beforeLast(seeds)
	}
	order := []uint8{2*reduHoles - 1 - from}
	for i, column := range path.columns {
		first, second := column, 2*reduHoles-1-column
		if i == acrossFirst {
			first, second = second, first
		}
		order = append(order, first, second)
	}
	return append(order, from)
}
