package engine

import "fmt"

// kalah is the rules of kalah on a board of any size. A sowing also drops a seed into
// the mover's store, which lies behind the mover's row, and passes over the other store.
type kalah struct {
	game
	every wideRows      // one seed in every hole
	drops [][]kalahDrop // by the hole of departure and the number of seeds, less than a lap
}

// kalahDrop is what the seeds of a sowing add to the board.
type kalahDrop struct {
	rows  wideRows
	store uint8 // the mover's
}

// kalahBoard returns the board of a name: that of kalah, or another one as in kalah-7x7. A size that is not allowed,
// or is written in a second way, is not ok.
func kalahBoard(name string) (holes, seeds int, ok bool) {
	if name == "kalah" {
		return 6, 4, true
	}
	_, err := fmt.Sscanf(name, "kalah-%dx%d", &holes, &seeds)
	if err != nil || fmt.Sprintf("kalah-%dx%d", holes, seeds) != name {
		return 0, 0, false
	}
	return holes, seeds, holes >= 1 && holes <= mostHoles && seeds >= 1 && seeds <= mostSeeds/(2*holes)
}

// newKalah returns kalah with so many holes in a row and so many seeds in each.
func newKalah(holes, seeds int) *kalah {
	r := &kalah{
		game: game{
			info: Info{
				Name: fmt.Sprintf("kalah-%dx%d", holes, seeds), Holes: holes, Seeds: seeds, Rounds: 1, Single: true,
				IntoStore: true,
				Summary:   fmt.Sprintf("kalah with %s of %s a side", plural(holes, "hole"), plural(seeds, "seed")),
				Intro: "You sow into your own store, too, and move again if your last seed falls there. " +
					"A last seed in an empty hole of yours captures what is opposite. " +
					"The game that courses and contests play.",
				Source: "G. Irving, J. Donkers and J. Uiterwijk, “Solving Kalah”, " +
					"ICGA Journal 23 (3), 2000, pp. 139-147",
			},
			wide: true,
		},
		drops: make([][]kalahDrop, holes),
	}
	if holes == 6 && seeds == 4 {
		r.info.Name = "kalah"
		r.info.Summary = "a sowing fills your own store; a last seed there earns a move; also kalah-HxS, as kalah-7x7"
	}
	for from := range holes {
		drops := make([]kalahDrop, r.lap())
		for seeds := 1; seeds < len(drops); seeds++ {
			drop := drops[seeds-1]
			place := (from + seeds) % len(drops)
			switch {
			case place < holes:
				drop.rows.add(uint8(place), 1)
			case place == holes:
				drop.store++
			default:
				drop.rows.add(otherHole(uint8(place-holes-1)), 1)
			}
			drops[seeds] = drop
		}
		r.drops[from] = drops
		r.every.add(uint8(from), 1)
		r.every.add(otherHole(uint8(from)), 1)
	}
	return r
}

// lap returns the number of places of a lap: all holes and the mover's store.
func (r *kalah) lap() uint8 { return uint8(2*r.info.Holes + 1) }

// Legal appends a sowing of each hole that holds a seed.
func (r *kalah) Legal(p Position, moves []Move) []Move {
	if p.Phase() != PhaseSow {
		return moves
	}
	for holes := p.own.filled(); holes != 0; holes &= holes - 1 {
		moves = append(moves, sow(holes.firstHole()))
	}
	for holes := p.far(p.Side()).filled(); holes != 0; holes &= holes - 1 {
		moves = append(moves, sow(nearHoles+holes.firstHole()))
	}
	return moves
}

func (r *kalah) count(p Position) int {
	return p.own.filled().holes() + p.far(p.Side()).filled().holes()
}

func (r *kalah) Play(p Position, m Move) (Position, End) {
	rows, stored, last := r.drop(p, m)
	stored += r.capture(&rows, last)
	p = p.withWideRows(rows).stored(stored, 0)
	if last != r.store() {
		p = p.turned()
	}
	if normal := rows.anyEmpty(); normal || r.stops(p) {
		return r.ended(p, normal)
	}
	return p, Going
}

// store returns the place of the mover's store in a lap, which begins with the mover's row.
func (r *kalah) store() uint8 { return uint8(r.info.Holes) }

// drop sows a hole. It returns the holes, the seeds that fell in the mover's store, and the
// place of the last seed in a lap.
func (r *kalah) drop(p Position, m Move) (rows wideRows, stored, last uint8) {
	from := m.hole()
	rows = p.wideRows()
	seeds := rows.lift(from)
	laps, rest := seeds/r.lap(), seeds%r.lap()
	drop := &r.drops[from][rest]
	for i := range rows {
		rows[i] += row(laps)*r.every[i] + drop.rows[i]
	}
	return rows, laps + drop.store, (from + rest) % r.lap()
}

// capture takes what a sowing captures whose last seed fell in that place of a lap, and returns
// the number of seeds. An empty hole opposite leaves the last seed where it is.
func (r *kalah) capture(rows *wideRows, last uint8) uint8 {
	if last >= r.store() || rows.at(last) != 1 {
		return 0
	}
	taken := rows.lift(otherHole(r.store() - 1 - last))
	if taken > 0 {
		taken += rows.lift(last)
	}
	return taken
}

func (r *kalah) sown(p Position, m Move) sown {
	rows, stored, last := r.drop(p, m)
	lifted := p.wideRows()
	lifted.lift(m.hole())
	fallen := p.withWideRows(rows).stored(stored, 0)
	taken := r.capture(&rows, last)
	after := p.withWideRows(rows).stored(stored+taken, 0)
	order := ringOrder(r.lap(), m.hole()+1, 1)
	for i, place := range order { // the ring has the store behind both rows
		switch {
		case place == r.store():
			order[i] = r.lap() - 1
		case place > r.store():
			order[i]--
		}
	}
	return sown{
		order:  order,
		lifted: p.withWideRows(lifted), fallen: fallen, captured: after, shared: after,
	}
}
