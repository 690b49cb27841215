package engine

import (
	"fmt"
	"slices"
	"strings"
)

// kalah is the rules of kalah on a board of any size, with its switches. A sowing also drops a seed into
// the mover's store, which lies behind the mover's row, and passes over the other store.
type kalah struct {
	game
	variant
	every wideRows      // one seed in every hole
	drops [][]kalahDrop // by the hole of departure and the number of seeds, less than a lap
}

// kalahDrop is what the seeds of a sowing add to the board.
type kalahDrop struct {
	rows  wideRows
	store uint8 // the mover's
}

// variant is the board of a Kalah, and the points in which Kalahs differ.
type variant struct {
	holes, seeds int  // in a row, and in a hole at the start
	emptyCapture bool // a last seed in an own empty hole is taken even with nothing opposite
	full         bool // all seeds are played out
	stuck        bool // the match ends when the player to move has no seed, not as soon as a row is empty
	swap         bool // North may swap sides in its first move
}

// kalahSwitch is a point in which Kalahs differ, as a name has it.
type kalahSwitch struct {
	name  string
	on    *bool
	words string // what it changes
}

// switches returns the switches of a variant, in the order in which a name has them.
func (v *variant) switches() []kalahSwitch {
	return []kalahSwitch{
		{"-empty-capture", &v.emptyCapture, "a last seed in an own empty hole is taken even with nothing opposite"},
		{"-full", &v.full, "all seeds are played out"},
		{"-stuck", &v.stuck, "the match ends when the player to move has no seed"},
		{"-swap", &v.swap, "North may swap sides in its first move"},
	}
}

// switchNames returns the names of all switches in their order, for people.
func switchNames() string {
	var names []string
	for _, s := range new(variant).switches() {
		names = append(names, s.name)
	}
	return strings.Join(names, ", ")
}

// size returns the size of the board, as a name has it.
func (v *variant) size() string { return fmt.Sprintf("-%dx%d", v.holes, v.seeds) }

// name returns the name of a variant. It has no size if that is 6x4.
func (v *variant) name() string {
	name := "kalah"
	if v.holes != 6 || v.seeds != 4 {
		name += v.size()
	}
	for _, s := range v.switches() {
		if *s.on {
			name += s.name
		}
	}
	return name
}

// summary describes a variant in one line.
func (v *variant) summary() string {
	parts := []string{fmt.Sprintf("kalah with %s of %s a side", plural(v.holes, "hole"), plural(v.seeds, "seed"))}
	if v.name() == "kalah" {
		parts = []string{
			"a sowing fills your own store", "a last seed there earns a move",
			"also kalah-HxS, as kalah-7x7, and with " + switchNames(),
		}
	}
	for _, s := range v.switches() {
		if *s.on {
			parts = append(parts, s.words)
		}
	}
	return strings.Join(parts, "; ")
}

// kalahNamed returns the variant of a name. A size that is not allowed, or is written in a second way, is not ok.
func kalahNamed(name string) (v variant, ok bool) {
	v = variant{holes: 6, seeds: 4}
	rest, isKalah := strings.CutPrefix(name, "kalah")
	if n, _ := fmt.Sscanf(rest, "-%dx%d", &v.holes, &v.seeds); n > 0 {
		rest = strings.TrimPrefix(rest, v.size())
	}
	for _, s := range v.switches() {
		if after, found := strings.CutPrefix(rest, s.name); found {
			*s.on, rest = true, after
		}
	}
	inRange := v.holes >= 1 && v.holes <= mostHoles && v.seeds >= 1 && v.seeds <= mostSeeds/(2*v.holes)
	return v, isKalah && rest == "" && inRange
}

// whyNoKalah says what is wrong with a name that looks like one of a Kalah; "" if it does not look like one.
func whyNoKalah(name string) string {
	var meant variant
	board := name + "-"
	for _, s := range meant.switches() {
		*s.on = strings.Contains(board, s.name+"-")
		board = strings.Replace(board, s.name+"-", "-", 1)
	}
	board = strings.TrimSuffix(board, "-")
	v, ok := kalahNamed(board)
	meant.holes, meant.seeds = v.holes, v.seeds
	switch {
	case ok:
		return fmt.Sprintf("write %s: the order of the switches is %s", meant.name(), switchNames())
	case board != name && slices.Contains(RulesetNames(), board):
		return fmt.Sprintf("%s has no switches; kalah has, as %s", board, meant.name())
	case !strings.HasPrefix(board, "kalah-"):
		return ""
	case board[len(board)-1] >= 'a':
		return "the switches of kalah are, in this order, " + switchNames()
	}
	return fmt.Sprintf("kalah-HxS has 1 to %d holes a side (H) and 1 seed or more in each (S), at most %d in all",
		mostHoles, mostSeeds)
}

// newKalah returns a variant of kalah.
func newKalah(v variant) *kalah {
	holes := v.holes
	r := &kalah{
		game: game{
			info: Info{
				Name: v.name(), Holes: holes, Seeds: v.seeds, Rounds: 1, Single: true, Full: v.full,
				IntoStore: true,
				Summary:   v.summary(),
				Intro: "You sow into your own store, too, and move again if your last seed falls there. " +
					"A last seed in an empty hole of yours captures what is opposite. " +
					"The game that courses and contests play.",
				Source: "G. Irving, J. Donkers and J. Uiterwijk, “Solving Kalah”, " +
					"ICGA Journal 23 (3), 2000, pp. 139-147",
			},
			wide: true,
		},
		variant: v,
		drops:   make([][]kalahDrop, holes),
	}
	if v.swap {
		r.keys = []key{swapKey()}
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

func (r *kalah) Start() Position {
	p := r.game.Start()
	if r.swap {
		p.tally = p.tally.with(swapAt, 1)
	}
	return p
}

// Legal appends a sowing of each hole that holds a seed, and the swap.
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
	if maySwap(p) {
		moves = append(moves, newMove(kindSwap, 0, 0))
	}
	return moves
}

func (r *kalah) count(p Position) int {
	moves := sowable(p)
	if maySwap(p) {
		moves++
	}
	return moves
}

// sowable returns the number of holes that the side to move can sow.
func sowable(p Position) int { return p.own.filled().holes() + p.far(p.Side()).filled().holes() }

// maySwap reports whether the side to move may swap sides now.
func maySwap(p Position) bool { return p.Swap() && p.Side() == North }

func (r *kalah) Play(p Position, m Move) (Position, End) {
	if m.kind() == kindSwap {
		p = p.swapped()
		rows := p.wideRows()
		return r.moved(p, &rows)
	}
	rows, stored, last := r.drop(p, m)
	stored += r.capture(&rows, last)
	p = p.withWideRows(rows).stored(stored, 0)
	again := last == r.store()
	switch {
	case !p.Swap():
	case p.Side() == South:
		again = false // North may swap now
	default:
		p.tally = p.tally.with(swapAt, 0)
	}
	if !again {
		p = p.turned()
	}
	return r.moved(p, &rows)
}

// moved returns what Play returns of a position after a move. The rows are those of the position, in either order.
func (r *kalah) moved(p Position, rows *wideRows) (Position, End) {
	normal := rows.anyEmpty() && (!r.stuck || sowable(p) == 0)
	if normal || r.stops(p) {
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
// the number of seeds. With nothing opposite, the last seed stays where it is, or is
// taken alone.
func (r *kalah) capture(rows *wideRows, last uint8) uint8 {
	if last >= r.store() || rows.at(last) != 1 {
		return 0
	}
	taken := rows.lift(otherHole(r.store() - 1 - last))
	if taken > 0 || r.emptyCapture {
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
